import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// Fills values from the call into a mock's body, as `fill` in the mock's settings declares. Each value is converted to
/// the type of the value that it replaces, so the body keeps its JSON types.
///
/// A class, because the functions that copy a struct of this size would take several kilobytes of each app.
final class MockFiller {
    private let mock: FoundMock
    private let settings: MockSettings
    private let request: URLRequest
    private let route: Route
    private let environment: EnvironmentValues
    private let chance: Chance
    private let now: () -> Date
    private let count: Int

    /// - Parameters:
    ///   - now: the date on the scope's clock.
    ///   - count: how many times the mock was used, including this call.
    init(
        mock: FoundMock, settings: MockSettings, request: URLRequest, route: Route, environment: EnvironmentValues,
        chance: Chance, now: @escaping () -> Date, count: Int
    ) {
        (self.mock, self.settings, self.request, self.route) = (mock, settings, request, route)
        (self.environment, self.chance, self.now, self.count) = (environment, chance, now, count)
    }

    /// Replaces values in a JSON body. Every other byte stays as it is in the file.
    ///
    /// - Throws: ``APIError`` of the kind `mock`, with the file and line of the setting.
    func fill(_ body: Data, _ fills: [MockSubstitution]) throws(APIError) -> Data {
        var body = body
        // Each value is looked up in the body with those before it, because one can be inside another.
        for fill in fills { body = try self.fill(body, fill) }
        return body
    }

    private func fill(_ body: Data, _ fill: MockSubstitution) throws(APIError) -> Data {
        let file = mock.file ?? mock.name
        var (root, text): (Node, JSONText)
        do throws(FileProblem) {
            (root, text) = (try JSONReader.read(body, keepsEveryDigit: false), JSONText(body))
        } catch {
            throw APIError(.mock, "\(settings.path) fills \(file), which is not valid JSON: \(error.message)")
        }
        do throws(FileProblem) {
            let value = try value(of: fill.source)
            let isThere = try fill.pointer.update(&root) { node throws(FileProblem) in
                text.replace(node, with: try json(typed(value, like: node)))
            }
            if !isThere { throw FileProblem("\(file) has nothing at \(fill.pointer)") }
        } catch {
            let line = fill.line.map { ":\($0)" } ?? ""
            throw APIError(.mock, "\(settings.path)\(line): \(error.message)", fix: error.fix)
        }
        return text.data
    }

    private func json(_ value: Node) throws(FileProblem) -> Data {
        do { return try value.json() } catch {
            throw FileProblem("the value cannot be encoded as JSON: \(EncodingError.text(of: error))")
        }
    }

    /// A value to fill in, converted to the type of the value that it replaces.
    private func typed(_ value: Node, like replaced: Node) throws(FileProblem) -> Node {
        guard let typed = value.typed(like: replaced) else {
            throw FileProblem(
                "the body has \(replaced.value.kind) there, "
                    + "but the value is \(value.value.kind), which cannot be converted",
                fix: "use the same type for both, or fill another place")
        }
        return typed
    }

    // MARK: Sources

    private func value(of source: MockSubstitution.Source) throws(FileProblem) -> Node {
        switch source {
        case .argument(let label): return try argument(label)
        case .query(let name):
            let components = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: false) }
            let items = components?.queryItems ?? []
            guard let item = items.first(where: { $0.name == name }) else {
                throw FileProblem(missing: "query value", name, of: items.map(\.name))
            }
            return Node(.string(item.value ?? ""))
        case .header(let name):
            guard let value = request.value(forHTTPHeaderField: name) else {
                throw FileProblem(missing: "header", name, of: request.allHTTPHeaderFields.map { Array($0.keys) } ?? [])
            }
            return Node(.string(value))
        case .body(let pointer): return try sent(pointer)
        case .environment(let key): return try environment.node(of: key)
        case .now: return Node(.date(now()))
        case .uuid: return Node(.string(chance.uuid().uuidString))
        case .count: return Node(.integer(Int64(count)))
        }
    }

    private func argument(_ label: String) throws(FileProblem) -> Node {
        let arguments = route.origin.map(RouteName.arguments(of:)) ?? []
        guard let argument = arguments.first(where: { $0.label == label }) else {
            if route.origin == nil {
                throw FileProblem(
                    "there is no associated value \"\(label)\": the route is not an enum case",
                    fix: "send a case of your router, or fill from the query, the body or a header")
            }
            throw FileProblem(missing: "associated value", label, of: arguments.map(\.label))
        }
        guard let value = argument.value as? any Encodable else { return Node(.string("\(argument.value)")) }
        do { return try JSONReader.read(JSONEncoder.standard.encode(value), keepsEveryDigit: false) } catch {
            let reason = EncodingError.text(of: error)
            throw FileProblem("the associated value \"\(label)\" cannot be encoded as JSON: \(reason)")
        }
    }

    /// The value at a place in the request's JSON body, or the field of its form that has this name.
    private func sent(_ pointer: JSONPointer) throws(FileProblem) -> Node {
        let type = request.value(forHTTPHeaderField: "Content-Type").map(MediaType.init(contentType:))
        if type?.rawValue == "application/x-www-form-urlencoded" { return try field(pointer) }
        // A body that is not JSON fails with the same message as a missing body, because neither has values to read.
        guard let body = request.httpBody, let root = JSONReader.inspect(body) else {
            throw FileProblem("the request has no JSON body and no form to read \(pointer) from")
        }
        var node = root
        for part in pointer.parts {
            guard let next = JSONPointer.value(of: part, in: node) else {
                throw FileProblem(
                    "the request's body has nothing at \(pointer)"
                        + NearestName.hint(part, in: node.entries?.map(\.key) ?? []))
            }
            node = next
        }
        return node
    }

    /// The field of a form (WHATWG URL section 5.1) whose name is `a/b` or `a[b]` for the pointer `/a/b`.
    private func field(_ pointer: JSONPointer) throws(FileProblem) -> Node {
        let form = String(decoding: request.httpBody ?? Data(), as: UTF8.self).replacing(bytesOf: "+", with: " ")
        let fields = form.parts(between: "&").map { field in
            let (name, value) = field.cut(at: "=") ?? (field, "")
            return (name: name.removingPercentEncoding ?? "", value: value.removingPercentEncoding ?? "")
        }
        let plain = pointer.parts.joined(separator: "/")
        let nested = (pointer.parts.first ?? "") + pointer.parts.dropFirst().map { "[\($0)]" }.joined()
        guard let field = fields.first(where: { $0.name.isSame(as: plain) || $0.name.isSame(as: nested) }) else {
            throw FileProblem(missing: "form field", nested, of: fields.map(\.name))
        }
        return Node(.string(field.value))
    }
}

extension FileProblem {
    /// The problem that a value to fill in does not exist.
    ///
    /// - Parameters:
    ///   - what: what is missing, as in `query value`.
    ///   - names: the names that exist.
    init(missing what: String, _ name: String, of names: [String]) {
        self.init(
            "there is no \(what) \"\(name)\"" + NearestName.hint(name, in: names),
            fix: names.isEmpty ? nil : "use one of \(names.ordered(by: <).prefix(20).joined(separator: ", "))")
    }
}

extension Node {
    /// Converts this value to the type of another value, for example numeric text to a number or a date to seconds
    /// since 1970. Null replaces a value of any type, and any value replaces null.
    ///
    /// - Returns: nil when this value cannot be converted.
    func typed(like other: Node) -> Node? {
        switch (value, other.value) {
        case (.null, _), (_, .null), (.array, .array), (.dictionary, .dictionary), (.boolean, .boolean),
            (.string, .string), (.integer, .integer), (.real, .real), (.integer, .real), (.real, .integer),
            (.date, .string):
            self
        case (.string(let text), .integer), (.string(let text), .real):
            if let number = Int64(text) {
                Node(.integer(number))
            } else {
                Double(text).flatMap { $0.isFinite ? Node(.real($0)) : nil }
            }
        case (.string(let text), .boolean): Bool(text).map { Node(.boolean($0)) }
        case (.date(let date), .integer):
            Int64(exactly: date.timeIntervalSince1970.rounded(.towardZero)).map { Node(.integer($0)) }
        case (.date(let date), .real): Node(.real(date.timeIntervalSince1970))
        case (.integer(let number), .string): Node(.string("\(number)"))
        case (.real(let number), .string): Node(.string("\(number)"))
        case (.boolean(let flag), .string): Node(.string("\(flag)"))
        default: nil
        }
    }
}
