// The declarations of Apple's Security framework that the samples use, and what Foundation adds to it on Apple platforms.
public import Foundation
public import FoundationNetworking

public final class SecTrust {}
public final class SecCertificate {}
public final class SecKey {}

public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutableRawPointer?) -> Bool { false }
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> [AnyObject]? { nil }
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? { nil }
public func SecKeyCopyExternalRepresentation(_ key: SecKey, _ error: UnsafeMutableRawPointer?) -> Data? { nil }

public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"

extension URLProtectionSpace {
    public var serverTrust: SecTrust? { nil }
}

extension URLCredential {
    public convenience init(trust: SecTrust) {
        self.init(user: "", password: "", persistence: .none)
    }
}
