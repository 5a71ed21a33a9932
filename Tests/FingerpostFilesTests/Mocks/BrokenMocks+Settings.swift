import Foundation

/// Settings that cannot be read, and invalid values.
extension BrokenMocks {
    static let keys = [
        BrokenMocks(
            "Unknown keys", settings: "{\n\"dealy\": 1,\n\"Status\": 200,\n\"xyz\": 1}",
            report: #"""
                job.mock.json:2:1: error: unknown key "dealy" in the settings of a mock (did you mean "delay"?). Fix: use one of $schema, for, status, headers, delay, pace, failure, open, body, then, sequence, after, recorded
                job.mock.json:3:1: error: unknown key "Status" in the settings of a mock (did you mean "status"?). Fix: use one of $schema, for, status, headers, delay, pace, failure, open, body, then, sequence, after, recorded
                job.mock.json:4:1: error: unknown key "xyz" in the settings of a mock. Fix: use one of $schema, for, status, headers, delay, pace, failure, open, body, then, sequence, after, recorded
                """#),
        BrokenMocks(
            "Unknown keys in a sequence", settings: "{\"sequence\": [{\"for\": \"GET /\",\n\"stats\": 1}]}",
            report: #"""
                job.mock.json:1:16: error: unknown key "for" in an answer of the sequence. Fix: use one of status, headers, delay, pace, failure, open, body, then, after
                job.mock.json:2:1: error: unknown key "stats" in an answer of the sequence (did you mean "status"?). Fix: use one of status, headers, delay, pace, failure, open, body, then, after
                """#),
        BrokenMocks(
            "A duplicate key", settings: "{\"status\": 200,\n\"delay\": 1,\n\"status\": 201}",
            report: #"job.mock.json:3:1: error: duplicate key "status". Fix: keep one of them"#),
        BrokenMocks(
            "Duplicate nested keys",
            settings:
                "{\"headers\": {\"A\": \"1\",\n\"a\": \"2\"},\n\"delay\": {\"median\": 1, \"p99\": 2,\n\"p99\": 3},\n\"recorded\": {\"at\": \"2026-01-01T00:00:00Z\",\n\"at\": \"2026-01-02T00:00:00Z\"}}",
            report: #"""
                job.mock.json:2:1: error: duplicate key "a". Fix: keep one of them
                job.mock.json:4:1: error: duplicate key "p99". Fix: keep one of them
                job.mock.json:6:1: error: duplicate key "at". Fix: keep one of them
                """#),
        BrokenMocks(
            "Empty settings", settings: "",
            report: #"job.mock.json:1:1: error: the file is empty. Fix: write a JSON value, for example {}"#),
        BrokenMocks(
            "Settings that are a list", settings: "[{\"status\": 200}]",
            report: #"job.mock.json:1:1: error: the file contains a list, not settings. Fix: write { "status": 404 }"#),
        BrokenMocks(
            "A byte order mark before a problem", settings: "\u{FEFF}{\n  \"status\": 20}",
            report: #"job.mock.json:2:13: error: "status" is 20 where a whole number from 100 to 599 is expected"#),
        BrokenMocks(
            "Settings of a megabyte", settings: String(repeating: " ", count: 1_000_001),
            report:
                #"job.mock.json: error: the file has 1000001 bytes; a settings file can have at most 1000000. Fix: move the content into a body file"#
        ),
    ]

    static let values = [
        BrokenMocks(
            "Wrong types",
            settings:
                "{\"$schema\": 1, \"for\": [], \"status\": \"200\", \"headers\": [\"a\"], \"delay\": \"1\",\n\"failure\": {}, \"body\": {}, \"open\": \"now\", \"sequence\": {}, \"after\": true, \"then\": \"x\", \"recorded\": \"now\"}",
            report: #"""
                job.mock.json:1:13: error: "$schema" is 1 where text is expected
                job.mock.json:1:23: error: "for" is a list where text is expected
                job.mock.json:1:37: error: "status" is a string where a whole number from 100 to 599 is expected
                job.mock.json:1:55: error: "headers" is a list where a dictionary is expected. Fix: write { "ETag": "1" }
                job.mock.json:1:71: error: "delay" is a string where a time in seconds from 0 to 86400 is expected. Fix: write 0.25, [0.1, 0.6] from the shortest to the longest, or { "median": 0.2, "p99": 1.5 }
                job.mock.json:2:12: error: "failure" is a dictionary where text is expected. Fix: use truncated, malformed, empty, or the name of a URLError.Code such as timedOut
                job.mock.json:2:24: error: "body" is a dictionary where text is expected
                job.mock.json:2:36: error: "open" is a string where true or false is expected. Fix: write true if the connection stays open after the body
                job.mock.json:2:55: error: "sequence" is a dictionary where a list of answers is expected. Fix: write [{ "status": 202 }]
                job.mock.json:2:68: error: "after" is a boolean where text is expected. Fix: use fail, repeatLast, loop
                job.mock.json:2:82: error: "then" is a string where a dictionary is expected. Fix: write { "jobs/list": "withNew" }
                job.mock.json:2:99: error: "recorded" is a string where a dictionary is expected. Fix: write { "at": "2026-01-31T12:00:00Z" }
                """#),
        BrokenMocks(
            "Wrong values of a pace",
            settings: "{\"pace\": {\"each\": \"lines\",\n\"delay\": -1}, \"open\": 1}",
            and: [
                "a.json": "1", "a.mock.json": "{\"pace\": \"event\", \"open\": null}", "b.json": "1",
                "b.mock.json": "{\"pace\": {\"each\": \"bytes:0\", \"delai\": 1}}", "c.json": "1",
                "c.mock.json": "{\"pace\": {\"each\": 4096, \"delay\": [1, 2]}}",
            ],
            report: #"""
                a.mock.json:1:10: error: "pace" is a string where a dictionary is expected. Fix: write { "each": "line", "delay": 0.2 }
                a.mock.json:1:27: error: "open" is null where true or false is expected. Fix: write true if the connection stays open after the body
                b.mock.json:1:19: error: "each" is "bytes:0": it is no chunk of a body. Fix: use event, line, or a number of bytes: bytes:4096
                b.mock.json:1:30: error: unknown key "delai" in "pace" (did you mean "delay"?). Fix: use one of each, delay
                c.mock.json:1:19: error: "each" is 4096 where text is expected
                c.mock.json:1:34: error: "delay" is a list where a time in seconds from 0 to 86400 is expected. Fix: write the time before each chunk, for example 0.2
                job.mock.json:1:19: error: "each" is "lines": it is no chunk of a body (did you mean "line"?). Fix: use event, line, or a number of bytes: bytes:4096
                job.mock.json:2:10: error: "delay" is -1 where a time in seconds from 0 to 86400 is expected. Fix: write the time before each chunk, for example 0.2
                job.mock.json:2:23: error: "open" is 1 where true or false is expected. Fix: write true if the connection stays open after the body
                """#),
        BrokenMocks(
            "Wrong types of nested values",
            settings:
                "{\"headers\": {\"A\": 1, \"B\": [\"x\", null]},\n\"body\": 1,\n\"then\": {\"job\": null},\n\"recorded\": {\"at\": 1, \"from\": [], \"expires\": 90},\n\"sequence\": [1, null]}",
            report: #"""
                job.mock.json:1:19: error: the header "A" is an integer. Fix: put it in quotes
                job.mock.json:1:33: error: the header "B" is null. Fix: put it in quotes
                job.mock.json:2:9: error: "body" is 1 where text is expected
                job.mock.json:3:17: error: "job" is null where text is expected
                job.mock.json:4:20: error: "at" is 1 where text is expected
                job.mock.json:4:31: error: "from" is a list where text is expected
                job.mock.json:4:46: error: "expires" is 90 where text is expected
                job.mock.json:5:14: error: "sequence" contains an integer where answers are expected. Fix: write [{ "status": 202 }]
                job.mock.json:5:17: error: "sequence" contains null where answers are expected. Fix: write [{ "status": 202 }]
                """#),
        BrokenMocks(
            "Statuses out of range",
            settings:
                "{\"sequence\": [{\"status\": 99},\n{\"status\": 600},\n{\"status\": 200.5}]}",
            report: #"""
                job.mock.json:1:26: error: "status" is 99 where a whole number from 100 to 599 is expected
                job.mock.json:2:12: error: "status" is 600 where a whole number from 100 to 599 is expected
                job.mock.json:3:12: error: "status" is 200.5 where a whole number from 100 to 599 is expected
                """#),
        BrokenMocks(
            "Invalid delays",
            settings:
                "{\"sequence\": [{\"delay\": -0.1},\n{\"delay\": 86401},\n{\"delay\": [2, 1]},\n{\"delay\": [\"0\", 1]},\n{\"delay\": {\"median\": 2, \"p99\": 1}},\n{\"delay\": {\"median\": 0, \"p99\": 1}},\n{\"delay\": {\"mean\": 1, \"p99\": 2}}]}",
            report: #"""
                job.mock.json:1:25: error: "delay" is -0.1 where a time in seconds from 0 to 86400 is expected. Fix: write 0.25, [0.1, 0.6] from the shortest to the longest, or { "median": 0.2, "p99": 1.5 }
                job.mock.json:2:11: error: "delay" is 86401 where a time in seconds from 0 to 86400 is expected. Fix: write 0.25, [0.1, 0.6] from the shortest to the longest, or { "median": 0.2, "p99": 1.5 }
                job.mock.json:3:11: error: "delay" is a list where a time in seconds from 0 to 86400 is expected. Fix: write 0.25, [0.1, 0.6] from the shortest to the longest, or { "median": 0.2, "p99": 1.5 }
                job.mock.json:4:11: error: "delay" is a list where a time in seconds from 0 to 86400 is expected. Fix: write 0.25, [0.1, 0.6] from the shortest to the longest, or { "median": 0.2, "p99": 1.5 }
                job.mock.json:5:11: error: "delay" is a dictionary where a time in seconds from 0 to 86400 is expected. Fix: write 0.25, [0.1, 0.6] from the shortest to the longest, or { "median": 0.2, "p99": 1.5 }
                job.mock.json:6:11: error: "delay" is a dictionary where a time in seconds from 0 to 86400 is expected. Fix: write 0.25, [0.1, 0.6] from the shortest to the longest, or { "median": 0.2, "p99": 1.5 }
                job.mock.json:7:11: error: "delay" is a dictionary where a time in seconds from 0 to 86400 is expected. Fix: write 0.25, [0.1, 0.6] from the shortest to the longest, or { "median": 0.2, "p99": 1.5 }
                job.mock.json:7:12: error: unknown key "mean" in "delay" (did you mean "median"?). Fix: use one of median, p99
                """#),
        BrokenMocks(
            "Headers that cannot be sent",
            settings:
                "{\"headers\": {\"X A\": \"1\",\n\"\": \"1\",\n\"X-ä\": \"1\",\n\"X-B\": \"a\\r\\nSet-Cookie: x\"}}",
            report: #"""
                job.mock.json:1:14: error: "X A" is not a valid header name. Fix: use letters, digits and !#$%&'*+-.^_`|~
                job.mock.json:2:1: error: "" is not a valid header name. Fix: use letters, digits and !#$%&'*+-.^_`|~
                job.mock.json:3:1: error: "X-ä" is not a valid header name. Fix: use letters, digits and !#$%&'*+-.^_`|~
                job.mock.json:4:8: error: the header "X-B" contains a line break or a NUL character. Fix: remove it
                """#),
        BrokenMocks(
            "Invalid routes", settings: "{\"for\": \"/jobs\"}",
            and: [
                "a.mock.json": "{\"status\": 200, \"for\": \"GET jobs\"}",
                "b.mock.json": "{\"status\": 200, \"for\": \"get /jobs\"}",
                "d.mock.json": "{\"status\": 200, \"for\": \"G(T /jobs\"}",
                "e.mock.json": "{\"status\": 200, \"for\": \"GET /jobs/{id\"}",
                "f.mock.json": "{\"status\": 200, \"for\": \"GET /jobs/x{id}\"}",
                "g.mock.json": "{\"status\": 200, \"for\": \"GET /jobs?page=1&\"}",
                "h.mock.json": "{\"status\": 200, \"for\": \"GET /größe\"}",
                "l.mock.json": "{\"status\": 200, \"for\": \"GET /jobs#1\"}",
            ],
            report: #"""
                a.mock.json:1:24: error: "for" is "GET jobs": the path "jobs" does not start with /. Fix: write the path below the base URL
                b.mock.json:1:24: error: "for" is "get /jobs": methods are case-sensitive, and servers do not know "get". Fix: write GET
                d.mock.json:1:24: error: "for" is "G(T /jobs": "G(T" is not a valid method. Fix: write "GET /jobs/{id}"
                e.mock.json:1:24: error: "for" is "GET /jobs/{id": "{id" is not a valid placeholder. Fix: put a whole segment in braces: {id}, or write %7B for a brace
                f.mock.json:1:24: error: "for" is "GET /jobs/x{id}": "x{id}" is not a valid placeholder. Fix: put a whole segment in braces: {id}, or write %7B for a brace
                g.mock.json:1:24: error: "for" is "GET /jobs?page=1&": the query "page=1&" has an empty item. Fix: write "GET /jobs?page=2"
                h.mock.json:1:24: error: "for" is "GET /größe": "größe" is not percent-encoded. Fix: percent-encode it, for example %C3%A4
                job.mock.json:1:9: error: "for" is "/jobs": it is not a method and a path separated by a space. Fix: write "GET /jobs/{id}"
                l.mock.json:1:24: error: "for" is "GET /jobs#1": the path contains a fragment. Fix: remove it
                """#),
        BrokenMocks(
            "A recording without a date", settings: "{\"recorded\":\n{\"form\": \"Staging\"}}",
            report: #"""
                job.mock.json:2:1: error: "recorded" has no date. Fix: add "at": "2026-01-31T12:00:00Z"
                job.mock.json:2:2: error: unknown key "form" in "recorded" (did you mean "from"?). Fix: use one of at, from, by, expires
                """#),
        BrokenMocks(
            "Invalid times of a recording",
            settings: "{\"recorded\": {\"at\": \"yesterday\",\n\"expires\": \"90\"}}",
            and: ["a.mock.json": "{\"status\": 200, \"recorded\": {\"at\": \"\", \"expires\": \"99999999999d\"}}"],
            report: #"""
                a.mock.json:1:36: error: "at" is "": it is not a date. Fix: write it as 2026-01-31T12:00:00Z
                a.mock.json:1:51: error: "expires" is "99999999999d": it is not a duration. Fix: write 90d, 12h, 30m or 45s
                job.mock.json:1:21: error: "at" is "yesterday": it is not a date. Fix: write it as 2026-01-31T12:00:00Z
                job.mock.json:2:12: error: "expires" is "90": it is not a duration. Fix: write 90d, 12h, 30m or 45s
                """#),
        BrokenMocks(
            "Expired recordings",
            settings:
                "{\n\"recorded\": {\"at\": \"2025-10-01T10:00:00Z\", \"from\": \"Staging\", \"expires\": \"90d\"}}",
            and: [
                "job.401.json": "1",
                "new.mock.json":
                    "{\"status\": 200, \"recorded\": {\"at\": \"2026-01-01T10:00:00Z\", \"expires\": \"90d\"}}",
            ],
            report: #"job.mock.json:2: warning: the recording expired at 2025-12-30T10:00:00Z. Fix: record it again"#),
    ]
}
