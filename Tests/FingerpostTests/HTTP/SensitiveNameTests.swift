import TestSupport
import Testing

@testable import Fingerpost

@Suite(.inTurn) struct SensitiveNameTests {
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

    @Test(arguments: ResponseNames.ordinary)
    func `Ordinary names are not sensitive`(_ name: String) {
        #expect(!SensitiveName.isSensitive(name))
        #expect(!SensitiveName.isPassword(name))
    }

    /// Bodies use these names for other things too.
    @Test(arguments: ResponseNames.ambiguous)
    func `Ambiguous names are not sensitive in a body`(_ name: String) {
        #expect(SensitiveName.isSensitive(name))
        #expect(!SensitiveName.isPassword(name))
    }

    @Test(arguments: [
        "password", "accessToken", "userpass", "mfa_code", "code_verifier", "assertion", "SAMLResponse", "cvv",
        "device_code", "user_code", "verificationCode", "oauth_verifier", "psk", "client_assertion", "otp", "pin",
        "pinCode", "pin_codes", "sessionKey", "authKey", "hmac_key", "signingKey",
    ])
    func `Names of credentials are password names in a body too`(_ name: String) {
        #expect(SensitiveName.isPassword(name))
    }
}
