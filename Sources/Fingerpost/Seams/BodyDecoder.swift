public import Foundation

/// Decodes the bodies of one content type: `JSONDecoder`, `PropertyListDecoder`, or one of yours for XML, MessagePack, CSV.
///
/// ```swift
/// configuration.decoders["application/xml"] = XMLDecoder()       // any type with this one method
/// ```
public protocol BodyDecoder: Sendable {
    /// - Throws: any error, which becomes an ``APIError`` of the kind `decoding`.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

extension JSONDecoder: BodyDecoder {}
extension PropertyListDecoder: BodyDecoder {}
