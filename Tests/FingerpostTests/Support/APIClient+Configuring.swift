import Fingerpost
import Foundation

extension APIClient {
    /// A client for one base URL, configured in a closure.
    convenience init(baseURL: URL, configure: (inout Configuration) -> Void) {
        var configuration = Configuration()
        configure(&configuration)
        self.init(baseURL: baseURL, configuration)
    }
}

extension Transport {
    /// A client that uses only this transport.
    func client(_ configure: (inout APIClient.Configuration) -> Void = { _ in }) -> APIClient {
        APIClient(baseURL: URL(string: "https://api.example.com")!) {
            $0.transport = self
            configure(&$0)
        }
    }
}
