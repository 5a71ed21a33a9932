import FingerpostFiles
import TestSupport

@testable import Fingerpost

@Suite(.inTurn) struct SensitiveNameTests {
    /// Names of credentials in JSON and forms.
    private static let passwords = [
        "password", "accessToken", "userpass", "mfa_code", "code_verifier", "assertion", "SAMLResponse", "cvv",
        "device_code", "user_code", "verificationCode", "oauth_verifier", "psk", "client_assertion", "otp", "pin",
        "pinCode", "pin_codes", "sessionKey", "authKey", "hmac_key", "signingKey",
    ]

    /// Headers in which apps, proxies and services send credentials.
    private static let headers = [
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
    private static let items = [
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
    private static let harmless =
        ResponseNames.ordinary + [
            "Accept", "Content-Type", "User-Agent", "ETag", "X-Request-Id", "X-Trace", "traceparent",
            "X-RateLimit-Remaining", "inAppKeyboard", "design", "sign_in_count", "signs", "assign",
            "tokenized", "tokenEndpoint", "nextPageToken", "nextpagetoken", "skiptoken", "$skiptoken", "%24skiptoken",
            "deltatoken", "$deltaToken", "%24deltatoken", "deltaToken", "continuationtoken", "syncToken", "authority",
            "token_type_hint", "sort_key", "sortKey",
        ]

    /// Items and keys whose last word describes a credential.
    private static let descriptions = ["SharedAccessKeyName", "passwordPolicy", "secretName", "cvc_check"]

    private enum Place { case header, halfOfHeader, query, halfOfQuery, body }

    /// In which places a value with this name is a credential; in the others it is sent along and shown.
    private static func places(of name: String) -> Set<Place> {
        let field = HTTPHeaders.Field(.init(rawValue: name), "value")
        let isHidden: Set = [
            field.isSensitive, !field.mayFollow(authorization: []), !field.description.contains("value"),
        ]
        var places: Set<Place> = isHidden == [true] ? [.header] : isHidden == [false] ? [] : [.halfOfHeader]
        let shown = "https://h.example/x?a=1&\(name)=value"
        switch Redaction.url(shown) {
        case shown: break
        case "https://h.example/x?a=1&\(name)=<redacted>": places.insert(.query)
        default: places.insert(.halfOfQuery)
        }
        if SensitiveName.isPassword(name) { places.insert(.body) }
        return places
    }

    /// Names, the places where they are credentials, and those where they are not.
    private static let names: [(names: [String], hidden: Set<Place>, shown: Set<Place>)] = [
        (headers, [.header], []), (items, [.query], []), (passwords, [.body], []),
        (harmless, [], [.header, .query, .body]),
        // A header that is hidden for nothing costs less than a credential that follows to another origin.
        (descriptions, [.header], [.query, .body]),
        // Bodies use these names for other things too.
        (ResponseNames.ambiguous + ["attestation"], [.query], [.body]),
        // In a request, a name counts the same wherever it stands, and a signature is a header.
        (["card_pin", "pinCode", "userPin", "password", "otp", "accessToken"], [.header, .query, .body], []),
        (["OK-ACCESS-SIGN"], [.header], []), (["zodiac_sign"], [], [.query]),
    ]

    @Test func `Credentials in headers, queries and bodies are known by their names`() {
        for (names, hidden, shown) in Self.names {
            for name in names {
                let places = Self.places(of: name)
                let isRight =
                    places.isSuperset(of: hidden)
                    && places.isDisjoint(with: shown.union([.halfOfHeader, .halfOfQuery]))
                #expect(isRight, "\(name) in \(places)")
            }
        }
    }

    @Test func `A value with a credential inside does not follow, and a JSON Web Token is hidden too`() {
        let token = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln"
        let tokens = [token, "Bearer \(token)", "a=1, b=\"\(token)\""]
        let inside = [
            "https://h.example/a?access_token=ref-98765432", "https://u:ref-98765432@h.example/",
            #"{"password": "ref-98765432"}"#, "password=ref-98765432",
        ]
        let harmless = [
            "https://h.example/a?page=2", "text/html; q=0.9", #"W/"a:b""#, "1; mode=block", "eyJhbGciOiJFUzI1NiJ9",
            "1.2.3", "eyJ.a.b", "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.",
        ]
        let fields =
            tokens.map { HTTPHeaders.Field("X-Identity", $0) }
            + (inside + harmless).map { HTTPHeaders.Field("Referer", $0) }
        #expect(fields.filter(\.isSensitive).map(\.value) == tokens)
        #expect(fields.filter { $0.mayFollow(authorization: []) }.map(\.value) == harmless)
    }

    /// A server decides the names in its answers.
    @Test(arguments: [5, 40, 20_000]) func `A name of many words is judged in time`(_ count: Int) {
        let pages = String(repeating: "page", count: count)
        #expect(!SensitiveName.isSensitive(pages + "token") && SensitiveName.isSensitive(pages + "xtoken"))
    }
}
