// Foundation on Apple platforms: what it exports there, and what only Apple's has.
@_exported public import Darwin
@_exported public import Foundation
@_exported public import FoundationNetworking
@_exported public import FoundationXML

public let RLIMIT_FSIZE: Int32 = 1
public let RLIMIT_NOFILE: Int32 = 8

public enum objc_AssociationPolicy {
    case OBJC_ASSOCIATION_RETAIN
}

public func objc_getAssociatedObject(_ object: Any, _ key: UnsafeRawPointer) -> Any? { nil }
public func objc_setAssociatedObject(
    _ object: Any, _ key: UnsafeRawPointer, _ value: Any?, _ policy: objc_AssociationPolicy
) {}

public struct FileProtectionType: Sendable {
    public static let none = FileProtectionType()
}

extension FileAttributeKey {
    public static let protectionKey = FileAttributeKey(rawValue: "NSFileProtectionKey")
}

extension URLResourceKey {
    public static let isExcludedFromBackupKey = URLResourceKey(rawValue: "NSURLIsExcludedFromBackupKey")
}

extension URLResourceValues {
    public var isExcludedFromBackup: Bool? {
        get { nil }
        set {}
    }
}
