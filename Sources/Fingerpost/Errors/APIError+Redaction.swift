import FingerpostFiles
import Foundation

extension APIError {
    /// Returns a copy of the error without what is not redacted: the body, the decoded body, the error of another
    /// library, and the command. The headers are redacted.
    ///
    /// - Parameter secrets: those of the call.
    func withoutContents(_ secrets: CallSecrets) -> APIError {
        var details = details
        details.removedSize = body.map { Int64($0.count) }
        (details.body, details.response, details.underlying) = (nil, nil, nil)
        details.makeCurl = nil
        details.headers = details.headers.map { headers in
            HTTPHeaders(headers.map { HTTPHeaders.Field($0.name, secrets.hide($0.shownValue)) })
        }
        return APIError(details: details)
    }

    /// Returns a copy of the error whose texts contain no secrets and no characters that could control a terminal or
    /// forge a line in a log.
    ///
    /// - Parameter secrets: those of the call.
    package func redacted(by secrets: CallSecrets) -> APIError {
        let (hidden, shown) = (secrets.withoutNamed, secrets.shown)
        var details = details
        // Messages about files have several lines. Text of other code and of servers must not add lines.
        let isOfFiles = [.environment, .mock, .invalidRoute].contains(kind)
        details.message = isOfFiles ? hidden(message).printableLines : shown(message)
        let lines: [WritableKeyPath<Details, String?>] = [
            \.fix, \.route, \.environment, \.request, \.redirector, \.codingPath, \.fragment,
        ]
        for text in lines { details[keyPath: text] = details[keyPath: text].map(shown) }
        // An app may show the server's message to people, so its line breaks are kept until it is printed.
        details.bodyLine = details.bodyLine.map { secrets.message($0).printable }
        details.serverMessage = serverMessage.map(secrets.message)
        details.fieldErrors = details.fieldErrors.map(secrets.message)
        details.history = history.map { $0.mapTexts(shown) }
        details.shownHeaders = details.headers.map { hidden($0.description).printableLines }
        details.mock = mock.map { file in
            let path = hidden(file.path)
            return path == file.path ? file : URL(fileURLWithPath: path)
        }
        return APIError(details: details)
    }
}
