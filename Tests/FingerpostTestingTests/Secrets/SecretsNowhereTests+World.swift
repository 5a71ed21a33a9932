extension SecretsNowhereTests {
    /// The secrets, by the place that they are in.
    enum Secret: String, CaseIterable {
        case environmentFile, environmentList, environmentNumber, environmentVariable, environmentPath, baseURLPassword
        case authorization, customAuthorization, apiKeyHeader, cookie, quotedCookie, digest, clientHeader
        case queryToken, queryKey, pathParameter, userInfo, configured
        case jsonPassword, jsonDeviceCode, formSecret, formVerifier, multipartPassword
        case setCookie, responseHeader, accessToken, nestedToken, redirectToken
        case middleware, failureText

        /// A text with characters that every encoding writes differently.
        var value: String {
            let number = 10 + (Self.allCases.firstIndex(of: self) ?? 0)
            switch self {
            case .environmentNumber: return "90\(number)7351"
            // Servers issue tokens of these characters only, and cookies and paths allow no others.
            case .cookie, .quotedCookie, .digest, .setCookie, .pathParameter, .queryKey, .redirectToken,
                .baseURLPassword,
                .userInfo, .failureText, .middleware:
                return "tk\(number)_Zq8.xW-\(rawValue)"
            default: return "s\(number)/\(rawValue)+é\"=?"
            }
        }

        /// The ways in which a server could repeat the secret.
        var echoes: [String] { plainEchoes + (Self.disguises[self] ?? []) }

        /// Those that an app's messages do not show: verbatim, percent-encoded and with the escapes of JSON.
        var plainEchoes: [String] { Self.allEchoes[self] ?? [] }

        /// Computed once, because every text is searched for all of them.
        private static let allEchoes = Dictionary(uniqueKeysWithValues: allCases.map { ($0, $0.makeEchoes()) })

        /// Those that only recordings and archives are searched for: in Base64, alone and after a user.
        private static let disguises = Dictionary(
            uniqueKeysWithValues: allCases.map { secret in
                (secret, [secret.value, "user:\(secret.value)"].map { Data($0.utf8).base64EncodedString() })
            })

        private func makeEchoes() -> [String] {
            let bytes = Array(value.utf8)
            let hex = bytes.map { String(format: "%02x", $0) }
            let escaped = value.utf16.map { String(format: "\\u%04x", $0) }
            return [
                value, value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "",
                hex.map { "%\($0)" }.joined(), hex.map { "%\($0.uppercased())" }.joined(),
                escaped.joined(), escaped.map { "\\u" + $0.dropFirst(2).uppercased() }.joined(),
                value.replacingOccurrences(of: "/", with: "\\/").replacingOccurrences(of: "\"", with: "\\\""),
            ]
        }
    }

    /// A transport whose answers repeat every secret that the call contains.
    struct Echo: Transport {
        let status: Int
        let secrets: [Secret]

        func send(_ request: URLRequest, for route: Route) async throws -> Response<Data> {
            var headers: HTTPHeaders = [
                "Set-Cookie": "sid=\(Secret.setCookie.value); Path=/", "X-Auth-Token": Secret.responseHeader.value,
                "X-Echo": secrets[0].value, "Content-Type": "application/json",
            ]
            if request.url?.path.hasSuffix("/target") == false, status != 200 {
                headers[.location] = "/target?access_token=\(Secret.redirectToken.value)"
                return Response(status: 307, headers: headers, data: Data(), request: request)
            }
            let issued: [Secret] = [.setCookie, .responseHeader, .accessToken, .nestedToken]
            let all = secrets + issued + (status == 200 ? [] : [.redirectToken])
            let echo = String(decoding: try JSONEncoder().encode(all.map(\.value)), as: UTF8.self)
            let text = all.flatMap(\.echoes).joined(separator: "\n")
            let message = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
            let token = String(decoding: try JSONEncoder().encode(Secret.accessToken.value), as: UTF8.self)
            let nested = String(decoding: try JSONEncoder().encode(Secret.nestedToken.value), as: UTF8.self)
            let body = """
                {"access_token": \(token), "a": {"refresh_token": [\(nested)]}, "kind": \(token), "at": \(echo),
                 "message": \(message),
                 "by": {\(nested): {"id": \(token)}}}
                """
            return Response(status: status, headers: headers, data: Data(body.utf8), request: request)
        }
    }

    struct Failing: Transport, Middleware {
        struct Reason: Error { let token: String, text: String }

        let secrets: [Secret]

        var reason: Reason {
            Reason(
                token: Secret.failureText.value,
                text: (secrets.flatMap(\.echoes) + ["\u{1B}[31m"]).joined(separator: "\n"))
        }

        func send(_ request: URLRequest, for route: Route) async throws -> Response<Data> { throw reason }

        func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
            var request = request
            request.setValue(Secret.middleware.value, forHTTPHeaderField: "X-Signature")
            _ = try await next(request)
            throw reason
        }
    }
}
