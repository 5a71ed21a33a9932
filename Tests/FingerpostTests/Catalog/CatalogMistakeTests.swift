import CallSupport
import FingerpostCatalog

/// Errors for mistakes in endpoint files and their arguments.
@Suite(.inTurn) struct CatalogMistakeTests {
    /// A file and its expected errors, as `line:column: message` without the file name and the word `error`.
    struct Mistake: Sendable, CustomTestStringConvertible {
        let file: String
        let said: [String]

        init(_ file: String, _ said: String...) {
            self.file = file
            self.said = said
        }

        var testDescription: String { file }
    }

    private static let keys =
        "scheme, host, port, path, httpMethod, headers, queries, body, mock, authorization, timeout"
    private static let sharedKeys = "scheme, host, port, path, httpMethod, headers, queries, authorization, timeout"

    private static let numbers: [Mistake] =
        [("0", "0"), ("65536", "65536"), ("-1", "-1"), ("80.5", "80.5"), (#""80""#, "a string")].map { value, shown in
            Mistake(
                #"{ "port": \#(value) }"#,
                #"1:11: "port" is \#(shown) where a whole number from 1 to 65535 is expected"#)
        }
        + [("0", "0"), ("-1.5", "-1.5"), (#""5s""#, "a string")].map { value, shown in
            Mistake(
                #"{ "timeout": \#(value) }"#,
                #"1:14: "timeout" is \#(shown) where a positive number of seconds is expected. Fix: write a number such as 30 or 2.5"#
            )
        }

    private static let files: [Mistake] = [
        // Not JSON, or not an object
        Mistake("", "1:1: the file is empty. Fix: write a JSON value, for example {}"),
        Mistake("[]", "1:1: the file contains a list, not endpoints. Fix: write { … }"),
        Mistake("\n\"text\"", "2:1: the file contains a string, not endpoints. Fix: write { … }"),
        Mistake("null", "1:1: the file contains null, not endpoints. Fix: write { … }"),
        Mistake(
            "{ } // comment",
            "1:5: unexpected / after the end of the JSON value. Fix: remove the comment; JSON has none"),

        // Unknown keys
        Mistake(
            #"{ "hots": "h.example" }"#,
            #"1:3: unknown key "hots" for all endpoints (did you mean "host"?). Fix: use one of \#(sharedKeys)"#),
        Mistake(#"{ "retries": 3 }"#, #"1:3: unknown key "retries" for all endpoints. Fix: use one of \#(sharedKeys)"#),
        Mistake(
            "{\n\"e\": {\n\"method\": \"POST\" } }",
            #"3:1: unknown key "method" in the endpoint "e". Fix: use one of \#(keys)"#),
        Mistake(
            #"{ "e": { "httpmethod": "POST" } }"#,
            #"1:10: unknown key "httpmethod" in the endpoint "e" (did you mean "httpMethod"?). Fix: use one of \#(keys)"#
        ),

        // Keys that cannot be shared
        Mistake(#"{ "body": { "a": 1 } }"#, #"1:3: "body" cannot be shared. Fix: move it into the endpoints"#),
        Mistake("{\n \"mock\": \"m\" }", #"2:2: "mock" cannot be shared. Fix: move it into the endpoints"#),

        // Wrong types
        Mistake(#"{ "host": 1 }"#, #"1:11: "host" is 1 where text is expected"#),
        Mistake(#"{ "path": {} }"#, #"1:11: "path" is a dictionary where text is expected"#),
        Mistake(#"{ "e": { "path": null } }"#, #"1:18: "path" is null where text is expected"#),
        Mistake(#"{ "e": { "httpMethod": [] } }"#, #"1:24: "httpMethod" is a list where text is expected"#),
        Mistake(#"{ "e": { "mock": true } }"#, #"1:18: "mock" is a boolean where text is expected"#),
        Mistake(#"{ "e": { "scheme": 1.5 } }"#, #"1:20: "scheme" is 1.5 where text is expected. Fix: use http, https"#),
        Mistake(
            #"{ "headers": [] }"#,
            #"1:14: "headers" is a list where a dictionary is expected. Fix: write { "Accept": "text/plain" }"#),
        Mistake(
            "{ \"headers\": {\n\"X-Version\": 3 } }",
            #"2:14: the header "X-Version" is an integer. Fix: put it in quotes"#),
        Mistake(
            #"{ "queries": "a=1" }"#,
            #"1:14: "queries" is a string where a list of dictionaries is expected. Fix: write { "page": "2" }"#),
        Mistake(
            #"{ "queries": [{ "a": "1" }, "b=2"] }"#,
            #"1:29: "queries" contains a string where dictionaries are expected. Fix: write { "page": "2" }"#),
        Mistake(
            #"{ "queries": [{ "a": [1] }] }"#,
            #"1:22: the query "a" is a list. Fix: use text, a number or a boolean"#),
        Mistake(
            #"{ "queries": [{ "a": null }] }"#,
            #"1:22: the query "a" is null. Fix: use text, a number or a boolean"#),

        // Values out of range
        Mistake(
            #"{ "scheme": "htps" }"#,
            #"1:13: "htps" is not a valid value of "scheme" (did you mean "https"?). Fix: use http, https"#),
        Mistake(#"{ "scheme": "ws" }"#, #"1:13: "ws" is not a valid value of "scheme". Fix: use http, https"#),
        Mistake(
            #"{ "e": { "authorization": "require" } }"#,
            #"1:27: "require" is not a valid value of "authorization" (did you mean "required"?). Fix: use none, optional, required, anywhere"#
        ),

        // Duplicates
        Mistake(
            "{ \"e\": {},\n\"f\": {},\n\"e\": { \"path\": \"x\" } }", #"3:1: duplicate key "e". Fix: keep one of them"#),
        Mistake(
            "{ \"host\": \"a.example\",\n\"host\": \"b.example\" }",
            #"2:1: duplicate key "host". Fix: keep one of them"#
        ),
        Mistake(
            "{ \"e\": {\n\"path\": \"a\",\n\"path\": \"a\" } }", #"3:1: duplicate key "path". Fix: keep one of them"#),
        Mistake(
            "{ \"headers\": {\n\"Accept\": \"a\",\n\"accept\": \"b\" } }",
            #"3:1: duplicate key "accept". Fix: keep one of them"#),
        Mistake(
            "{ \"e\": { \"body\": [{ \"a\": 1,\n\"a\": 2 }] } }", #"2:1: duplicate key "a". Fix: keep one of them"#),

        // Placeholders
        Mistake(#"{ "e": { "path": "users/{login" } }"#, malformed("1:18", "{login")),
        Mistake(#"{ "e": { "path": "users/login}/x" } }"#, malformed("1:18", "}/x")),
        Mistake(#"{ "e": { "path": "users/{}" } }"#, malformed("1:18", "{}")),
        Mistake(#"{ "e": { "path": "users/{a b}" } }"#, malformed("1:18", "{a b}")),
        Mistake(#"{ "e": { "path": "users/{{a}" } }"#, malformed("1:18", "}")),
        Mistake(#"{ "e": { "path": "users/{a}}" } }"#, malformed("1:18", "}")),
        Mistake(#"{ "e": { "path": "users/{{{a}}" } }"#, malformed("1:18", "}")),
        Mistake(#"{ "e": { "path": "users{/login}" } }"#, malformed("1:18", "{/login}")),
        Mistake("{ \"headers\": {\n\"X\": \"{a.b}\" } }", malformed("2:6", "{a.b}")),
        Mistake(#"{ "queries": [{ "q": "{a" }] }"#, malformed("1:22", "{a")),
        Mistake(#"{ "e": { "body": [{ "a": "{ {b} }" }] } }"#, malformed("1:26", "{ {b} }")),

        // Several problems at once
        Mistake(
            "{\n\"port\": 0,\n\"e\": { \"pth\": \"a\", \"timeout\": 0 },\n\"body\": 1\n}",
            #"2:9: "port" is 0 where a whole number from 1 to 65535 is expected"#,
            #"3:8: unknown key "pth" in the endpoint "e" (did you mean "path"?). Fix: use one of \#(keys)"#,
            #"3:31: "timeout" is 0 where a positive number of seconds is expected. Fix: write a number such as 30 or 2.5"#,
            #"4:1: "body" cannot be shared. Fix: move it into the endpoints"#),
    ]

    private static func malformed(_ place: String, _ text: String) -> String {
        "\(place): \"\(text)\" is not a valid placeholder. "
            + "Fix: write {name} with letters, digits, - and _, or escape literal braces as {{ and }}"
    }

    @Test(.heavy) func `Of very many mistakes the first thousand are listed`() throws {
        let endpoint = #""e": {"path": "a"}"#
        let file = "{\(Array(repeating: endpoint, count: 100_000).joined(separator: ",\n"))}"
        let error = try #require(throws: APIError.self) { try EndpointCatalog(data: Data(file.utf8), path: "e.json") }
        let lines = error.message.split(separator: "\n")
        #expect((lines.count, lines.first) == (1_001, "e.json:2:1: error: duplicate key \"e\". Fix: keep one of them"))
        #expect(
            lines.last?.hasSuffix("there are more problems, which are not listed. Fix: correct the others first")
                == true)
    }

    @Test(arguments: files + numbers) func `A mistake in a file is reported with its line`(mistake: Mistake) throws {
        let data = Data(mistake.file.utf8)
        let error = try failure(.invalidRoute) { try EndpointCatalog(data: data, path: "github.json") }
        let expected = mistake.said.map { said in
            // `line:column: message` becomes `github.json:line:column: error: message`.
            let parts = said.split(separator: ": ", maxSplits: 1)
            return "github.json:\(parts[0]): error: \(parts[1])"
        }
        #expect(error.message == expected.joined(separator: "\n"))
    }

    // MARK: Arguments

    private static let file = """
        {
          "repos": { "path": "users/{owner}/repos", "queries": [{ "page": "{page}" }] },
          "create": { "path": "x", "httpMethod": "POST", "headers": { "X-A": "a {tag}" }, "body": { "n": "no. {number}" } },
          "repo": { "path": "repos/{owner}/{repo}", "body": { "text": "{owner}" } }
        }
        """

    private struct Unencodable: Encodable, Sendable {
        func encode(to encoder: any Encoder) throws {
            throw EncodingError.invalidValue(0, .init(codingPath: [], debugDescription: "no form in JSON"))
        }
    }

    private typealias Call = (String, Parameters, APIError.Kind, message: String, fix: String?)

    private static func call(
        _ name: String, _ arguments: Parameters, _ kind: APIError.Kind, _ message: String, fix: String? = nil
    ) -> Call { (name, arguments, kind, message, fix) }

    private static let calls: [Call] = [
        call(
            "repoz", [:], .invalidRoute, #"there is no endpoint "repoz" in github.json (did you mean "repo"?)"#,
            fix: "use one of create, repo, repos"),
        call("", [:], .invalidRoute, #"there is no endpoint "" in github.json"#, fix: "use one of create, repo, repos"),
        call(
            "repos", [:], .invalidRoute, #"the endpoint "repos" of github.json needs the argument "owner""#,
            fix: #"pass it: route("repos", ["owner": …])"#),
        call(
            "repos", ["owner": "apple", "page": nil], .invalidRoute,
            #"the endpoint "repos" of github.json needs the argument "page""#,
            fix: #"pass it: route("repos", ["page": …])"#),
        call(
            "repos", ["owner": "apple", "page": 2, "Page": 3], .invalidRoute,
            #"the endpoint "repos" of github.json has no placeholder {Page} (did you mean "page"?)"#,
            fix: "remove the argument, or add {Page} to the endpoint"),
        call(
            "repos", ["owner": ["apple"], "page": 2], .encoding,
            #"the argument "owner" of "repos" is a list, which the path cannot contain"#,
            fix: "pass text, a number or a boolean"),
        call(
            "create", ["tag": ["a": 1], "number": 1], .encoding,
            #"the argument "tag" of "create" is a dictionary, which the header "X-A" cannot contain"#,
            fix: "pass text, a number or a boolean"),
        call(
            "create", ["tag": "t", "number": [1]], .encoding,
            #"the argument "number" of "create" is a list, which a string cannot contain"#,
            fix: "pass text, a number or a boolean"),
        call(
            "repos", ["owner": "a", "owner": "b", "page": 1], .encoding, #"duplicate parameter "owner""#),
        call("repos", ["owner": "a", "page": Unencodable()], .encoding, "no form in JSON"),
        call(
            "repos", ["owner": "a", "page": UInt64.max], .encoding,
            #"the arguments of "repos": an integer does not fit in 64 bits"#),
        call(
            "repos", ["owner": "a", "page": Double.nan], .encoding,
            "Unable to encode Double.nan directly in JSON."),
    ]

    @Test(arguments: calls)
    func `A mistake in a call is reported with the nearest name`(
        endpoint: String, arguments: Parameters, kind: APIError.Kind, message: String, fix: String?
    ) throws {
        let catalog = try EndpointCatalog(data: Data(Self.file.utf8), path: "github.json")
        let error = try failure { try catalog.route(endpoint, arguments) }
        #expect(error.kind == kind && error.message == message && error.fix == fix)
    }

    @Test func `A body that the method cannot carry is reported when the request is built`() throws {
        let catalog = try EndpointCatalog(data: Data(Self.file.utf8))
        let route = try catalog.route("repo", ["owner": "a", "repo": "b"])
        let error = try failure { try route.urlRequest(relativeTo: URL(string: "https://h.example")) }
        #expect(error.message == "GET cannot carry a body" && error.route == "repo")
    }

    @Test func `An empty file has no endpoints`() throws {
        let catalog = try EndpointCatalog(data: Data("{}".utf8))
        #expect(catalog.names.isEmpty)
        let error = try failure { try catalog.route("e") }
        #expect(error.message == "there is no endpoint \"e\" in endpoints")
    }

    // MARK: Files

    @Test func `A missing file is reported with the nearest name`() throws {
        let folder = try TemporaryFolder([
            "github.json": "{}", "gitlab.json": "{}", "github.txt": "", "sub/a.json": "{}",
        ])
        let path = folder.url.standardizedFileURL.path
        let typos: [(URL, String)] = [
            (folder["githb.json"], "there is no file \(path)/githb.json (did you mean \"github.json\"?)"),
            (folder["GitHub.json"], "there is no file \(path)/GitHub.json (did you mean \"github.json\"?)"),
            (folder["unlike-any-other"], "there is no file \(path)/unlike-any-other"),
            (folder["none/github.json"], "there is no file \(path)/none/github.json"),
            (folder["sub"], "\(path)/sub cannot be read: it is a folder"),
        ]
        for (url, message) in typos {
            let error = try failure(.invalidRoute) { try EndpointCatalog(contentsOf: url) }
            #expect(error.message == message)
        }
    }

    @Test func `A name without a file is reported with the folders searched and the nearest name`() throws {
        let folder = try TemporaryFolder(["github.json": "{}", "githuc.txt": "{}"])
        let bundle = try #require(Bundle(url: folder.url))
        let error = #expect(throws: APIError.self) { try EndpointCatalog(named: "githuc", in: bundle) }
        #expect(error?.kind == .invalidRoute)
        let message = try #require(error?.message)
        #expect(message.hasPrefix("there is no githuc.json in /"))
        #expect(message.contains(folder.url.lastPathComponent) && message.hasSuffix("(did you mean \"github\"?)"))
        let nowhere = try failure { try EndpointCatalog(named: "no-such-catalog") }
        #expect(nowhere.message.contains(FileManager.default.currentDirectoryPath))
    }

    @Test func `A mistake in a file on disk is reported with the file`() throws {
        let folder = try TemporaryFolder(["github.json": "{\n\"hots\": 1 }"])
        let error = try failure { try EndpointCatalog(contentsOf: folder["github.json"]) }
        let path = folder["github.json"].standardizedFileURL.path
        #expect(error.message.hasPrefix("\(path):2:1: error: unknown key \"hots\""))
    }
}
