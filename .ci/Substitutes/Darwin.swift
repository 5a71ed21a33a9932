// The C library of Apple platforms, as far as it is used. It has what that of Linux has, and more.
@_exported public import Glibc

public let SOCK_STREAM: Int32 = 1
public let SO_NOSIGPIPE: Int32 = 0x1022
public let F_SETNOSIGPIPE: Int32 = 73
public let F_GETNOSIGPIPE: Int32 = 74

public typealias copyfile_flags_t = UInt32
public let COPYFILE_XATTR: Int32 = 4

@discardableResult
public func copyfile(
    _ from: UnsafePointer<CChar>!, _ to: UnsafePointer<CChar>!, _ state: OpaquePointer!, _ flags: copyfile_flags_t
) -> Int32 { 0 }

public let CTL_KERN: Int32 = 1
public let KERN_PROC: Int32 = 14
public let KERN_PROC_PID: Int32 = 1
public let SZOMB: Int32 = 5

public func sysctl(
    _ name: UnsafeMutablePointer<Int32>!, _ count: UInt32, _ old: UnsafeMutableRawPointer!,
    _ oldSize: UnsafeMutablePointer<Int>!, _ new: UnsafeMutableRawPointer!, _ newSize: Int
) -> Int32 { -1 }

public func sysctlbyname(
    _ name: UnsafePointer<CChar>!, _ old: UnsafeMutableRawPointer!, _ oldSize: UnsafeMutablePointer<Int>!,
    _ new: UnsafeMutableRawPointer!, _ newSize: Int
) -> Int32 { -1 }

public struct kinfo_proc {
    public struct extern_proc {
        public struct union {
            public var __p_starttime = timeval()
        }

        public var p_un = union()
        public var p_stat: CChar = 0
    }

    public var kp_proc = extern_proc()

    public init() {}
}

extension stat {
    public var st_mtimespec: timespec { st_mtim }
    public var st_ctimespec: timespec { st_ctim }
}
