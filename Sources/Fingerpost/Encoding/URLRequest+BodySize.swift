#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

extension URLRequest {
    /// The size of the body in bytes: zero without a body; nil for a stream whose size is not known.
    package var bodySize: Int64? {
        if httpBodyStream == nil { return Int64(httpBody?.count ?? 0) }
        return bodyFile.map { Int64($0.size) }
    }
}
