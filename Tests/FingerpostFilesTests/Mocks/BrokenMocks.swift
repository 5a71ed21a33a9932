import Foundation
import Testing

@testable import FingerpostFiles

/// A broken mocks folder, and the expected report of checking it on 31 January 2026.
struct BrokenMocks: CustomTestStringConvertible, Sendable {
    let name: String
    var files: [String: String] = [:]
    /// Files with contents that are not text.
    var data: [String: Data] = [:]
    /// Links: the target by the name of the link.
    var links: [String: String] = [:]
    /// A listing to use instead of files, for names that file systems of test machines cannot store.
    var listing: [String] = []
    /// One line per problem. A line that ends in `…` is a prefix, because the rest depends on the system.
    let report: String

    var testDescription: String { name }

    /// The settings `job.mock.json` beside `job.json`.
    init(_ name: String, settings: String, and files: [String: String] = [:], report: String) {
        self.name = name
        self.files = files.merging(["job.mock.json": settings, "job.json": "{}"]) { first, _ in first }
        self.report = report
    }

    init(
        _ name: String, _ files: [String: String] = [:], data: [String: Data] = [:], links: [String: String] = [:],
        listing: [String] = [], report: String
    ) {
        (self.name, self.files, self.data) = (name, files, data)
        (self.links, self.listing, self.report) = (links, listing, report)
    }
}

extension BrokenMocks {
    static let all = keys + values + answers + otherFiles + names + links + bodies + several + scenarios

    // MARK: Names

    private static let names = [
        BrokenMocks(
            "Two bodies for one variant",
            [
                "login.json": "1", "login.401.json": "1", "login.401": "", "login.locked.json": "1",
                "login.locked.423.json": "1",
            ],
            report: #"""
                login.401: error: the variant "401" of "login" has more than one body: login.401 and login.401.json. Fix: keep one of them
                login.locked.423.json: error: the variant "locked" of "login" has more than one body: login.locked.423.json and login.locked.json. Fix: keep one of them
                """#),
        BrokenMocks(
            "Bodies that nothing uses",
            [
                "a.json": "1", "a.txt": "", "a.mock.json": #"{"body": "a.txt"}"#, "b.json": "1", "b.html": "",
                "b.mock.json": #"{"recorded": {"at": "2026-01-31T00:00:00Z"}}"#, "c.json": "1", "c.txt": "",
                "d.json": "1", "d.404.json": "1", "d.404.mock.json": #"{"body": "a.txt"}"#, "e.json": "1",
                "e.mock.json": #"{"body": "f.json", "sequence": [{}, {"body": "e.json"}]}"#, "f.json": "1", "f.csv": "",
                "f.mock.json": #"{"recorded": {"at": "2026-01-31T00:00:00Z"}}"#, "g.mock.json": #"{"body": "f.csv"}"#,
                "h.json": "1", "h.txt": "", "h.png": "", "h.txt.mock.json": #"{"status": 200}"#,
                "h.mock.json": #"{"recorded": {"at": "2026-01-31T00:00:00Z"}}"#,
            ],
            report: #"""
                a.json: warning: nothing uses this body: the settings a.mock.json name a.txt. Fix: remove it
                b.html: warning: only a route with the mock "b.html" uses this body; the recording of "b" has the body b.json. Fix: remove it if the server sent it before
                d.404.json: warning: nothing uses this body: the settings d.404.mock.json name a.txt. Fix: remove it
                """#),
        BrokenMocks(
            "Two default bodies", ["created.200.json": "1", "created.201.json": "1"],
            report:
                #"created.200.json: error: the mock "created" has more than one body: created.200.json and created.201.json. Fix: keep one of them"#
        ),
        BrokenMocks(
            "A body hidden by another file", ["a": "", "a.json": "1"],
            report: #"a: warning: no route can name this mock: "a" names a.json. Fix: rename one of them"#),
        BrokenMocks(
            "JSON and a stream for one mock",
            ["a.json": "1", "a.events": "data: 1\n\n", "b.ndjson": "1\n", "b.slow.events": "", "b.slow.ndjson": ""],
            report: #"""
                a.events: error: the mock "a" has more than one body: a.events and a.json. Fix: keep one of them
                b.slow.events: error: the variant "slow" of "b" has more than one body: b.slow.events and b.slow.ndjson. Fix: keep one of them
                """#),
        BrokenMocks(
            "Variants without a default answer",
            ["login.401.json": "1", "users/show.locked.423.json": "1", "x.500.mock.json": "{\"status\": 500}"],
            report: #"""
                login.401.json: warning: this is the variant "401" of "login", which has no default answer. Fix: add login.json, or rename it
                users/show.locked.423.json: warning: this is the variant "423" of "users/show.locked", which has no default answer. Fix: add users/show.locked.json, or rename it
                x.500.mock.json: warning: this is the variant "500" of "x", which has no default answer. Fix: add x.json, or rename it
                """#),
        BrokenMocks(
            "Variants of a variant", ["a.json": "1", "a.b.json": "1", "a.b.c.json": "1"],
            report:
                #"a.b.c.json: error: this is the variant "c" of "a.b", which is itself the variant "b" of "a". Fix: replace one of the dots with -"#
        ),
        BrokenMocks(
            "Reserved names", ["a.mock": ""],
            report: #"""
                a.mock: error: no route can name this mock: it ends in .mock, which is reserved for settings files. Fix: rename it
                """#),
        BrokenMocks(
            "Invalid names",
            [
                "a\\b.json": "1", "c.json.401": "", "c.json.json": "1", "d.json.401": "", "_scenarios.mock.json": "{}",
                "_Scenarios.json": "{}", "users/_scenarios.json": "1",
            ],
            report: #"""
                _Scenarios.json: error: no route can name this mock: _scenarios.json contains the scenarios, and is no mock. Fix: rename it
                _scenarios.mock.json: error: no route can name this mock: _scenarios.json contains the scenarios, and is no mock. Fix: rename it
                a\b.json: error: no route can name this mock: it contains a backslash; folders are separated by /. Fix: rename it
                c.json.json: warning: only a route with the mock "c.json" uses this file. Fix: rename it to c.json
                d.json.401: error: no route can name this mock: .json is allowed only at the end of a name. Fix: rename it
                """#),
        BrokenMocks(
            "Folders named like mocks", ["user.json/": "", "users.json/show.json": "1"],
            report: #"""
                user.json: warning: this folder is named like a mock. Fix: rename it without .json
                users.json: warning: this folder is named like a mock. Fix: rename it without .json
                """#),
        BrokenMocks(
            "Names that differ only in letter case, on a case-sensitive file system",
            listing: [
                "Users/", "Users/show.json", "users/", "users/show.json", "Login.401.json", "login.json",
                "login.401.json",
            ],
            report: #"""
                Login.401.json: warning: this is the variant "401" of "Login", which has no default answer. Fix: add Login.json, or rename it
                login.401.json: error: its name and "Login.401.json" differ only in letter case, which some file systems ignore. Fix: rename one of them
                users: error: its name and "Users" differ only in letter case, which some file systems ignore. Fix: rename one of them
                """#),
        BrokenMocks(
            "The same characters in different bytes", listing: ["gr\u{F6}\u{DF}e.json", "gro\u{308}\u{DF}e.json"],
            report:
                #"größe.json: error: its name and "größe.json" have the same characters in different bytes, which some file systems ignore. Fix: rename one of them"#
        ),
        BrokenMocks(
            "Names with emoji, dots and letters of all scripts",
            [
                "🦉.json": "1", "🦉.👩‍👩‍👧.json": "1", "🦉.👩‍👩‍👧.418.json": "1", "a..json": "1", "a.b..json": "1",
                "日本/東京.404.json": "1", "e\u{301}.json/": "", "\u{600}.json": "",
            ],
            report: #"""
                é.json: warning: this folder is named like a mock. Fix: rename it without .json
                ؀.json: warning: the file is empty, which is right only for routes without a response. Fix: write the JSON that the server sends, or replace the file by settings with "status": 204
                日本/東京.404.json: warning: this is the variant "404" of "日本/東京", which has no default answer. Fix: add 日本/東京.json, or rename it
                🦉.👩‍👩‍👧.418.json: error: the variant "👩‍👩‍👧" of "🦉" has more than one body: 🦉.👩‍👩‍👧.418.json and 🦉.👩‍👩‍👧.json. Fix: keep one of them
                """#),
    ]

    // MARK: Links

    private static let links = [
        BrokenMocks(
            "Links that lead outside", ["user.json": "1"],
            links: [
                "passwd.json": "/etc/passwd", "up.json": "../../", "settings.mock.json": "/etc/hostname",
                "neighbour.json": "../MocksOfOthers.json",
            ],
            report: #"""
                neighbour.json: error: this is a link to a file that does not exist. Fix: correct or remove it
                passwd.json: error: this link leads outside the folder. Fix: replace it with the file
                settings.mock.json: error: this link leads outside the folder. Fix: replace it with the file
                up.json: error: this link leads outside the folder. Fix: replace it with the file
                """#),
        BrokenMocks(
            "Broken links", ["user.json": "1"],
            links: ["a.json": "gone.json", "self": "self"],
            report: #"""
                a.json: error: this is a link to a file that does not exist. Fix: correct or remove it
                self: error: this is a link to a file that does not exist. Fix: correct or remove it
                """#),
        BrokenMocks(
            "Links to folders", ["users/show.json": "1"],
            links: [
                "people": "users", "out": "/tmp", "users/up": "..", "further": "..", "loop.json": "users/..",
            ],
            report: #"""
                further: error: this link leads outside the folder. Fix: replace it with the file
                loop.json: error: this is a link to a folder that contains it. Fix: remove it
                out: error: this link leads outside the folder. Fix: replace it with the file
                people: error: this is a link to a folder, which is not followed. Fix: replace it with the folder
                users/up: error: this is a link to a folder that contains it. Fix: remove it
                """#),
        BrokenMocks(
            "A pipe instead of a file", listing: ["pipe.json|"],
            report: #"pipe.json: error: this is not a regular file. Fix: replace it with the file"#),
    ]

    // MARK: Bodies

    private static let bodies = [
        BrokenMocks(
            "Bodies that are not valid JSON",
            [
                "a.json": "{\n  \"a\": 1,\n}", "b.json": "", "c.json": "not", "d/e.json": "[1]\n[2]", "f.204.json": "",
                "g.json": "\"\\ud800\"", "h.mock.json": "{\"body\": \"i.txt\"}",
                "i.txt": "not",
            ],
            report: #"""
                a.json:3:1: error: unexpected } where a key in double quotes is expected. Fix: remove the comma after the last entry
                b.json: warning: the file is empty, which is right only for routes without a response. Fix: write the JSON that the server sends, or replace the file by settings with "status": 204
                c.json:1:1: error: unexpected n where a value is expected
                d/e.json:2:1: error: unexpected [ after the end of the JSON value
                g.json:1:2: error: a \u escape is half of a surrogate pair
                """#),
        BrokenMocks(
            "Bodies of other formats, and bodies that are broken on purpose",
            [
                "bad-json.json": "{\"a\": 1,}",
                "comment.json": "{\n  /* a */ \"a\": 1}",
                "lfs.json": "version https://git-lfs.github.com/spec/v1\noid sha256:0\n",
                "merge.json": "{\n<<<<<<< HEAD\n\"a\": 1\n=======\n\"a\": 2\n>>>>>>> b\n}",
                "page.json": "\n<!DOCTYPE html><html></html>", "plist.json": "<?xml version=\"1.0\"?><plist/>",
                "python.json": "{\"a\": True}", "yaml.json": "a: 1\nb: 2\n",
            ],
            report: #"""
                bad-json.json:1:9: error: unexpected } where a key in double quotes is expected. Fix: to answer with broken JSON, write {"failure": "malformed"} in settings beside a correct body, or name the file with another extension and list it as "body" in settings
                comment.json:2:3: error: unexpected / where a key in double quotes is expected. Fix: remove the comment; JSON has none
                lfs.json:1:1: error: unexpected v where a value is expected. Fix: run git lfs pull; this is the pointer of Git LFS
                merge.json:2:1: error: unexpected < where a key in double quotes is expected. Fix: resolve the merge: the file contains the marks of both sides
                page.json:2:1: error: unexpected < where a value is expected. Fix: save what the server sends as data; this is a page in HTML
                plist.json:1:1: error: unexpected < where a value is expected. Fix: write JSON; this is XML, such as a property list, whose name ends in .plist
                python.json:1:7: error: unexpected T where a value is expected. Fix: write true, false or null
                yaml.json:1:1: error: unexpected a where a value is expected. Fix: write JSON; this looks like YAML
                """#),
        BrokenMocks(
            "Bodies in other encodings",
            data: ["a.json": Data([0xFF, 0xFE, 0x31, 0]), "b.json": Data([0x22, 0xFF, 0x22])],
            report: #"""
                a.json:1:1: error: the file is not UTF-8. Fix: save the file as UTF-8
                b.json:1:2: error: a string is not valid UTF-8. Fix: save the file as UTF-8
                """#),
    ]

    private static let several = [
        BrokenMocks(
            "Everything at once",
            [
                "job.json": "{\n\"a\": }", "job.Pending.json": "1", "job.pending.json": "1",
                "job.mock.json": """
                {
                  "for": "GET jobs",
                  "stauts": 200,
                  "sequence": [{ "status": 20, "body": "../x" }, { "failure": "timedout" }],
                  "then": { "jobs": "x" }
                }
                """,
                "jobs.json/": "", "x.404.json": "1",
            ],
            report: #"""
                job.json:2:6: error: unexpected } where a value is expected
                job.mock.json:2:10: error: "for" is "GET jobs": the path "jobs" does not start with /. Fix: write the path below the base URL
                job.mock.json:3:3: error: unknown key "stauts" in the settings of a mock (did you mean "status"?). Fix: use one of $schema, for, status, headers, delay, pace, failure, open, body, then, sequence, after, recorded
                job.mock.json:4:28: error: "status" is 20 where a whole number from 100 to 599 is expected
                job.mock.json:4:40: error: "body" is "../x": it leads outside the mocks folder. Fix: copy the file into Mocks
                job.mock.json:4:63: error: "timedout" is not a valid value of "failure" (did you mean "timedOut"?). Fix: use truncated, malformed, empty, or the name of a URLError.Code such as timedOut
                job.mock.json:5:21: error: the mock "jobs" has no variant "x". Fix: add jobs.x.json
                job.pending.json: error: its name and "job.Pending.json" differ only in letter case, which some file systems ignore. Fix: rename one of them
                jobs.json: warning: this folder is named like a mock. Fix: rename it without .json
                x.404.json: warning: this is the variant "404" of "x", which has no default answer. Fix: add x.json, or rename it
                """#)
    ]
}
