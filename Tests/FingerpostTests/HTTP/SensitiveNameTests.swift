import TestSupport
import Testing

@testable import Fingerpost

@Suite struct SensitiveNameTests {
    static let credentials = [
        "sessionid", "sessionId", "session_id", "JSESSIONID", "PHPSESSID", "ASP.NET_SessionId", "connect.sid",
        "sid",
        "access_code", "accessCode", "authcode", "auth_code", "authorizationCode", "code", "code_verifier",
        "assertion",
        "client_assertion", "SAMLResponse", "saml_response", "bearer", "hmac", "X-Shopify-Hmac-SHA256", "cvv",
        "CVC",
        "mfa_code", "totp", "otp", "x-access", "userpass", "user_pass", "X-Api-Key", "apikey",
        "client_secrets", "Authorization", "Set-Cookie", "appid", "APPID", "oauth_verifier", "device_code", "userCode",
        "verification_code", "verificationcode", "recovery_codes", "security-code", "ticket", "DPoP", "psk", "wifi_psk",
        "X-Amz-Security-Token", "client_assertion", "id_token_hint", "SAMLRequest", "SAMLart", "otp", "pin", "_csrf",
        "access_tokens", "refreshTokens", "next_access_token", "page_access_token", "csrfmiddlewaretoken", "passkey",
        "Proxy-Authorization", "X-Goog-Signature", "X-Amz-Credential", "_gh_sess", "token", "token_id",
    ]

    @Test(arguments: credentials)
    func `Names of credentials are sensitive`(_ name: String) {
        #expect(SensitiveName.isSensitive(name))
    }

    @Test(
        arguments: [
            "zip_code", "country_code", "monkey", "keyword", "passenger", "user_passenger", "compass", "sessions",
            "author",
            "obsession_id", "success_code", "process_code", "statusCode", "q", "page", "access", "X-Accel",
            "assertions",
            "inside", "cookies_accepted", "pinned", "shipping", "sidebar", "broker", "desc",
            "Access-Control-Allow-Credentials", "access-control-allow-headers", "max_tokens", "maxTokens",
            "max_output_tokens", "total_tokens", "prompt_tokens", "completionTokens", "tokens", "tokens_used",
            "page_token", "pageToken", "next_page_token", "NextToken", "continuation-token", "sync_token",
            "token_type", "tokenType", "token_endpoint", "access_token_expires_in", "tokenizer", "tokenization",
            "tickets", "ticket_id", "preset_code", "error_code", "area_codes", "WWW-Authenticate", "app", "applied",
            "Idempotency-Key", "X-Idempotency-Key", "idempotencyKey", "tokenCount", "keyboard", "keyboardType",
            "pinned",
            "pinnedAt", "opinion", "cookiePolicyURL", "cookieConsent", "cookieCount", "accessControlAllowCredentials",
            "turnkey", "hotkeys", "passport", "spinner", "unpinned", "zipcode", "barcode", "encode",
        ])
    func `Ordinary names are not sensitive`(_ name: String) {
        #expect(!SensitiveName.isSensitive(name))
        #expect(!SensitiveName.isPassword(name))
        #expect(!SensitiveName.isIssued(name))
    }

    /// Bodies use these names for other things too.
    @Test(arguments: ["code", "key", "session", "sessionId", "sid", "ticket", "appid"])
    func `Ambiguous names are not sensitive in a body`(_ name: String) {
        #expect(SensitiveName.isSensitive(name))
        #expect(!SensitiveName.isPassword(name))
        #expect(!SensitiveName.isIssued(name))
    }

    @Test(arguments: [
        "password", "accessToken", "userpass", "mfa_code", "code_verifier", "assertion", "SAMLResponse", "cvv",
        "device_code", "user_code", "verificationCode", "oauth_verifier", "psk", "client_assertion", "otp", "pin",
        "pinCode", "pin_codes", "sessionKey", "authKey", "hmac_key", "signingKey",
    ])
    func `Names of credentials are password names in a body too`(_ name: String) {
        #expect(SensitiveName.isPassword(name))
    }

    @Test(arguments: ResponseNames.issued) func `Names of secrets count in responses`(_ name: String) {
        #expect(SensitiveName.isIssued(name))
    }

    @Test(arguments: ResponseNames.described) func `Names that describe a secret do not count in responses`(
        _ name: String
    ) {
        #expect(!SensitiveName.mayHoldIssued(name))
    }

    @Test func `A long name that a server made up is judged in time`() {
        #expect(SensitiveName.isIssued("token" + String(repeating: "typesscopes", count: 10_000)))
        #expect(SensitiveName.isIssued("token" + String(repeating: "types", count: 9) + "x"))
    }
}
