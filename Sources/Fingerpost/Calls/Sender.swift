import FingerpostFiles
import Foundation

/// What a client sends its calls with: its configuration, and what is made of it once.
final class Sender: Sendable {
    let configuration: ClientConfiguration
    let reader: ResponseReader
    let deadlines = Deadlines()
    /// The configuration's headers; nil when they have a fault, which every call reports.
    private let headers: [String: String]?

    init(_ configuration: ClientConfiguration) {
        self.configuration = configuration
        reader = ResponseReader(configuration)
        // Those that are refused are checked again for each request, which tells why.
        headers = try? configuration.headers.checked()
    }

    func builder(for environment: Environment?) -> RequestBuilder {
        RequestBuilder(
            base: base(in: environment), headers: configuration.headers, checkedHeaders: headers,
            dialect: environment?.calls.dialect ?? configuration.dialect, encoder: configuration.encoder,
            configure: configuration.configure)
    }

    private func base(in environment: Environment?) -> BaseURL.Source {
        BaseURL.Source(configuration.baseURL, environment: environment, key: configuration.baseURLKey)
    }

    /// False where a URL leads to another server than the client's, which must not get its credentials. Without a base URL every
    /// server is another.
    func isBaseOrigin(_ url: URL?, in environment: Environment?) -> Bool {
        guard case .url(let base) = base(in: environment), let url, let baseURL = URL(string: base.prefix) else {
            return false
        }
        return Origin(url) == Origin(baseURL)
    }
}
