import FingerpostFiles
import Foundation

extension BaseURL {
    /// A base URL, or the error that explains why there is no base URL. The error is thrown only for routes with
    /// relative paths.
    enum Source: Sendable {
        case url(BaseURL)
        indirect case none(APIError)

        /// - Parameter url: nil if every route must use an absolute URL.
        init(_ url: URL?) {
            guard let url else {
                self = .none(
                    APIError(
                        .invalidRoute, "the path is relative and there is no base URL",
                        fix: "set a base URL, or use an absolute URL"))
                return
            }
            do throws(FileProblem) { self = .url(try BaseURL(url)) } catch {
                self = .none(APIError(.invalidRoute, error))
            }
        }

        /// - Parameter url: a base URL that takes precedence over the environment's base URL; nil to use the
        ///   environment's.
        init(_ url: URL?, environment: Environment?, key: String) {
            guard url == nil, let environment else {
                self.init(url)
                return
            }
            do throws(EnvironmentError) {
                self = .url(try environment.baseURL(key))
            } catch {
                self = .none(APIError(error))
            }
        }
    }
}

extension BaseURL.Source {
    /// The base URL of no server, for credentials that belong to none that a call can reach.
    static let noOrigin = BaseURL.Source(nil)

    /// True when a URL has the same origin as the base URL. If there is no base URL, the result is always false, so
    /// that no server gets the client's credentials unless the route requires authorization.
    func isOrigin(of url: URL?) -> Bool {
        guard case .url(let base) = self, let url, let baseURL = URL(string: base.prefix) else { return false }
        return Origin(url) == Origin(baseURL)
    }
}
