public import Foundation

/// Decodes response bodies of one content type. `JSONDecoder` and `PropertyListDecoder` already conform. For another
/// format, such as XML, MessagePack or CSV, make its decoder conform to this protocol and add it to
/// ``ClientConfiguration/decoders``.
///
/// ```swift
/// configuration.decoders["application/xml"] = XMLDecoder()       // any type with this one method
/// ```
public protocol BodyDecoder: Sendable {
    /// Decodes a value from a response body.
    ///
    /// - Throws: any error; it becomes an ``APIError`` of the kind `decoding`.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONDecoder: BodyDecoder {}
extension PropertyListDecoder: BodyDecoder {}
