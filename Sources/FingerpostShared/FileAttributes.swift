import FingerpostFiles
package import Foundation

/// What a file has besides its content and its mode: extended attributes and, on Apple platforms, whether backups
/// contain the file and while the device is locked it is protected.
///
/// Many file systems lack them, and a file without them is better than none, so errors are ignored.
package enum FileAttributes {
    /// Keeps a file out of the backups of Apple platforms, or lets them contain it.
    package static func exclude(_ isExcluded: Bool, fromBackups url: URL) {
        #if canImport(Darwin)
            var (url, values) = (url, URLResourceValues())
            values.isExcludedFromBackup = isExcluded
            // Errors are ignored, as the type says.
            try? url.setResourceValues(values)
        #endif
    }

    /// Gives a file the attributes of another one, or those of a new file.
    static func replace(of url: URL, with other: URL?) {
        #if canImport(Darwin)
            if let other {
                copyfile(other.path, url.path, nil, copyfile_flags_t(COPYFILE_XATTR))
                #if !os(macOS)
                    if let protection = FileStatus.protection(of: other.path) {
                        // Errors are ignored, as the type says.
                        try? FileManager.default.setAttributes([.protectionKey: protection], ofItemAtPath: url.path)
                    }
                #endif
            }
            // Errors are ignored, as the type says.
            let values = try? other?.resourceValues(forKeys: [.isExcludedFromBackupKey])
            exclude(values?.isExcludedFromBackup ?? false, fromBackups: url)
        #else
            guard let other, let list, let get, let set else { return }
            var names = [CChar](repeating: 0, count: 1 << 16)
            let size = list(other.path, &names, names.count)
            for name in names.prefix(max(size, 0)).split(separator: 0).map({ Array($0) + [0] }) {
                // Attributes of other classes belong to the system, such as the labels of SELinux.
                guard strncmp(name, "user.", 5) == 0 else { continue }
                var value = [UInt8](repeating: 0, count: 1 << 16)
                let count = get(other.path, name, &value, value.count)
                if count >= 0 { _ = set(url.path, name, value, count, 0) }
            }
        #endif
    }

    #if !canImport(Darwin)
        private typealias List = @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<CChar>, Int) -> Int
        private typealias Get =
            @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer, Int) -> Int
        private typealias Set =
            @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, Int32) -> Int32

        // Swift's module of the C library lacks these functions. Foundation's attributes contain the names of the owner
        // too, for which the system opens a socket.
        private static let list = dlsym(nil, "listxattr").map { unsafeBitCast($0, to: List.self) }
        private static let get = dlsym(nil, "getxattr").map { unsafeBitCast($0, to: Get.self) }
        private static let set = dlsym(nil, "setxattr").map { unsafeBitCast($0, to: Set.self) }
    #endif
}
