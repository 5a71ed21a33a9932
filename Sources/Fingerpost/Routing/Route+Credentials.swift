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
        case .stream?:
            (writtenBody?.fields ?? []).filter { SensitiveName.isPassword($0.name) }.compactMap { $0.value?.text }
        case .data?, nil: []
        }
    }

    /// The body, if it is written before the request is built.
    var writtenBody: (any WrittenBody)? {
        if case .stream(let stream)? = body { stream.written } else { nil }
    }

    /// True for a form in which a file has the name of a password.
    var hasUnreadPassword: Bool {
        writtenBody?.fields.contains { $0.value == nil && SensitiveName.isPassword($0.name) } == true
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
