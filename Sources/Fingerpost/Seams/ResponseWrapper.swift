import FingerpostFiles
import Foundation

/// The object that a service puts around every value: `{ "status": "ok", "data": … }`.
///
/// ```swift
/// struct Head: Decodable { var status: String }
///
/// configuration.wrapper = ResponseWrapper(valueKey: "data", head: Head.self) { head in
///     guard head.status == "ok" else { throw Refused(head.status) }
/// }
/// let user = try await client.send(API.me, as: User.self)      // the value of "data"
/// ```
///
/// `Data` alone is given as it came: it is what downloads are read as, which no service wraps.
public struct ResponseWrapper: Sendable {
    private let valueKey: String
    private let validate: @Sendable (Data, any BodyDecoder) throws -> Void

    /// - Parameter valueKey: the key of the value.
    public init(valueKey: String) {
        self.valueKey = valueKey
        validate = { _, _ in }
    }

    /// - Parameters:
    ///   - valueKey: the key of the value.
    ///   - head: what the wrapper holds beside the value.
    ///   - validate: throws when the head says that the call failed, which fails the call with that error's text.
    public init<Head: Decodable & Sendable>(
        valueKey: String, head: Head.Type, validate: @escaping @Sendable (Head) throws -> Void
    ) {
        self.valueKey = valueKey
        self.validate = { data, decoder in
            let head = try decoder.decode(Head.self, from: data)
            do { try validate(head) } catch { throw Refusal(underlying: error) }
        }
    }

    /// The head says that the call failed.
    struct Refusal: Error {
        let underlying: any Error
    }

    func check(_ data: Data, with decoder: any BodyDecoder) throws {
        try validate(data, decoder)
    }

    func unwrap<Value: Decodable>(_ type: Value.Type, from data: Data, with decoder: any BodyDecoder) throws -> Value {
        try Self.$key.withValue(valueKey) { try decoder.decode(Wrapped<Value>.self, from: data).value }
    }

    /// What stands for nothing: nil for an optional type, and no value for any other.
    static func absent<Value>(_ type: Value.Type) -> Value? {
        func none<Wrapped: ExpressibleByNilLiteral>(_ type: Wrapped.Type) -> Wrapped { nil }
        return (type as? any ExpressibleByNilLiteral.Type).flatMap { none($0) as? Value }
    }

    /// The key that ``Wrapped`` reads. Decoders take no argument, so it is passed beside them.
    @TaskLocal private static var key = ""

    private struct Wrapped<Value: Decodable>: Decodable {
        let value: Value

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyCodingKey.self)
            let key = AnyCodingKey(ResponseWrapper.key)
            if !container.contains(key), let absent = ResponseWrapper.absent(Value.self) {
                value = absent
            } else {
                value = try container.decode(Value.self, forKey: key)
            }
        }
    }
}
