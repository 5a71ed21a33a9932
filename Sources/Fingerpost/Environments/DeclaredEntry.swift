import FingerpostFiles
import Foundation

/// One value of an environment, ready to be read by generated code.
struct DeclaredEntry: Sendable {
    let path: String
    /// The path.
    let bytes: [UInt8]
    let value: Node.Value
    let isSecret: Bool
    /// The value as a URL, if it is one. Making it is slow, so that it is done once.
    let url: URL?
    /// The value as a list, if it is one.
    let list: DeclaredList?

    init(path: String, value: Node.Value, isSecret: Bool) {
        self.path = path
        self.value = value
        self.isSecret = isSecret
        bytes = Array(path.utf8)
        url = value.url
        list = if case .array(let elements) = value { DeclaredList(elements.map(\.value)) } else { nil }
    }

    func has(_ path: UnsafeRawBufferPointer) -> Bool {
        bytes.count == path.count
            && bytes.withUnsafeBytes { own in
                guard let a = own.baseAddress, let b = path.baseAddress else { return true }
                return memcmp(a, b, path.count) == 0
            }
    }

    /// The elements of a list, nil when one of them is not what it is read as.
    func elements<Value>(_ read: (Node.Value) -> Value?) -> [Value]? {
        guard case .array(let elements) = value else { return nil }
        return elements.map(\.value).all(read)
    }
}
