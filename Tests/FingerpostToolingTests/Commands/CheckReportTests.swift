import FingerpostFiles
import TestSupport

@testable import FingerpostBuilding
@testable import FingerpostTooling

@Suite(.inTurn) struct CheckReportTests {
    private func lines(_ files: [String: String]) throws -> [String] {
        let folder = try TemporaryFolder(files)
        return folder.relative(CheckReport(below: folder.url).text).split(separator: "\n").map(String.init)
    }

    /// Files, and the beginnings of lines of the report; after "no ", what the report does not contain.
    private static let reports = WrittenCase.table(
        #"""
        Environment files whose names are wrong
        Environments/Base-Env.json = {}
        Environments/Staging-env.json = {}
        Environments/StagingEnv.json = {}
        Environments/Staging.json = {}
        Environments/Staging_secrets.json = {}
        Environments: warning: the folder contains no environments
        Environments/Staging-env.json: error: the file is ignored
        Environments/StagingEnv.json: error: the file is ignored: its name is not that of an environment file. Fix: rename it to Staging-Env.json
        Environments/Staging.json: warning: the file is ignored
        Environments/Staging_secrets.json: warning: the file is ignored: its name is not that of an environment file. Fix: rename it to Staging-Secrets.json

        Secrets of no environment
        Environments/Staging-Env.json = {}
        Environments/Stagin-Secrets.json = {}
        Environments/Stagin-Secrets.json: warning: the file is ignored: there is no environment "Stagin" (did you mean "Staging"?). Fix: rename it, or add Stagin-Env.json

        Names that differ in letter case
        Environments/a-Env.json = {}
        Environments/A-Env.json = {}
        Mocks/Login.json = {}
        Mocks/login.json = {}
        Environments: error: the environments "A" and "a" differ only in letter case
        Mocks/login.json: error: its name and "Login.json" differ

        Files that have the keys of an environment and not its name are errors
        Environments/Testing-Env.json = {"baseURL": "https://t.invalid", "description": "Testing"}
        Environments/A.json = {"baseURL": "https://qa.example"}
        Environments/B.json = {"description": "QA"}
        Environments/C.json = {"baseUrl": "https://qa.example"}
        Environments/D.json = {"name": "x"}
        Environments/E.json = [1]
        Environments/F.json = {
        Environments/G-Env.JSON = {"description": "QA"}
        Environments/A.json: error: the file is ignored: its name is not that of an environment file. Fix: rename it to A-Env.json
        Environments/B.json: error: the file is ignored
        Environments/C.json: error: the file is ignored
        Environments/D.json: warning: the file is ignored: its name is not that of an environment file. Fix: rename it to D-Env.json
        Environments/E.json: warning: the file is ignored
        Environments/F.json: warning: the file is ignored
        Environments/G-Env.JSON: error: the file is ignored

        Files of other tools
        Mocks/wire.json = {"request": {"method": "GET", "url": "/a"}, "response": {"status": 200}}
        Mocks/wires.json = {"mappings": [{"request": {"urlPath": "/a"}, "response": {}}]}
        Mocks/vcr.json = {"http_interactions": [], "recorded_with": "VCR 6.0.0"}
        Mocks/vcr2.json = {"interactions": [{"request": {}, "response": {}}], "version": 1}
        Mocks/vcr3.yml = ---↵http_interactions:↵- request:↵    method: get↵
        Mocks/api.yaml = openapi: 3.1.0↵info:↵  title: x↵
        Mocks/api2.json = {"openapi": "3.1.0", "info": {"title": "x"}, "paths": {}}
        Mocks/api3.json = {"swagger": "2.0", "paths": {}}
        Mocks/postman.json = {"info": {"_postman_id": "1", "name": "x"}, "item": []}
        Mocks/postman2.json = {"info": {"schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}}
        Mocks/pact.json = {"consumer": {"name": "a"}, "provider": {"name": "b"}, "interactions": [{"request": {}, "response": {}}]}
        Mocks/har.json = {"log": {"version": "1.2", "entries": []}}
        Mocks/insomnia.json = {"_type": "export", "__export_format": 4, "resources": []}
        Mocks/wire.json: warning: this is a WireMock mapping
        Mocks/wires.json: warning: this is a WireMock mapping
        Mocks/vcr.json: warning: this is a VCR cassette
        Mocks/vcr2.json: warning: this is a VCR cassette
        Mocks/vcr3.yml: warning: this is a VCR cassette
        Mocks/api.yaml: warning: this is an OpenAPI document
        Mocks/api2.json: warning: this is an OpenAPI document
        Mocks/api3.json: warning: this is an OpenAPI document
        Mocks/postman.json: warning: this is a Postman collection
        Mocks/postman2.json: warning: this is a Postman collection
        Mocks/pact.json: warning: this is a Pact contract
        Mocks/har.json: warning: this is a HAR archive
        Mocks/insomnia.json: warning: this is an Insomnia export

        Files that look like those of other tools, and one with settings, which is meant
        Mocks/a.json = {"request": {"id": 1}, "response": {"text": "x"}}
        Mocks/b.json = {"openapi": true, "info": {}}
        Mocks/c.json = {"log": ["a"]}
        Mocks/d.json = {"interactions": [{"id": 1}]}
        Mocks/e.json = {"info": {"schema": "v1"}}
        Mocks/f.json = {"swagger": "2.0", "paths": {}}
        Mocks/f.mock.json = {"body": "f.json"}
        Mocks/g.yaml = openapi: 3.1.0↵info:↵  title: x↵
        Mocks/m.mock.json = {"body": "g.yaml"}
        no this is a

        Testing environments that are not sealed
        Environments/Testing-Env.json = {↵"$network": "live"}
        Environments/X-Env.json = {"description": "Testing",↵"$network": "mocksThenLive"}
        Environments/Testing-Env.json:2:1: warning: the environment "Testing" is not sealed, so its calls can reach servers. Fix: set "$network" to "sealed", or give these calls an environment with another name
        Environments/X-Env.json:2:1: warning: the environment "X" is not sealed

        A testing environment with another description
        Environments/Testing-Env.json = {↵↵"description": "Live"}
        Environments/Testing-Env.json:3:1: warning: the environment "Testing" is not sealed

        A layer that opens no seal, and an environment that is none for tests
        Environments/Testing-Env.json = {}
        Environments/Base-Env.json = {"$network": "live"}
        Environments/Staging-Env.json = {"$network": "live"}
        no is not sealed

        No problems
        Environments/A-Env.json = {"$optional": ["baseURL"], "a": 1}
        Mocks/b.json = {}
        Environments: no problems, 1 key in 1 environment

        A problem elsewhere
        Environments/A-Env.json = {"$optional": ["baseURL"], "a": 1}
        Mocks/b.json = {
        Environments: 1 key in 1 environment

        A file that is ignored
        Environments/A-Env.json = {"$optional": ["baseURL"], "a": 1}
        Environments/B.json = {}
        Environments: 1 key in 1 environment

        A problem with a key
        Environments/A-Env.json = {"baseURL": "https://a.example", "a": 1}
        Environments/B-Env.json = {"baseURL": "https://b.example"}
        Environments: 1 problem in 2 environments

        Without environments, the folders that were looked at
        Environment/A-Env.json = {}
        Mocks/a.json = {}
        Environments: none; looked for a folder Environments in 
        Mocks: no problems, 1 mock in Mocks

        Without a base URL
        Environments/A-Env.json = {"a": 1}
        Environments/A-Env.json:1:1: warning: the environment "A" has no base URL. Fix: add "baseURL", or list it in "$optional" if the code sets it

        With a base URL that is secret or optional, or with several
        Environments/A-Env.json = {"$secrets": ["baseURL"]}
        Environments/B-Env.json = {"$optional": ["baseURL"], "api": "https://a.example"}
        no warning
        no "B" has no

        With several base URLs
        Environments/A-Env.json = {"auth": {"baseURL": "https://a.example"}, "shopBaseURL": "https://b.example"}
        no warning

        With its only URL under another name
        Environments/A-Env.json = {"API_BASE_URL": "https://a.example"}
        Environments/A-Env.json:1:2: warning: the environment "A" has no "baseURL"; its URL is under "API_BASE_URL". Fix: rename the key, set the configuration's baseURLKey to "API_BASE_URL", or list "baseURL" in "$optional" if the code sets it

        With its only URL under a name that is almost right, and one beside it
        Environments/A-Env.json = {"help": "https://a.example", "baseUrl": "https://b.example"}
        Environments/A-Env.json:1:31: warning: the environment "A" has no "baseURL"; its URL is under "baseUrl"

        The description of another environment
        Environments/Production-Env.json = {"baseURL": "https://a.example", "description": "Testing"}
        Environments/QA-Env.json = {"baseURL": "https://b.example", "description": "Staging"}
        Environments/Staging-Env.json = {"baseURL": "https://c.example"}
        Environments/UnitTests-Env.json = {"baseURL": "https://d.example", "description": "Testing"}
        Environments/Production-Env.json:1:34: warning: the environment "Production" has the description "Testing", so mocks answer all its calls. Fix: write "Production"
        Environments/QA-Env.json:1:34: warning: the environment "QA" has the description "Staging", as another environment. Fix: write "QA"
        no UnitTests-Env.json

        A base that seals, and two environments with one description
        Environments/Base-Env.json = {"baseURL": "https://a.example", "description": "Testing"}
        Environments/A-Env.json = {}
        Environments/B-Env.json = {"description": "Shop"}
        Environments/C-Env.json = {"description": "Shop"}
        Environments/Base-Env.json:1:34: warning: the description "Testing" seals each environment that inherits it, such as "A". Fix: write a description into each environment's own file
        Environments/C-Env.json:1:2: warning: the environments "B" and "C" have the same description "Shop"

        Environments that are not read
        Environments/A-Env.json = {"$optional": ["baseURL"]}
        Environments/Staging/Staging-Env.json = {}
        Environments/QA-Env.yaml = baseURL: https://qa.example
        Environments/Live-Env.jsonc = {}
        Environments/Staging/Staging-Env.json: warning: the file is ignored: it is in a folder of Environments. Fix: move it into Environments itself
        Environments/QA-Env.yaml: warning: the file is ignored: environments are JSON files or property lists. Fix: write it as QA-Env.json
        Environments/Live-Env.jsonc: warning: the file is ignored

        Text that is meant as a URL
        Environments/A-Env.json = {"shop": "https://a.example/?cat[]=match%20comp",↵"help": "https://a.example/a%20b#c d"}
        Environments/A-Env.json:1:2: warning: "shop" contains [, which a URL cannot contain there. Fix: write %5B
        Environments/A-Env.json:2:1: warning: "help" contains a space, which a URL cannot contain there. Fix: write %20

        Text with a placeholder in a URL
        Environments/A-Env.json = {"a": "https://a.example/{id}", "b": "https://a.example/%@"}
        no warning

        A credential of a known format in a committed file
        Environments/A-Env.json = {"baseURL": "https://a.example",↵"maps": {"key": "TOKEN"}, "l": ["TOKEN"],↵"TOKEN": 1, "listed": null, "$secrets": ["listed"]}
        Environments/A-Secrets.json = {"listed": "TOKEN"}
        Environments/A-Env.json:2:17: warning: "maps.key" looks like a GitHub token. Fix: list it in "$secrets", and put the value in a secrets file
        Environments/A-Env.json:2:68: warning: "l" looks like a GitHub token
        Environments/A-Env.json:3:1: warning: a key looks like a GitHub token
        no "listed" looks like

        A credential that only another environment lists as secret
        Environments/A-Env.json = {"listed": null, "$secrets": ["listed"]}
        Environments/B-Env.json = {"listed": "TOKEN"}
        Environments/B-Env.json:1:12: warning: "listed" looks like a GitHub token

        A credential in a mock
        Mocks/users/a.json = {↵  "key": "TOKEN"↵}
        Mocks/b.txt = ghp_xxxxxxxxxxxx
        Mocks/users/a.json:2: error: the file contains a GitHub token. Fix: 
        no Mocks/b.txt

        A value that lost something in a build setting, and is a URL elsewhere
        Environments/A-Env.json = {"baseURL": "https://a.example", "help": "https://a.example", "l": ["https://a.example"]}
        Environments/B-Env.json = {"baseURL": "https://b.example", "help": "@HELP_URL@", "l": ["https://b.example", "$HELP"]}
        Environments: 3 keys in 2 environments
        Environments/B-Env.json:1:34: error: "help" contains a variable that was not replaced: @HELP_URL@; it is a URL in A. Fix: write the value, or have the build replace it
        Environments/B-Env.json:1:56: error: "l" contains a variable that was not replaced: $HELP; its elements are URLs in A. Fix: write the value, or have the build replace it

        Text that is a URL in another environment
        Environments/App-Env.json = {"baseURL": "https://a.example", "stats": "https://stats.example.com", "motto": "https"}
        Environments/QA-Env.json = {"baseURL": "https://q.example",↵"stats": "https://a b.example.com", "motto": "b"}
        Environments/Staging-Env.json = {"baseURL": "https://s.example",↵"stats": "localhost:8080", "motto": "a"}
        Environments/QA-Env.json:2:1: error: "stats"
        Environments/Staging-Env.json:2:1: error: "stats" is not a URL with a scheme; it is a URL in App. Fix: write it in full, for example https://api.example.com
        no motto

        Lists of text, one of which is a list of URLs in another environment
        Environments/App-Env.json = {"baseURL": "https://a.example", "mirrors": ["https://a.example.com"], "words": ["https://a.example.com", "b"]}
        Environments/Staging-Env.json = {"baseURL": "https://s.example", "mirrors": ["https://a.example.com", "b:80"], "words": ["a"]}
        Environments/Staging-Env.json:1:34: error: "mirrors" is not a URL with a scheme; its elements are URLs in App
        no words

        A secret that is a URL in another environment
        Environments/App-Env.json = {"$secrets": ["key"], "$optional": ["key"], "baseURL": "https://a.example"}
        Environments/QA-Env.json = {"baseURL": "https://q.example", "key": "https://k.example"}
        Environments/Staging-Env.json = {"baseURL": "https://s.example", "key": "hush"}
        no hush

        A base URL that is none is reported once
        Environments/App-Env.json = {"api": {"baseURL": "https://a.example"}, "shop": {"baseURL": "https://shop.example"}}
        Environments/Staging-Env.json = {"api": {"baseURL": "localhost:8080"}, "shop": {"baseURL": "https://$(SHOP)"}}
        Environments/Staging-Env.json:1:10: error: "api.baseURL"
        Environments/Staging-Env.json:1:49: error: "shop.baseURL"

        Dictionaries that are not named like configurations are an environment
        Environments/A-Env.json = {"api": {"url": "https://a.example"}, "auth": {"url": "https://b.example"}}
        Environments: no problems

        One file for all configurations
        Environments/Environments.plist = \#(configurations)
        Environments/Environments.plist: \#(oneForAll)

        One file for all configurations that is named like an environment
        Environments/Environments-Env.plist = \#(configurations)
        Environments/Environments-Env.plist: \#(oneForAll)
        """#)

    private static let configurations =
        "<key>Debug</key><dict><key>apiURL</key><string>https://debug.example</string></dict>"
        + "<key>Release</key><dict><key>apiURL</key><string>https://a.example</string></dict>"
    private static let oneForAll =
        "warning: its values are dictionaries named Debug, Release: one file for all configurations. Fix: make one file of "
        + "each: Debug-Env.plist, Release-Env.plist; to read it as it is, set baseURLKey = \"Debug.apiURL\""

    @Test(arguments: reports) func `A report names what is wrong, and nothing else`(_ test: WrittenCase) throws {
        let token = "ghp_" + String(repeating: "a1B2c3", count: 6)
        let folder = try TemporaryFolder(test.files.mapValues { $0.replacing("TOKEN", with: token) })
        let report = CheckReport(below: folder.url)
        let lines = folder.relative(report.text).components(separatedBy: "\n")
        let wrong = test.expected.filter { line in
            if line.hasPrefix("no ") { return lines.contains { $0.contains(line.dropFirst(3)) } }
            return lines.count { $0.hasPrefix(line) } != 1
        }
        #expect((lines[0].hasPrefix("Environments"), wrong) == (true, []), "\(report.text)")
        #expect(!(report.json + "\(report.problems)").contains(token))
    }

    @Test func `A number in a body has no limit, and one in a settings file has`() throws {
        let numbers = [
            "9223372036854775808", "-9223372036854775809", "12345678901234567890", "123456789012345678901234567",
            "1e400", "-1e400", "1E-400", "-0", "0." + String(repeating: "1", count: 400),
            String(repeating: "9", count: 400),
        ]
        let body = "{\"list\": [\(numbers.joined(separator: ",\n"))]}"
        let environment = #"{"baseURL": "https://t.invalid", "description": "Testing"}"#
        let files = ["Mocks/account.json": body, "Environments/Testing-Env.json": environment]
        #expect(try lines(files).filter { $0.contains("account") || $0.contains("error") } == [])
        for number in ["9223372036854775808", "1e400"] {
            let lines = try lines(files.merging(["Mocks/account.mock.json": "{\"status\": \(number)}"]) { $1 })
            #expect(
                lines.contains {
                    $0.hasPrefix("Mocks/account.mock.json:1:12: error: ")
                        && $0.hasSuffix("Fix: write a smaller number, or put it in quotes and read it as text")
                }, "\(lines)")
        }
    }

    @Test(arguments: ["Environments", "Mocks"], ["missing", "itself"])
    func `A link that leads to no folder is an error, as it is for apps`(name: String, target: String) throws {
        let folder = try TemporaryFolder(["Environments/A-Env.json": Self.environment, "Mocks/b.json": "{}"])
        let before = CheckReport(below: folder.url).errors
        try FileManager.default.removeItem(at: folder[name])
        try FileManager.default.createSymbolicLink(
            atPath: folder[name].path, withDestinationPath: target == "itself" ? name : target)
        let report = CheckReport(below: folder.url)
        let text = folder.relative(report.text)
        let isNamed = text.contains("\(name): error: the target of this link cannot be reached: ")
        let hasFix = text.contains(". Fix: correct or remove it")
        #expect((before, report.errors, isNamed, hasFix) == (0, 1, true, true), "\(text)")
    }

    @Test func `A file in place of a folder, and a folder without environments and mocks, are errors`() throws {
        let folder = try TemporaryFolder(["Environments": "{}", "Mocks/b.json": "{}"])
        let report = CheckReport(below: folder.url)
        let isNamed = folder.relative(report.text).contains("Environments: error: the folder cannot be read")
        #expect((report.errors, CheckReport(below: folder["Mocks"]).errors, isNamed) == (1, 1, true))
    }

    private static let environment = #"{"$optional": ["baseURL"], "a": 1}"#
    private static let tested = [
        "Environments/A-Env.json": environment, "Tests/ATests/Mocks/b.json": "{}",
        "Tests/ATests/Mocks/c/d.json": "{}",
        // Folders of code have the same names.
        "Tests/BTests/Mocks/Service.swift": "", "Sources/A/Environments/Other.swift": "", "Sources/A/A.swift": "",
    ]

    @Test func `The mocks of each target are checked, and the report names their folders`() throws {
        let both = try lines(Self.tested.merging(["Mocks/b.json": "{}"]) { $1 })
        #expect(
            try lines(Self.tested).suffix(1) + both.suffix(2) == [
                "Mocks: no problems, 2 mocks in Tests/ATests/Mocks", "Mocks: no problems, 1 mock in Mocks",
                "Mocks: no problems, 2 mocks in Tests/ATests/Mocks",
            ])
        let broken = try lines(Self.tested.merging(["Tests/ATests/Mocks/b.json": "{"]) { $1 })
        #expect(
            broken == [
                "Environments: 1 key in 1 environment", "Mocks: 2 mocks in Tests/ATests/Mocks",
                "Tests/ATests/Mocks/b.json:1:2: error: unexpected end of text where a key in double quotes is expected",
            ])
    }

    @Test func `Without mocks, the report names the folders that it looked at`() throws {
        let folder = try TemporaryFolder(["Environments/A-Env.json": Self.environment, "Tests/ATests/A.swift": ""])
        let text = folder.relative(CheckReport(below: folder.url).text)
        let isNamed = text.contains("Mocks: none; looked for a folder Mocks in ")
        #expect(isNamed && text.hasSuffix(", Tests/ATests"), "\(text)")
    }

    @Test func `A target or a root that does not exist is the only problem`() throws {
        let folder = try TemporaryFolder(Self.tested)
        let hints = [
            "ATests": " (did you mean \"Tests/ATests\"?)", "Tests/ATest": " (did you mean \"Tests/ATests\"?)",
            "Nothing": "",
        ]
        for (target, hint) in hints {
            let text = folder.relative(CheckReport(below: folder.url, targets: [folder[target]]).text)
            #expect(
                text == """
                    Environments: 1 key in 1 environment

                    \(target): error: the folder does not exist\(hint). Fix: pass the path of a target's folder
                    """)
        }
        let text = folder.relative(CheckReport(below: folder["nope"]).text)
        #expect(text == "nope: error: the folder does not exist. Fix: correct --path")
    }

    @Test func `The folders of targets can be given`() throws {
        let folder = try TemporaryFolder(["Model/Mocks/a.json": "{", "Tests/ATests/Mocks/b.json": "{", "Other/x": ""])
        // `check .` checks all.
        let paths = [["Model", "Other", "Missing"], ["."]].map { targets in
            CheckReport(below: folder.url, targets: targets.map { folder[$0].standardizedFileURL }).problems
                .map { folder.relative($0.path ?? "") }
        }
        #expect(paths == [["Model/Mocks/a.json", "Missing"], ["Tests/ATests/Mocks/b.json"]])
    }

    @Test func `A file generated for a target is compared with the folders of this target`() throws {
        let folder = try TemporaryFolder(Self.tested)
        let text = CheckedFolders(below: folder["Tests/ATests"]).generated.text
        try folder.write(Data(text.utf8), to: "Tests/ATests/Names.swift")
        let errors = CheckReport(below: folder.url).errors
        try folder.write(Data("{}".utf8), to: "Tests/ATests/Mocks/new.json")
        #expect((errors, CheckReport(below: folder.url).errors) == (0, 1))
    }

    @Test func `A generated file that is out of date is an error, unless an environment cannot be read`() throws {
        let folder = try TemporaryFolder(["Environments/A-Env.json": Self.environment, "Mocks/b.json": "{}"])
        let text = CheckedFolders(below: folder.url).generated.text
        try folder.write(Data(text.utf8), to: "Sources/App/Names.swift")
        try folder.write(Data((text + "//").utf8), to: ".build/Names.swift")
        var problems = [CheckReport(below: folder.url).problems]
        try folder.write(Data("{}".utf8), to: "Mocks/c.json")
        problems.append(CheckReport(below: folder.url).problems)
        try folder.write(Data("{".utf8), to: "Environments/A-Env.json")
        problems.append(CheckReport(below: folder.url).problems)
        #expect(
            problems.map { $0.map { folder.relative($0.location) + " " + $0.message } } == [
                [], ["Sources/App/Names.swift:1:1 the generated file is out of date"],
                ["Environments/A-Env.json:1:2 unexpected end of text where a key in double quotes is expected"],
            ])
    }

    @Test func `The JSON report contains every problem`() throws {
        let folder = try TemporaryFolder([
            "Environments/A-Env.json": Self.environment,
            "Environments/B-Env.json": #"{"$optional": ["baseURL"]}"#, "Mocks/a": "", "Mocks/a.json": "1",
        ])
        let json =
            try JSONSerialization.jsonObject(with: Data(CheckReport(below: folder.url).json.utf8)) as? [String: Any]
        #expect(
            (json?["targets"] as? [String], json?["errors"] as? Int, json?["warnings"] as? Int) == (["A", "B"], 1, 1))
        let problem = (json?["problems"] as? [[String: Any]])?.first
        #expect(
            (
                problem?["kind"] as? String, problem?["key"] as? String, problem?["severity"] as? String,
                problem?["line"] as? Int
            ) == ("missing", "a", "error", 1))
    }

    @Test func `A variable that the app refuses is part of the explanation`() throws {
        let folder = try TemporaryFolder(["Environments/A-Env.json": #"{"logging": false, "hosts": ["a"]}"#])
        let variables = ["ENV__LOGGING": "on", "ENV__HOSTS": "a,b", "ENV__LOGING": "true"]
        let text = try KeyExplanation("logging", in: "A", below: folder.url, variables: variables).text
        #expect(
            folder.relative(text) == """
                A: logging = false
                  from Environments/A-Env.json:1
                  environment variable ENV__HOSTS: error: its value is not a list. Fix: write it as JSON, such as ["a", "b"]
                  environment variable ENV__LOGGING: error: its value is not a boolean. Fix: write true or false
                  environment variable ENV__LOGING: error: it matches no key of the environment (did you mean "ENV__LOGGING"?). Fix: correct its name, or declare the key in a file
                """)
    }

    @Test func `A key is explained in each environment`() throws {
        let folder = try TemporaryFolder([
            "Environments/A-Env.json": #"{"a": 1}"#, "Environments/B-Env.json": #"{"$secrets": ["a"], "a": null}"#,
        ])
        func explained(_ key: String, in environment: String?, below root: URL, _ variables: [String: String] = [:])
            throws -> String
        {
            do {
                let key = try KeyExplanation(key, in: environment, below: root, variables: variables)
                return "\(key.isKnown ? "known" : "unknown")\n" + folder.relative(key.text)
            } catch {
                return folder.relative(error.description)
            }
        }
        #expect(
            try explained("a", in: nil, below: folder.url, ["ENV__A": "2"]) == """
                known
                A: a = 2
                  from environment variable ENV__A
                  over Environments/A-Env.json:1
                B: a = <secret a>
                  from environment variable ENV__A
                  over Environments/B-Env.json:1
                """)
        let others = try [
            explained("b", in: "A", below: folder.url), explained("b", in: nil, below: folder.url),
            explained("a", in: "AA", below: folder.url), explained("a", in: nil, below: folder["Sources"]),
        ]
        #expect(
            others == [
                "unknown\nA: b is not in any layer", "unknown\nA, B: b is not in any layer",
                "Environments: error: there is no environment \"AA\" (did you mean \"A\"?). Fix: use one of A, B",
                "Sources/Environments: error: the folder does not exist. Fix: pass the folder that contains it with --path",
            ])
    }
}
