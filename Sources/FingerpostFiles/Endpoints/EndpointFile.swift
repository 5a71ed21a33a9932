package import Foundation

/// A JSON file of endpoints: shared values at the top, and an object for each endpoint that inherits them.
package struct EndpointFile: Sendable {
    /// What an endpoint may say.
    package enum Key: String, CaseIterable, Sendable {
        case scheme, host, port, path, httpMethod, headers, queries, body, mock, authorization, timeout

        /// What may stand at the top of the file for all endpoints.
        var isShared: Bool { self != .body && self != .mock }
    }

    /// What `authorization` can be.
    package enum Authorization: String, CaseIterable, Sendable {
        case none, optional, required
    }

    package let document: Document
    private let endpoints: [String: Node]

    /// The path of the file, as shown to people.
    package var path: String { document.path }
    /// The endpoints' names, in alphabetical order.
    package var names: [String] { endpoints.keys.sorted() }

    /// - Throws: every unknown key, wrong type and name that stands twice, with its line.
    package init(data: Data, path: String) throws(FileProblems) {
        do throws(FileProblem) {
            document = try Document(json: data, path: path)
        } catch {
            throw FileProblems([error])
        }
        var check = EndpointFileCheck(document)
        endpoints = check.endpoints()
        if !check.problems.isEmpty { throw FileProblems(check.problems) }
    }

    /// An endpoint by its name, nil when there is none.
    package func endpoint(_ name: String) -> Values? {
        endpoints[name].map { Values(own: $0, shared: document.root) }
    }

    /// What an endpoint says, with what it inherits.
    package struct Values: Sendable {
        fileprivate let own: Node
        fileprivate let shared: Node

        /// The endpoint's own value, or else the shared one.
        package subscript(key: Key) -> Node? {
            own[key.rawValue] ?? (key.isShared ? shared[key.rawValue] : nil)
        }

        /// The shared headers, each unless the endpoint has one of the same name, and then the endpoint's.
        package var headers: [(name: String, value: String)] {
            let own = fields(own[Key.headers.rawValue])
            let inherited = fields(shared[Key.headers.rawValue]).filter { field in
                !own.contains { $0.name.lowercased() == field.name.lowercased() }
            }
            return inherited + own
        }

        package var authorization: Authorization? {
            self[.authorization]?.string.flatMap(Authorization.init)
        }

        /// The endpoint's queries, or else the shared ones, in order.
        package var queries: [(name: String, value: Node)] {
            switch self[.queries]?.value {
            case .array(let elements)?:
                elements.flatMap { $0.entries ?? [] }.map { ($0.key, $0.node) }
            case .dictionary(let entries)?:
                entries.map { ($0.key, $0.node) }
            default: []
            }
        }

        private func fields(_ node: Node?) -> [(name: String, value: String)] {
            (node?.entries ?? []).map { ($0.key, $0.node.string ?? "") }
        }
    }
}
