import FingerpostFiles
import Foundation

extension APIError {
    /// Returns a copy of the error whose texts contain no secrets and no characters that could control a terminal or
    /// forge a line in a log.
    ///
    /// - Parameter redactor: knows the secrets of the call's environment and the call's credentials.
    func redacted(by redactor: SecretRedactor) -> APIError {
        let (hidden, shown) = (redactor.withoutCredentials, redactor.shown)
        var error = self
        // Messages about files have several lines. Text of other code and of servers must not add lines.
        let isOfFiles = [.environment, .mock, .invalidRoute].contains(kind)
        error.message = isOfFiles ? hidden(message).printableLines : shown(message)
        error.fix = fix.map(shown)
        error.route = route.map(shown)
        error.environment = environment.map(shown)
        error.request = request.map(shown)
        error.redirector = redirector.map(shown)
        // An app may show the server's message to people, so its line breaks are kept until it is printed.
        error.serverMessage = serverMessage.map(hidden)
        error.bodyLine = bodyLine.map(shown)
        error.history = history.map { $0.mapTexts(shown) }
        error.codingPath = codingPath.map(shown)
        error.fragment = fragment.map(shown)
        error.shownHeaders = withheld == nil ? headers.map { hidden($0.description).printableLines } : nil
        error.mock = mock.map { file in
            let path = hidden(file.path)
            return path == file.path ? file : URL(fileURLWithPath: path)
        }
        return error
    }
}
