import Fingerpost
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

nonisolated extension URLRequest {
    /// The body, from memory or from a stream.
    func bytes() throws -> Data {
        guard let stream = httpBodyStream else { return httpBody ?? Data() }
        stream.open()
        defer { stream.close() }
        var (body, buffer) = (Data(), [UInt8](repeating: 0, count: 65_536))
        while true {
            let count = stream.read(&buffer, maxLength: buffer.count)
            if count < 0 { throw stream.streamError ?? URLError(.cannotDecodeRawData) }
            if count == 0 { return body }
            body.append(contentsOf: buffer[..<count])
        }
    }
}

nonisolated extension Sequence<UInt8> {
    var hex: String { map { String(format: "%02x", $0) }.joined() }
}
