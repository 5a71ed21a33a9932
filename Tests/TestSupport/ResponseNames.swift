/// Names of keys in bodies of responses.
package enum ResponseNames {
    /// A response can list what a server received, and name its secrets as it likes.
    package static let issued = [
        "secretKey", "bearer", "refreshTokenV2", "Authorization", "set-cookie", "cookie", "password1", "passwords",
        "clientSecret2", "tokenValue", "token_hash", "secretsForStaging", "apiKeyLive", "private_key_pem", "secret_id",
        "idjwt", "userPasscode", "refresh_token_next", "tokenTypeSecret", "SECRETKEY", "accessTokenForUser",
    ]

    /// Names in responses that describe a credential, or only sound like one.
    package static let described = [
        "signatureAlgorithm", "passwordPolicy", "nextPageToken", "token_type", "tokenExpiresAt", "tokensUsed",
        "passwordResetRequired", "passwordChangedAt", "password_min_length", "passwordless", "password_hint",
        "passwordStrength", "secretName", "secretVersion", "secretary", "secretaries", "authorizationUrl",
        "authorization_endpoint", "cookiePolicy", "cookies_accepted", "token_endpoint_auth_methods_supported",
        "id_token_signing_alg_values_supported", "token_introspection_endpoint", "tokenizer", "tokenIssuer",
        "jwtAlgorithm", "apiKeyId", "apiKeyLabel", "access_key_last_used", "passkeysEnabled", "bearerMethodsSupported",
        "secretsCount", "passwordRules", "apiKeyScopes",
    ]
}
