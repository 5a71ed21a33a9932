import CallSupport
import FingerpostCatalog

/// Errors for mistakes in endpoint files and their arguments.
@Suite(.inTurn) struct CatalogMistakeTests {
    private static let keys =
        "scheme, host, port, path, httpMethod, headers, queries, body, mock, authorization, timeout"
    private static let sharedKeys = "scheme, host, port, path, httpMethod, headers, queries, authorization, timeout"
    private static let placeholder =
        "is not a valid placeholder. Fix: write {name} with letters, digits, - and _, or escape literal braces as {{ and }}"

    /// Files and what is said of them; `↵` stands for a line break.
    private static let files = #"""
        { "port": 0 } → 1:11: error: "port" is 0 where a whole number from 1 to 65535 is expected
        { "port": 65536 } → 1:11: error: "port" is 65536 where a whole number from 1 to 65535 is expected
        { "port": -1 } → 1:11: error: "port" is -1 where a whole number from 1 to 65535 is expected
        { "port": 80.5 } → 1:11: error: "port" is 80.5 where a whole number from 1 to 65535 is expected
        { "port": "80" } → 1:11: error: "port" is a string where a whole number from 1 to 65535 is expected
        { "timeout": 0 } → 1:14: error: "timeout" is 0 where a positive number of seconds is expected. Fix: write a number such as 30 or 2.5
        { "timeout": -1.5 } → 1:14: error: "timeout" is -1.5 where a positive number of seconds is expected. Fix: write a number such as 30 or 2.5
        { "timeout": "5s" } → 1:14: error: "timeout" is a string where a positive number of seconds is expected. Fix: write a number such as 30 or 2.5
        [] → 1:1: error: the file contains a list, not endpoints. Fix: write { … }
        ↵"text" → 2:1: error: the file contains a string, not endpoints. Fix: write { … }
        null → 1:1: error: the file contains null, not endpoints. Fix: write { … }
        { } // comment → 1:5: error: unexpected / after the end of the JSON value. Fix: remove the comment; JSON has none
        { "hots": "h.example" } → 1:3: error: unknown key "hots" for all endpoints (did you mean "host"?). Fix: use one of \#(sharedKeys)
        { "retries": 3 } → 1:3: error: unknown key "retries" for all endpoints. Fix: use one of \#(sharedKeys)
        {↵"e": {↵"method": "POST" } } → 3:1: error: unknown key "method" in the endpoint "e". Fix: use one of \#(keys)
        { "e": { "httpmethod": "POST" } } → 1:10: error: unknown key "httpmethod" in the endpoint "e" (did you mean "httpMethod"?). Fix: use one of \#(keys)
        { "body": { "a": 1 } } → 1:3: error: "body" cannot be shared. Fix: move it into the endpoints
        {↵ "mock": "m" } → 2:2: error: "mock" cannot be shared. Fix: move it into the endpoints
        { "host": 1 } → 1:11: error: "host" is 1 where text is expected
        { "path": {} } → 1:11: error: "path" is a dictionary where text is expected
        { "e": { "path": null } } → 1:18: error: "path" is null where text is expected
        { "e": { "httpMethod": [] } } → 1:24: error: "httpMethod" is a list where text is expected
        { "e": { "mock": true } } → 1:18: error: "mock" is a boolean where text is expected
        { "e": { "scheme": 1.5 } } → 1:20: error: "scheme" is 1.5 where text is expected. Fix: use http, https
        { "headers": [] } → 1:14: error: "headers" is a list where a dictionary is expected. Fix: write { "Accept": "text/plain" }
        { "headers": {↵"X-Version": 3 } } → 2:14: error: the header "X-Version" is an integer. Fix: put it in quotes
        { "queries": "a=1" } → 1:14: error: "queries" is a string where a list of dictionaries is expected. Fix: write { "page": "2" }
        { "queries": [{ "a": "1" }, "b=2"] } → 1:29: error: "queries" contains a string where dictionaries are expected. Fix: write { "page": "2" }
        { "queries": [{ "a": [1] }] } → 1:22: error: the query "a" is a list. Fix: use text, a number or a boolean
        { "queries": [{ "a": null }] } → 1:22: error: the query "a" is null. Fix: use text, a number or a boolean
        { "scheme": "htps" } → 1:13: error: "htps" is not a valid value of "scheme" (did you mean "https"?). Fix: use http, https
        { "scheme": "ws" } → 1:13: error: "ws" is not a valid value of "scheme". Fix: use http, https
        { "e": { "authorization": "require" } } → 1:27: error: "require" is not a valid value of "authorization" (did you mean "required"?). Fix: use none, optional, required, anywhere
        { "e": {},↵"f": {},↵"e": { "path": "x" } } → 3:1: error: duplicate key "e". Fix: keep one of them
        { "host": "a.example",↵"host": "b.example" } → 2:1: error: duplicate key "host". Fix: keep one of them
        { "e": {↵"path": "a",↵"path": "a" } } → 3:1: error: duplicate key "path". Fix: keep one of them
        { "headers": {↵"Accept": "a",↵"accept": "b" } } → 3:1: error: duplicate key "accept". Fix: keep one of them
        { "e": { "body": [{ "a": 1,↵"a": 2 }] } } → 2:1: error: duplicate key "a". Fix: keep one of them
        { "e": { "path": "users/{login" } } → 1:18: error: "{login" \#(placeholder)
        { "e": { "path": "users/login}/x" } } → 1:18: error: "}/x" \#(placeholder)
        { "e": { "path": "users/{}" } } → 1:18: error: "{}" \#(placeholder)
        { "e": { "path": "users/{a b}" } } → 1:18: error: "{a b}" \#(placeholder)
        { "e": { "path": "users/{{a}" } } → 1:18: error: "}" \#(placeholder)
        { "e": { "path": "users/{a}}" } } → 1:18: error: "}" \#(placeholder)
        { "e": { "path": "users/{{{a}}" } } → 1:18: error: "}" \#(placeholder)
        { "e": { "path": "users{/login}" } } → 1:18: error: "{/login}" \#(placeholder)
        { "headers": {↵"X": "{a.b}" } } → 2:6: error: "{a.b}" \#(placeholder)
        { "queries": [{ "q": "{a" }] } → 1:22: error: "{a" \#(placeholder)
        { "e": { "body": [{ "a": "{ {b} }" }] } } → 1:26: error: "{ {b} }" \#(placeholder)
        {↵"port": 0,↵"e": { "pth": "a", "timeout": 0 },↵"body": 1↵} → 2:9: error: "port" is 0 where a whole number from 1 to 65535 is expected↵3:8: error: unknown key "pth" in the endpoint "e" (did you mean "path"?). Fix: use one of \#(keys)↵3:31: error: "timeout" is 0 where a positive number of seconds is expected. Fix: write a number such as 30 or 2.5↵4:1: error: "body" cannot be shared. Fix: move it into the endpoints
        """#

    @Test func `A mistake in a file is reported with its line`() throws {
        for row in Self.files.components(separatedBy: "\n") {
            let file = row.components(separatedBy: " → ")[0]
            let data = Data(file.replacing("↵", with: "\n").utf8)
            let error = try failure(.invalidRoute) { try EndpointCatalog(data: data, path: "github.json") }
            let lines = row.components(separatedBy: " → ")[1].components(separatedBy: "↵")
            #expect(error.message == lines.map { "github.json:\($0)" }.joined(separator: "\n"), "\(file)")
        }
    }

    @Test(.heavy) func `Of very many mistakes the first thousand are listed`() throws {
        let file = "{\(Array(repeating: #""e": {"path": "a"}"#, count: 100_000).joined(separator: ",\n"))}"
        let error = try failure { try EndpointCatalog(data: Data(file.utf8), path: "e.json") }
        let lines = error.message.components(separatedBy: "\n")
        let last = "there are more problems, which are not listed. Fix: correct the others first"
        #expect(
            (lines.count, lines[0], lines.last?.hasSuffix(last))
                == (1_001, "e.json:2:1: error: duplicate key \"e\". Fix: keep one of them", true))
    }

    // MARK: Arguments

    private static let file = """
        {
          "repos": { "path": "users/{owner}/repos", "queries": [{ "page": "{page}" }] },
          "create": { "path": "x", "httpMethod": "POST", "headers": { "X-A": "a {tag}" }, "body": { "n": "no. {number}" } },
          "repo": { "path": "repos/{owner}/{repo}" }
        }
        """

    private struct Unencodable: Encodable, Sendable {
        func encode(to encoder: any Encoder) throws {
            throw EncodingError.invalidValue(0, .init(codingPath: [], debugDescription: "no form in JSON"))
        }
    }

    @Test func `A mistake in a call is reported with the nearest name`() throws {
        let calls: [(String, Parameters, error: String)] = [
            (
                "repoz", [:],
                #"invalid route: there is no endpoint "repoz" in github.json (did you mean "repo"?). Fix: use one of create, repo, repos"#
            ),
            ("", [:], #"invalid route: there is no endpoint "" in github.json. Fix: use one of create, repo, repos"#),
            (
                "repos", [:],
                #"invalid route: the endpoint "repos" of github.json needs the argument "owner". Fix: pass it: route("repos", ["owner": …])"#
            ),
            (
                "repos", ["owner": "apple", "page": nil],
                #"invalid route: the endpoint "repos" of github.json needs the argument "page". Fix: pass it: route("repos", ["page": …])"#
            ),
            (
                "repos", ["owner": "apple", "page": 2, "Page": 3],
                #"invalid route: the endpoint "repos" of github.json has no placeholder {Page} (did you mean "page"?). Fix: remove the argument, or add {Page} to the endpoint"#
            ),
            (
                "repos", ["owner": ["apple"], "page": 2],
                #"encoding: the argument "owner" of "repos" is a list, which the path cannot contain. Fix: pass text, a number or a boolean"#
            ),
            (
                "create", ["tag": ["a": 1], "number": 1],
                #"encoding: the argument "tag" of "create" is a dictionary, which the header "X-A" cannot contain. Fix: pass text, a number or a boolean"#
            ),
            (
                "create", ["tag": "t", "number": [1]],
                #"encoding: the argument "number" of "create" is a list, which a string cannot contain. Fix: pass text, a number or a boolean"#
            ),
            ("repos", ["owner": "a", "owner": "b", "page": 1], #"encoding: duplicate parameter "owner""#),
            ("repos", ["owner": "a", "page": Unencodable()], "encoding: no form in JSON"),
            (
                "repos", ["owner": "a", "page": UInt64.max],
                #"encoding: the arguments of "repos": an integer does not fit in 64 bits"#
            ),
            ("repos", ["owner": "a", "page": Double.nan], "encoding: Unable to encode Double.nan directly in JSON."),
        ]
        let catalog = try EndpointCatalog(data: Data(Self.file.utf8), path: "github.json")
        for (endpoint, arguments, expected) in calls {
            let error = try failure { try catalog.route(endpoint, arguments) }
            let fix = error.fix.map { ". Fix: \($0)" } ?? ""
            #expect("\(error.kind): \(error.message)\(fix)" == expected, "\(endpoint) \(arguments)")
        }
    }

    @Test func `A file of no bytes is reported, and one without endpoints has none`() throws {
        let empty = try failure(.invalidRoute) { try EndpointCatalog(data: Data(), path: "github.json") }
        let catalog = try EndpointCatalog(data: Data("{}".utf8))
        #expect(
            try [empty.message, "\(catalog.names)", failure { try catalog.route("e") }.message] == [
                "github.json:1:1: error: the file is empty. Fix: write a JSON value, for example {}", "[]",
                "there is no endpoint \"e\" in endpoints",
            ])
    }

    // MARK: Files

    @Test func `A file that is missing or wrong is reported with its path and the nearest name`() throws {
        let folder = try TemporaryFolder([
            "github.json": "{}", "gitlab.json": "{}", "github.txt": "", "sub/a.json": "{}",
            "bad.json": "{\n\"hots\": 1 }",
        ])
        let files = [
            "githb.json": "there is no file githb.json (did you mean \"github.json\"?)",
            "GitHub.json": "there is no file GitHub.json (did you mean \"github.json\"?)",
            "unlike-any-other": "there is no file unlike-any-other",
            "none/github.json": "there is no file none/github.json", "sub": "sub cannot be read: it is a folder",
            "bad.json":
                "bad.json:2:1: error: unknown key \"hots\" for all endpoints (did you mean \"host\"?). Fix: use one of \(Self.sharedKeys)",
        ]
        let messages = try files.map { name, _ in
            let error = try failure(.invalidRoute) { try EndpointCatalog(contentsOf: folder[name]) }
            return (name, folder.relative(error.message))
        }
        #expect(Dictionary(uniqueKeysWithValues: messages) == files)
    }

    @Test func `A name without a file is reported with the folders searched and the nearest name`() throws {
        let folder = try TemporaryFolder(["github.json": "{}", "githuc.txt": "{}"])
        let bundle = try #require(Bundle(url: folder.url))
        let error = try failure(.invalidRoute) { try EndpointCatalog(named: "githuc", in: bundle) }
        #expect(
            error.message.hasPrefix("there is no githuc.json in /")
                && error.message.contains(folder.url.lastPathComponent)
                && error.message.hasSuffix("(did you mean \"github\"?)"), "\(error)")
        let nowhere = try failure { try EndpointCatalog(named: "no-such-catalog") }
        #expect(nowhere.message.contains(FileManager.default.currentDirectoryPath))
    }
}
