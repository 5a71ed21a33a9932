import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import FingerpostShared
import Foundation

/// Finds responses that no server would send, and responses that make every call fail.
enum AnswerRules {
    /// Returns the problems of a mock's responses. Each problem is returned once.
    static func problems(of mock: StubDefinition, in folder: MockIndex) -> [FileProblem] {
        var problems: [FileProblem] = []
        for response in mock.responses {
            let place = mock.settings?.path ?? response.body.map(folder.path(of:)) ?? ""
            if let status = response.status, response.failure == nil, StubResponse.hasNoContent(status),
                let file = response.body, let size = try? folder.contents(of: file).count, size > 0
            {
                problems.append(
                    FileProblem(
                        path: place, line: response.line, message: "\(status) has no content, but \(file) has some",
                        fix: "remove the body or the status"))
            }
            let type = response.headers.last { $0.name.lowercased() == "content-type" }?.value
            let isJSON = (type ?? response.body.flatMap { MediaType(fileName: $0)?.rawValue })
                .map { MediaType(contentType: $0).rawValue == "application/json" }
            if response.isOpen == true, isJSON == true {
                problems.append(
                    .warning(
                        path: place, line: response.line,
                        message: "\"open\" keeps the connection of a body that is no stream, so each call times out",
                        fix: "remove \"open\", or write the body as .events or .ndjson"))
            }
        }
        return problems
    }

    /// Returns the problems of a mock's pages. If two pages have the same query, only the first page can answer.
    static func problems(ofPagesOf stub: MockStub, in folder: MockIndex) -> [FileProblem] {
        // If the mock cannot be read, another check reports the problem.
        guard let pages = try? folder.pages(of: stub) else { return [] }
        var first: [ByteName: String] = [:]
        return pages.all.compactMap { variant, route -> FileProblem? in
            let key = ByteName("\(route.method) \(route.description)")
            guard let other = first[key] else {
                first[key] = variant
                return nil
            }
            let settings = (try? folder.definition(of: stub, variant: variant))?.settings
            return FileProblem(
                path: settings?.path ?? folder.path(of: stub.name),
                message:
                    "the variants \"\(other)\" and \"\(variant)\" are both for \(route), so \"\(variant)\" never answers",
                fix: "correct \"for\" in one of them")
        }
    }

    /// Returns the problem of a body that should contain lines but is blank.
    static func problems(inLines data: Data, path: String) -> [FileProblem] {
        guard data.isBlank else { return [] }
        return [
            .warning(
                path: path, message: "the file has no line, so a loop over it ends immediately",
                fix: "write each value on a line of its own")
        ]
    }

    /// Returns the first duplicate key in an object of a body, or nil if all keys are unique.
    static func duplicate(in root: Node) -> Node.Entry? {
        var (found, rest) = (Node.Entry?.none, [root])
        while found == nil, let node = rest.popLast() {
            rest += node.elements ?? []
            guard let entries = node.entries else { continue }
            var seen: Set<ByteName> = []
            found = entries.first { !seen.insert(ByteName($0.key)).inserted }
            rest += entries.map(\.node)
        }
        return found
    }
}
