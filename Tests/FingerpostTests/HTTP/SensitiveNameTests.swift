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
        "mfa_code", "totp", "otp", "x-access", "userpass", "user_pass", "X-Api-Key", "apikey", "tokens",
        "client_secrets", "Authorization", "Set-Cookie",
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
        ])
    func `Ordinary names are not sensitive`(_ name: String) {
        #expect(!SensitiveName.isSensitive(name))
        #expect(!SensitiveName.isPassword(name))
        #expect(!SensitiveName.isIssued(name))
    }

    /// Bodies use these names for other things too.
    @Test(arguments: ["code", "key", "session", "sessionId", "sid", "cookie"])
    func `Ambiguous names are not sensitive in a body`(_ name: String) {
        #expect(SensitiveName.isSensitive(name))
        #expect(!SensitiveName.isPassword(name))
        #expect(!SensitiveName.isIssued(name))
    }

    @Test(arguments: [
        "password", "accessToken", "userpass", "mfa_code", "code_verifier", "assertion", "SAMLResponse", "cvv",
    ])
    func `Names of credentials are password names in a body too`(_ name: String) {
        #expect(SensitiveName.isPassword(name))
    }
}
