import FingerpostFiles
import TestSupport

@testable import Fingerpost

@Suite(.inTurn) struct SensitiveNameTests {
    /// Bodies use these names for other things too.
    @Test(arguments: ResponseNames.ambiguous) func `Ambiguous names are not sensitive in a body`(_ name: String) {
        #expect(SensitiveName.isSensitive(name) && !SensitiveName.isPassword(name))
    }

    @Test(arguments: [
        "password", "accessToken", "userpass", "mfa_code", "code_verifier", "assertion", "SAMLResponse", "cvv",
        "device_code", "user_code", "verificationCode", "oauth_verifier", "psk", "client_assertion", "otp", "pin",
        "pinCode", "pin_codes", "sessionKey", "authKey", "hmac_key", "signingKey",
    ])
    func `Names of credentials are password names in a body too`(_ name: String) {
        #expect(SensitiveName.isPassword(name))
    }

    // MARK: What a redirect takes along, and what is shown

    /// Headers in which apps, proxies and services send credentials.
    static let headers = [
        "Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-Api-Key", "Api-Key", "apikey", "X-API-Token",
        "X-Auth-Token", "X-Access-Token", "X-Access", "X-Session", "X-Session-Id", "X-CSRF-Token", "X-XSRF-TOKEN",
        "DPoP", "OAuth-Client-Attestation", "OAuth-Client-Attestation-PoP", "X-Firebase-AppCheck-Token",
        "CF-Access-Client-Secret", "CF-Access-Jwt-Assertion", "X-MBX-APIKEY", "xi-api-key", "X-GitHub-OTP",
        "Ocp-Apim-Subscription-Key", "X-Goog-Api-Key", "X-Goog-Signature", "X-Amz-Security-Token",
        "X-Shopify-Access-Token", "X-Shopify-Hmac-SHA256", "X-Vault-Token", "X-Gitlab-Token", "Private-Token",
        "X-Plex-Token", "X-Figma-Token", "X-Hub-Signature-256", "X-Signature", "X-Sign", "Sign", "appkey",
        "X-App-Key", "API-Sign", "X-BAPI-SIGN", "CB-ACCESS-SIGN", "X-Pin", "X-Sid", "Client-Key", "accesskey",
        "X-Client-Secret", "X-Password", "X-Otp",
    ]

    /// Items of queries whose values are credentials.
    static let items = [
        "token", "access_token", "refresh_token", "id_token", "api_key", "apikey", "apiKey", "key", "client_secret",
        "secret", "password", "passwd", "pwd", "pass", "sig", "sign", "signature", "Signature", "X-Amz-Signature",
        "X-Amz-Credential", "X-Goog-Signature", "hmac", "jwt", "assertion", "client_assertion", "code",
        "code_verifier", "device_code", "otp", "pin", "sid", "sessionid", "jsessionid", "auth", "authkey", "ticket",
        "tempauth", "SAMLResponse", "appid", "appkey", "api%5Fkey", "%61ccess_token", "user%5Bpassword%5D", "sessionId",
        "session_id", "JSESSIONID", "PHPSESSID", "ASP.NET_SessionId", "connect.sid", "access_code", "accessCode",
        "authcode", "auth_code", "authorizationCode", "saml_response", "bearer", "cvv", "CVC", "mfa_code", "totp",
        "x-access", "userpass", "user_pass", "client_secrets", "APPID", "oauth_verifier", "userCode",
        "verification_code", "verificationcode", "recovery_codes", "security-code", "psk", "wifi_psk",
        "id_token_hint", "SAMLRequest", "SAMLart", "_csrf", "access_tokens", "refreshTokens", "next_access_token",
        "page_access_token", "csrfmiddlewaretoken", "passkey", "_gh_sess", "token_id",
    ]

    /// Headers, items and keys that are shown, and that a redirect takes along.
    static let harmless =
        ResponseNames.ordinary + [
            "Accept", "Content-Type", "User-Agent", "ETag", "X-Request-Id", "X-Trace", "traceparent",
            "X-RateLimit-Remaining", "inAppKeyboard", "design", "sign_in_count", "signs", "assign",
            "tokenized", "tokenEndpoint", "nextPageToken", "nextpagetoken", "skiptoken", "$skiptoken", "%24skiptoken",
            "deltatoken", "$deltaToken", "%24deltatoken", "deltaToken", "continuationtoken", "syncToken", "authority",
            "token_type_hint", "sort_key", "sortKey",
        ]

    /// Items and keys whose last word describes a credential.
    static let descriptions = ["SharedAccessKeyName", "passwordPolicy", "secretName", "cvc_check"]

    @Test(arguments: headers) func `Headers with credentials do not follow to another origin`(_ name: String) {
        let field = HTTPHeaders.Field(.init(rawValue: name), "value")
        #expect(field.isSensitive && !field.mayFollow(authorization: []) && !field.description.contains("value"))
    }

    @Test(arguments: items) func `Items with credentials are hidden in URLs`(_ name: String) {
        #expect(Redaction.url("https://h.example/x?a=1&\(name)=value") == "https://h.example/x?a=1&\(name)=<redacted>")
    }

    @Test(arguments: harmless) func `Other headers and items are sent and shown`(_ name: String) {
        let field = HTTPHeaders.Field(.init(rawValue: name), "value")
        #expect(!field.isSensitive && field.mayFollow(authorization: []) && !SensitiveName.isPassword(name))
        #expect(Redaction.url("https://h.example/x?\(name)=value") == "https://h.example/x?\(name)=value")
    }

    /// A header that is hidden for nothing costs less than a credential that follows to another origin.
    @Test(arguments: descriptions) func `Descriptions of credentials are shown, but in headers`(_ name: String) {
        let field = HTTPHeaders.Field(.init(rawValue: name), "value")
        #expect(field.isSensitive && !field.mayFollow(authorization: []) && !SensitiveName.isPassword(name))
        #expect(Redaction.url("https://h.example/x?\(name)=value") == "https://h.example/x?\(name)=value")
    }

    @Test(arguments: [
        ("eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln", true), ("Bearer eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln", true),
        ("a=1, b=\"eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln\"", true), ("eyJhbGciOiJFUzI1NiJ9", false),
        ("1.2.3", false), ("eyJ.a.b", false), ("eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.", false),
    ]) func `A JSON Web Token is a credential in any header`(_ value: String, _ isToken: Bool) {
        let field = HTTPHeaders.Field("X-Identity", value)
        #expect(field.isSensitive == isToken && field.mayFollow(authorization: []) != isToken)
    }

    @Test(arguments: [
        ("https://h.example/a?access_token=ref-98765432", false), ("https://u:ref-98765432@h.example/", false),
        (#"{"password": "ref-98765432"}"#, false), ("password=ref-98765432", false),
        ("https://h.example/a?page=2", true),
        ("text/html; q=0.9", true), (#"W/"a:b""#, true), ("1; mode=block", true),
    ]) func `A value with a credential inside does not follow to another origin`(_ value: String, _ mayFollow: Bool) {
        #expect(HTTPHeaders.Field("Referer", value).mayFollow(authorization: []) == mayFollow)
    }

    /// In a request, a name counts the same wherever it stands, and a signature is a header.
    @Test func `What a body knows as a credential, a query knows too, and a sign is one in a header`() {
        for name in ["card_pin", "pinCode", "userPin", "password", "otp", "accessToken"] {
            #expect(SensitiveName.isPassword(name) && SensitiveName.isSensitive(name) && SensitiveName.isHeader(name))
        }
        #expect(SensitiveName.isHeader("OK-ACCESS-SIGN") && !SensitiveName.isSensitive("zodiac_sign"))
    }

    @Test func `An attestation is a credential in headers and queries, and a choice in JSON`() {
        #expect(SensitiveName.isSensitive("attestation") && !SensitiveName.isPassword("attestation"))
    }

    /// A server decides the names in its answers.
    @Test(arguments: [5, 40, 20_000]) func `A name of many words is judged in time`(_ count: Int) {
        let pages = String(repeating: "page", count: count)
        #expect(!SensitiveName.isSensitive(pages + "token") && SensitiveName.isSensitive(pages + "xtoken"))
    }
}
