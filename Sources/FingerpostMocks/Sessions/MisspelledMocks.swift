import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// Finds names of mocks that are probably misspelled. A test sets a response or a variant for such a name, but no file
/// and no call has the name, although a similar name exists.
enum MisspelledMocks {
    /// Returns the problems of misspelled names. Only the first hundred names in alphabetical order are checked,
    /// because the check of a name takes time in proportion to the number of files and calls.
    ///
    /// - Parameters:
    ///   - chosen: the names with a response or a variant.
    ///   - folder: the mocks folder; nil if the scope sets none.
    ///   - calls: returns the calls of the scope.
    static func problems(
        of chosen: [MockName], besides folder: URL?, _ calls: () -> [LoggedCall]
    ) -> [MockName: String] {
        if chosen.isEmpty { return [:] }
        let called = Set(calls().map { MockName(rawValue: $0.name) })
        // If the folder cannot be read, the calls that need it report the error.
        let index = folder.flatMap { try? MockIndexes.index(at: $0) }
        // If calls use the mock `ticker`, the name `ticker.events` is misspelled. Otherwise, `ticker.events` can be a
        // separate mock.
        func calledStream(_ mock: MockName) -> String? {
            mock.rawValue.streamMockName.flatMap { called.contains(MockName(rawValue: $0)) ? $0 : nil }
        }
        let unknown = chosen.map(\.rawValue).filter { mock in
            let name = MockName(rawValue: mock)
            return !called.contains(name) && (index?.stub(named: mock).hasUsual != true || calledStream(name) != nil)
        }
        if unknown.isEmpty { return [:] }
        let names = (called.map(\.rawValue) + (index?.mockNames ?? [])).ordered(by: <)
        let hints = NameHints()
        return unknown.ordered(by: <).reduce(into: [:]) { problems, mock in
            let name = MockName(rawValue: mock)
            let stream = calledStream(name)
            func similar() -> String? {
                stream ?? names.first { $0.ends(with: "/\(mock)") } ?? NearestName.find(mock, in: names)
            }
            guard let meant = hints.look(similar) ?? nil else { return }
            problems[name] =
                "mock \"\(name)\": the test sets its answer, but \(stream == nil ? "no mock file and " : "")no call has "
                + "that name" + NearestName.hint(meant)
        }
    }
}
