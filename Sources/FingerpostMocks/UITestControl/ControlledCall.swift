#if DEBUG
    import Fingerpost
    import FingerpostFiles
    import FingerpostMockFiles
    import Foundation

    /// Reports one call to the UI test in another process.
    final class ControlledCall: CallObserver {
        /// The mock and the variant that answered the call.
        struct Response: Sendable {
            var mock: String?
            var variant: String?
            /// The number of the last change that the other process had made when the call read the choices.
            var change = 0
        }

        let folder: ControlFolder
        let response = Locked(Response())

        private let note: CallProblem

        init(_ folder: ControlFolder, _ note: CallProblem) {
            (self.folder, self.note) = (folder, note)
        }

        /// Reads the choices of the other process.
        ///
        /// - Throws: ``APIError`` if the file is invalid.
        func order(for mocks: MockIndex) throws(APIError) -> ControlOrder {
            let order = try folder.order(for: mocks)
            response.withLock { $0.change = order.number }
            return order
        }

        /// A line of `calls.jsonl`, which `MockControl.Call` reads.
        private struct Line: Encodable {
            let name: String
            let mock: String?
            let variant: String?
            let change: Int
            let line: String
            let method: String?
            let url: String?
            let status: Int?
            let error: String?
            let problem: String?
        }

        func finished(_ call: LoggedCall) {
            let response = response.withLock { $0 }
            let request = call.request.url.map { _ in call.request }
            let line = Line(
                name: call.name, mock: response.mock, variant: response.variant, change: response.change,
                line: call.line,
                method: request?.httpMethod, url: request?.url?.absoluteString, status: call.status,
                error: call.error.map { "\($0.kind)" }, problem: note.problem(of: call))
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            // Text and numbers can always be encoded.
            guard var data = try? encoder.encode(line) else { return }
            data.append(UInt8(ascii: "\n"))
            folder.append(data)
        }
    }
#endif
