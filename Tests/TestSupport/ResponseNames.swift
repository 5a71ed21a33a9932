/// Names of keys in bodies of responses.
package enum ResponseNames {
    /// Names of secrets. A response can repeat the names of a request, and can spell the names of its own secrets in
    /// any way.
    package static let issued = [
        "secretKey", "bearer", "refreshTokenV2", "Authorization", "set-cookie", "cookie", "password1", "passwords",
        "clientSecret2", "tokenValue", "token_hash", "secretsForStaging", "apiKeyLive", "private_key_pem", "secret_id",
        "idjwt", "userPasscode", "refresh_token_next", "tokenTypeSecret", "SECRETKEY", "accessTokenForUser",
        "tokenValues", "secretValues", "password_values", "apiKeyValue", "pinCode", "pin_code", "PINCODE", "pin_codes",
        "sessionKey", "auth_key", "hmacKey", "signingKey", "encryption_key", "masterKeys", "account-key",
        "credential", "credentials", "userCredentials", "cookies", "sessionCookie", "auth_cookies", "csrf", "_csrf",
        "xsrf", "tokenSet", "token_sets", "accessToken", "API-KEY", "userPass",
    ]

    /// Names in responses that describe a credential, or only sound like one.
    package static let described = [
        "signatureAlgorithm", "passwordPolicy", "nextPageToken", "token_type", "tokenExpiresAt", "tokensUsed",
        "passwordResetRequired", "passwordChangedAt", "password_min_length", "passwordless", "password_hint",
        "passwordStrength", "secretName", "secretVersion", "secretary", "secretaries", "authorizationUrl",
        "authorization_endpoint", "cookiePolicy", "cookies_accepted", "token_endpoint_auth_methods_supported",
        "id_token_signing_alg_values_supported", "token_introspection_endpoint", "tokenizer", "tokenIssuer",
        "jwtAlgorithm", "apiKeyId", "apiKeyLabel", "access_key_last_used", "passkeysEnabled", "bearerMethodsSupported",
        "secretsCount", "passwordRules", "apiKeyScopes", "tokenCount", "token_values_supported", "passwordSet",
        "keyboard", "keyboardType", "monkey", "turnkey", "hotkey", "primaryKey", "foreign_key", "publicKey", "sortKey",
        "cacheKey", "partition_key", "translationKey", "pinned", "pinnedAt", "pinning", "shipping", "opinion",
        "spinner", "pinCodeRequired", "pin_length", "cookiePolicyURL", "cookieConsent", "acceptsCookies",
        "sessionCookieName", "sessionCount", "sessionKeyId", "authKeyVersion", "hmacAlgorithm", "signingAlgorithm",
        "encryptionEnabled", "encryption_key_id", "csrfEnabled", "credentialsRequired", "credentialId",
        "credential_type", "tokenSetId", "authorizationStatus", "valueSet", "charset", "zipCode", "discountCode",
        "passport", "compass", "passengers", "Access-Control-Allow-Credentials",
    ]

    /// Names of values that are not secret.
    package static let ordinary = [
        "zip_code", "country_code", "monkey", "keyword", "passenger", "user_passenger", "compass", "sessions", "author",
        "obsession_id", "success_code", "process_code", "statusCode", "q", "page", "access", "X-Accel", "assertions",
        "inside", "cookies_accepted", "pinned", "shipping", "sidebar", "broker", "desc",
        "Access-Control-Allow-Credentials", "access-control-allow-headers", "max_tokens", "maxTokens",
        "max_output_tokens", "total_tokens", "prompt_tokens", "completionTokens", "tokens", "tokens_used", "page_token",
        "pageToken", "next_page_token", "NextToken", "continuation-token", "sync_token", "token_type", "tokenType",
        "token_endpoint", "access_token_expires_in", "tokenizer", "tokenization", "tickets", "ticket_id", "preset_code",
        "error_code", "area_codes", "WWW-Authenticate", "app", "applied", "Idempotency-Key", "X-Idempotency-Key",
        "idempotencyKey", "tokenCount", "keyboard", "keyboardType", "pinned", "pinnedAt", "opinion", "cookiePolicyURL",
        "cookieConsent", "cookieCount", "accessControlAllowCredentials", "turnkey", "hotkeys", "passport", "spinner",
        "unpinned", "zipcode", "barcode", "encode",
    ]

    /// Names that mean a credential in a header or a query, but often something else in a body.
    package static let ambiguous = ["code", "key", "session", "sessionId", "sid", "ticket", "appid"]
}
