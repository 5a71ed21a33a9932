// Accepts only known keys of a server. Copy this file into your app.
#if canImport(Security)
    import Fingerpost
    import Foundation
    import Security

    /// Accepts a server if its certificate is valid and contains one of these
    /// public keys.
    nonisolated func pinning(
        _ keys: Set<Data>
    ) -> URLSessionTransport.ChallengeHandler {
        { challenge in
            let space = challenge.protectionSpace
            let method = space.authenticationMethod
            guard method == NSURLAuthenticationMethodServerTrust,
                let trust = space.serverTrust
            else { return (.performDefaultHandling, nil) }
            guard SecTrustEvaluateWithError(trust, nil),
                let chain = SecTrustCopyCertificateChain(trust)
                    as? [SecCertificate],
                let key = chain.first.flatMap(SecCertificateCopyKey),
                let bytes = SecKeyCopyExternalRepresentation(key, nil) as Data?,
                keys.contains(bytes)
            else { return (.cancelAuthenticationChallenge, nil) }
            return (.useCredential, URLCredential(trust: trust))
        }
    }

    func pin(_ configuration: inout APIClient.Configuration, to productionKey: Data, or nextKey: Data) {
        configuration.transport = URLSessionTransport(
            onChallenge: pinning([productionKey, nextKey]))
    }
#endif
