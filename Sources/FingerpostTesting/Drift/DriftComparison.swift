import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import Foundation

/// Compares a server's answer with a mock's answer: the status, the media type, the keys that the app reads, and
/// whether the body decodes. Values are not compared.
struct DriftComparison {
    let route: Route
    /// The type that the app decodes. Nil if the type is unknown or describes no keys.
    let type: (any (Decodable & Sendable).Type)?
    let configuration: APIClient.Configuration

    /// Returns the differences without any values: `"plan" is gone`.
    func differences(from reading: BodyReading, to answer: Response<Data>) -> [String] {
        let mock = reading.response
        // A response without a body decodes as nil if the type is optional.
        if answer.isSuccess, answer.data.isBlank, type is any ExpressibleByNilLiteral.Type { return [] }
        if answer.status != mock.status { return ["the status is \(answer.status), not \(mock.status)"] }
        if route.method == .head { return [] }
        if let old = Self.mediaType(of: mock), let new = Self.mediaType(of: answer), old != new {
            return ["the type is \(new), not \(old)"]
        }
        return differences(from: reading, to: BodyReading(answer, configuration))
    }

    /// Reads a body as the app does.
    private func read(_ body: BodyReading) throws(BodyReading.Failure) -> ModelKeys? {
        try body.read(type, orError: configuration.errorResponse, for: route)
    }

    /// Returns the media type of a response with a body. All JSON types count as `application/json`.
    private static func mediaType(of response: Response<Data>) -> String? {
        guard !response.data.isBlank, let type = response.headers[.contentType] else { return nil }
        let media = MediaType(contentType: type)
        return media.isJSON ? "application/json" : media.rawValue
    }

    private func differences(from mock: BodyReading, to answer: BodyReading) -> [String] {
        // A mock that does not decode is not a difference. The mock's test and MockAudit report the error.
        let ofMock = (try? read(mock)) ?? nil
        var ofAnswer: ModelKeys?
        var failure: BodyReading.Failure?
        do throws(BodyReading.Failure) { ofAnswer = try read(answer) } catch { failure = error }
        var known = ofMock ?? ModelKeys()
        if let ofAnswer { known.formUnion(ofAnswer) }
        let conversion = KeyConversion(configuration.decoder)
        let undecoded = failure.map { failure in
            // In a stream, the failure's path begins at the element, but the paths in `answer.text` begin at the list
            // of elements.
            let path = Self.withoutValues(
                failure.path ?? BodyPath(), known, in: answer.stream == nil ? answer.text : nil)
            return [Self.name(path) + " does not decode as \(type.map { "\($0)" } ?? "")"]
        }
        // Only JSON has a structure to compare.
        guard let old = JSONReader.inspect(mock.data) else { return undecoded ?? [] }
        guard let new = JSONReader.inspect(answer.data) else { return undecoded ?? ["the body is not JSON"] }

        let rule = { (path: BodyPath) -> JSONStructure.Rule? in
            let path = conversion.convert(path)
            return known.anything.contains(path) ? .anything : known.dictionaries.contains(path) ? .dictionary : nil
        }
        // The path of the value that does not decode, in the model's spelling.
        var cause = failure?.path
        if mock.stream != nil { cause = cause.map { BodyPath([.each] + $0.parts) } }
        if let key = failure?.missingKey { cause = cause?.appending(.key(key)) }
        cause = cause?.collapsed(known.dictionaries)
        var isCauseKnown = false
        let differences = JSONStructure(old, rule: rule).differences(to: JSONStructure(new, rule: rule)).compactMap {
            let path = conversion.convert($0.path)
            let isCause = path == cause && $0.change != .added
            isCauseKnown = isCauseKnown || isCause
            let (isOfMock, isOfAnswer) = (ofMock?.reads(path) ?? false, ofAnswer?.reads(path) ?? false)
            // Without a model, the app may read every key of the mock.
            let isUntyped = ofMock == nil && ofAnswer == nil
            let mayRead =
                switch $0.change {
                case .null: false
                case .added: isOfMock
                case .removed: isOfAnswer || isOfMock && failure != nil || isUntyped
                case .type: isOfMock || isOfAnswer || isUntyped
                }
            return isCause || mayRead ? "\(Self.name($0.path)) is \($0.change)" : nil
        }
        return (isCauseKnown ? [] : undecoded ?? []) + differences
    }

    /// Returns the part of a path that the model declares, spelled as in the body, like the paths of the other
    /// differences. Keys of dictionaries are left out, because the server chooses these keys.
    private static func withoutValues(_ path: BodyPath, _ known: ModelKeys, in text: BodyText?) -> BodyPath {
        var (declared, shown) = (BodyPath(), BodyPath())
        for (index, part) in path.parts.enumerated() {
            guard case .key(let key) = part, !known.dictionaries.contains(declared) else {
                (declared, shown) = (declared.appending(.each), shown.appending(.each))
                continue
            }
            declared = declared.appending(part)
            if !known.requested.contains(declared) { break }
            shown = shown.appending(.key(text?.key(key, in: BodyPath(Array(path.parts[..<index]))) ?? key))
        }
        return shown
    }

    private static func name(_ path: BodyPath) -> String {
        path.parts.isEmpty ? "the body" : path.description.quoted
    }
}

extension ModelKeys {
    /// Returns true if the model reads the value, or the list or dictionary that contains the value.
    fileprivate func reads(_ path: BodyPath) -> Bool {
        let parts = path.parts.reversed().drop { $0 == .each }.reversed()
        return parts.isEmpty || requested.contains(BodyPath(Array(parts)))
    }
}
