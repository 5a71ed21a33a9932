import FingerpostFiles
import Foundation

extension BaseURL {
    /// Where a base URL comes from, or why there is none. Only routes with relative paths need to know.
    enum Source: Sendable {
        case url(BaseURL)
        indirect case none(APIError)

        /// - Parameter url: nil when the route must be absolute.
        init(_ url: URL?) {
            guard let url else {
                self = .none(
                    APIError(
                        .invalidRoute, "the path is relative and there is no base URL",
                        fix: "give a base URL, or write an absolute URL"))
                return
            }
            do throws(FileProblem) { self = .url(try BaseURL(url)) } catch {
                self = .none(APIError(.invalidRoute, error))
            }
        }

        /// - Parameter url: comes before the environment's.
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
