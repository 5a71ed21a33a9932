import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Answers from the mock that the route names. It stands where ``URLSessionTransport`` stands and nothing else changes.
struct MockTransport: Transport {
    let folder: MockFolder

    func send(_ request: URLRequest, for route: Route) async throws -> Response<Data> {
        guard let mock = route.mock else {
            throw APIError(
                .mock, "the route names no mock, and the environment is sealed",
                fix: "give the route a mock: the name of a file in \(folder.path), without .json")
        }
        do throws(MockFolder.Failure) {
            let found = try folder.mock(named: mock.rawValue)
            let body = try folder.body(file: found.file ?? "")
            return Response(
                status: found.status,
                headers: MediaType(fileExtension: body.type).map { [.contentType: $0.rawValue] } ?? [:],
                data: body.data, request: request, source: .mock(body.file))
        } catch {
            throw APIError(mock: error, named: mock, in: folder)
        }
    }
}

extension APIError {
    fileprivate init(mock failure: MockFolder.Failure, named name: MockName, in folder: MockFolder) {
        switch failure {
        case .malformedName(let objection):
            self.init(
                .mock, "the mock name \(HTTPSyntax.quoted(name.rawValue)) cannot be one: \(objection)",
                fix: "name a file below \(folder.path), with / between folders")
        case .notFound(let nearest):
            let similar = nearest.map { "\"\($0)\"" }.joined(separator: ", ")
            self.init(
                .mock,
                "there is no mock \"\(name)\" in \(folder.path)"
                    + (nearest.isEmpty ? "" : "; similar: \(similar)")
                    + ". The environment is sealed, so nothing was sent",
                fix: "add \(folder.path)/\(name).json, or correct the route's mock")
        case .noVariant(let nearest):
            self.init(
                .mock, "the mock \"\(name)\" has no such variant; it has \(nearest.joined(separator: ", "))",
                fix: "add \(folder.path)/\(name).<variant>.json, or use one that is there")
        case .invalid(let problems):
            self.init(.mock, problems.map(\.description).joined(separator: "\n"))
        case .unreadable(let problem):
            self.init(
                .mock, "the mock \"\(name)\" cannot be read: \(problem.path): \(problem.message)", fix: problem.fix)
        }
    }
}

extension MockFolder {
    var path: String { FilePath.display(url) }
}
