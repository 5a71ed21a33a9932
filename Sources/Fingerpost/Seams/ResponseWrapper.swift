import FingerpostFiles
import Foundation

/// The object that a service puts around every value, such as `{ "status": "ok", "data": … }`. Set the wrapper in
/// ``ClientConfiguration/wrapper``.
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
/// A route whose service sends the value alone sets ``Routable/isWrapped`` to false. A call for `Data` returns the body
/// verbatim, without checking the wrapper's `head`, because services do not wrap downloads. To check a status flag in
/// bodies without a wrapper, use ``ClientConfiguration/validate``.
public struct ResponseWrapper: Sendable {
    private let valueKey: String
    /// Throws ``Refusal`` if the head of a body reports a failure. Throws the decoder's error if the head cannot be
    /// decoded.
    let check: @Sendable (Data, any BodyDecoder) throws -> Void

    /// Creates a wrapper with one key for the value. All other keys are ignored.
    ///
    /// - Parameter valueKey: the key of the value.
    public init(valueKey: String) {
        self.valueKey = valueKey
        check = { _, _ in }
    }

    /// Creates a wrapper with one key for the value and other keys that report whether the call succeeded.
    ///
    /// - Parameters:
    ///   - valueKey: the key of the value.
    ///   - head: the type that describes the wrapper without its value.
    ///   - validate: throws when the head reports a failure. The error fails the call and provides the message of the
    ///     ``APIError``.
    public init<Head: Decodable & Sendable>(
        valueKey: String, head: Head.Type, validate: @escaping @Sendable (Head) throws -> Void
    ) {
        self.valueKey = valueKey
        check = { data, decoder in
            let head = try decoder.decode(Head.self, from: data)
            do { try validate(head) } catch { throw Refusal(underlying: error) }
        }
    }

    /// Wraps an error that `validate` threw, to tell that error apart from decoding errors.
    struct Refusal: Error {
        let underlying: any Error
    }

    func unwrap<Value: Decodable>(_ type: Value.Type, from data: Data, with decoder: any BodyDecoder) throws -> Value {
        try Self.$key.withValue(valueKey) { try decoder.decode(Wrapped<Value>.self, from: data).value }
    }

    /// For an optional type, returns that type's nil, to use when the body contains no value. If the type is not
    /// optional, the method returns nil, because the type has no such value.
    static func absent<Value>(_ type: Value.Type) -> Value? {
        func none<Wrapped: ExpressibleByNilLiteral>(_ type: Wrapped.Type) -> Wrapped { nil }
        return (type as? any ExpressibleByNilLiteral.Type).flatMap { none($0) as? Value }
    }

    /// The key that ``Wrapped`` reads. The key is a task-local value, because `init(from:)` takes no argument for it.
    @TaskLocal private static var key = ""

    private struct Wrapped<Value: Decodable>: Decodable {
        let value: Value

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyCodingKey.self)
            let key = AnyCodingKey(stringValue: ResponseWrapper.key)
            if !container.contains(key), let absent = ResponseWrapper.absent(Value.self) {
                value = absent
            } else {
                value = try container.decode(Value.self, forKey: key)
            }
        }
    }
}
