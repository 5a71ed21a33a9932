import FingerpostFiles
import Foundation

extension Route {
    /// The credentials in the route, for the error of a route that no request was built from.
    var credentials: [String] {
        headers.flatMap { Redaction.credentials(inHeader: $0.value, named: $0.name) }
            + Redaction.credentials(inURL: path.text)
            + ([query] + [parameters].compactMap(\.self)).flatMap(\.credentials) + bodyCredentials
    }

    /// The passwords in the body.
    var bodyCredentials: [String] {
        switch body {
        case .json(let value)?: Parameters(dictionaryLiteral: ("", value)).credentials
        case .multipart(let form)?:
            form.parts.compactMap { part in
                guard SensitiveName.isPassword(part.name), case .data(let data) = part.content else { return nil }
                return data.text
            }
        case .data?, .stream?, nil: []
        }
    }

    /// True for a form in which a file has the name of a password.
    var hasUnreadPassword: Bool {
        guard case .multipart(let form)? = body else { return false }
        return form.parts.contains { part in
            if case .file = part.content { SensitiveName.isPassword(part.name) } else { false }
        }
    }
}

extension Parameters {
    /// The values with sensitive names, and the values with password-like names inside the other values.
    fileprivate var credentials: [String] {
        elements.flatMap { name, value -> [String] in
            // Every text under the name `password` is found.
            let pair: Parameters = [SensitiveName.isSensitive(name) ? "password" : name: value]
            // A value that cannot be encoded is not sent, and errors do not show such a value.
            return (try? JSONObjectWriter.data(pair, encoder: .standard)).map { BodyCredentials(json: $0).found } ?? []
        }
    }
}
