/// Settings of mocks that cannot be read or contradict themselves or other files.
extension BrokenMocks {
    private static let body = ["job.json": "{}"]

    static let keys = WrittenCase.table(
        #"""
        Unknown keys
        job.mock.json = {↵"dealy": 1,↵"Status": 200,↵"xyz": 1}
        job.mock.json:2:1: error: unknown key "dealy" in the settings of a mock (did you mean "delay"?). Fix: use one of $schema, for, status, headers, delay, pace, failure, open, body, then, sequence, after, recorded
        job.mock.json:3:1: error: unknown key "Status" in the settings of a mock (did you mean "status"?). Fix: use one of $schema, for, status, headers, delay, pace, failure, open, body, then, sequence, after, recorded
        job.mock.json:4:1: error: unknown key "xyz" in the settings of a mock. Fix: use one of $schema, for, status, headers, delay, pace, failure, open, body, then, sequence, after, recorded

        Unknown keys in a sequence
        job.mock.json = {"sequence": [{"for": "GET /",↵"stats": 1}]}
        job.mock.json:1:16: error: unknown key "for" in an answer of the sequence. Fix: use one of status, headers, delay, pace, failure, open, body, then, after
        job.mock.json:2:1: error: unknown key "stats" in an answer of the sequence (did you mean "status"?). Fix: use one of status, headers, delay, pace, failure, open, body, then, after

        A duplicate key
        job.mock.json = {"status": 200,↵"delay": 1,↵"status": 201}
        job.mock.json:3:1: error: duplicate key "status". Fix: keep one of them

        Duplicate nested keys
        job.mock.json = {"headers": {"A": "1",↵"a": "2"},↵"delay": {"median": 1, "p99": 2,↵"p99": 3},
        ↵"recorded": {"at": "2026-01-01T00:00:00Z",↵"at": "2026-01-02T00:00:00Z"}}
        job.mock.json:2:1: error: duplicate key "a". Fix: keep one of them
        job.mock.json:4:1: error: duplicate key "p99". Fix: keep one of them
        job.mock.json:6:1: error: duplicate key "at". Fix: keep one of them

        Empty settings
        job.mock.json =
        job.mock.json:1:1: error: the file is empty. Fix: write a JSON value, for example {}

        Settings that are a list
        job.mock.json = [{"status": 200}]
        job.mock.json:1:1: error: the file contains a list, not settings. Fix: write { "status": 404 }

        A byte order mark before a problem
        job.mock.json = \#u{FEFF}{↵  "status": 20}
        job.mock.json:2:13: error: "status" is 20 where a whole number from 100 to 599 is expected

        Settings of a megabyte
        job.mock.json = \#(String(repeating: " ", count: 1_000_001))
        job.mock.json: error: the file has 1000001 bytes; a settings file can have at most 1000000. Fix: move the content into a body file
        """#, beside: body)

    static let values = WrittenCase.table(
        #"""
        Wrong types
        job.mock.json = {"$schema": 1, "for": [], "status": "200", "headers": ["a"], "delay": "1",
        ↵"failure": {}, "body": {}, "open": "now", "sequence": {}, "after": true, "then": "x", "recorded": "now"}
        job.mock.json:1:13: error: "$schema" is 1 where text is expected
        job.mock.json:1:23: error: "for" is a list where text is expected
        job.mock.json:1:37: error: "status" is a string where a whole number from 100 to 599 is expected
        job.mock.json:1:55: error: "headers" is a list where a dictionary is expected. Fix: write { "ETag": "1" }
        job.mock.json:1:71: error: "delay" is a string where a time in seconds from 0 to 86400 is expected. Fix: write 0.25, [0.1, 0.6] from the shortest to the longest, or { "median": 0.2, "p99": 1.5 }
        job.mock.json:2:12: error: "failure" is a dictionary where text is expected. Fix: use truncated, malformed, empty, or the name of a URLError.Code such as timedOut
        job.mock.json:2:24: error: "body" is a dictionary where the path of a file is expected. Fix: put the body itself into the mock's file, such as user.json
        job.mock.json:2:36: error: "open" is a string where true or false is expected. Fix: write true if the connection stays open after the body
        job.mock.json:2:55: error: "sequence" is a dictionary where a list of answers is expected. Fix: write [{ "status": 202 }]
        job.mock.json:2:68: error: "after" is a boolean where text is expected. Fix: use fail, repeatLast, loop
        job.mock.json:2:82: error: "then" is a string where a dictionary is expected. Fix: write { "jobs/list": "withNew" }
        job.mock.json:2:99: error: "recorded" is a string where a dictionary is expected. Fix: write { "at": "2026-01-31T12:00:00Z" }

        Wrong values of a pace
        a.json, b.json, c.json = 1
        a.mock.json = {"pace": "event", "open": null}
        b.mock.json = {"pace": {"each": "bytes:0", "delai": 1}}
        c.mock.json = {"pace": {"each": 4096, "delay": [1, 2]}}
        job.mock.json = {"pace": {"each": "lines",↵"delay": -1}, "open": 1}
        a.mock.json:1:10: error: "pace" is a string where a dictionary is expected. Fix: write { "each": "line", "delay": 0.2 }
        a.mock.json:1:27: error: "open" is null where true or false is expected. Fix: write true if the connection stays open after the body
        b.mock.json:1:19: error: "each" is "bytes:0": it is not a chunk of a body. Fix: use event, line, or a number of bytes: bytes:4096
        b.mock.json:1:30: error: unknown key "delai" in "pace" (did you mean "delay"?). Fix: use one of each, delay
        c.mock.json:1:19: error: "each" is 4096 where text is expected
        c.mock.json:1:34: error: "delay" is a list where a time in seconds from 0 to 86400 is expected. Fix: write the time before each chunk, for example 0.2
        job.mock.json:1:19: error: "each" is "lines": it is not a chunk of a body (did you mean "line"?). Fix: use event, line, or a number of bytes: bytes:4096
        job.mock.json:2:10: error: "delay" is -1 where a time in seconds from 0 to 86400 is expected. Fix: write the time before each chunk, for example 0.2
        job.mock.json:2:23: error: "open" is 1 where true or false is expected. Fix: write true if the connection stays open after the body

        Wrong types of nested values
        job.mock.json = {"headers": {"A": 1, "B": ["x", null]},↵"body": 1,↵"then": {"job": null},
        ↵"recorded": {"at": 1, "from": [], "expires": 90},↵"sequence": [1, null]}
        job.mock.json:1:19: error: the header "A" is an integer. Fix: put it in quotes
        job.mock.json:1:33: error: the header "B" is null. Fix: put it in quotes
        job.mock.json:2:9: error: "body" is 1 where the path of a file is expected. Fix: put the body itself into the mock's file, such as user.json
        job.mock.json:3:17: error: "job" is null where text is expected
        job.mock.json:4:20: error: "at" is 1 where text is expected
        job.mock.json:4:31: error: "from" is a list where text is expected
        job.mock.json:4:46: error: "expires" is 90 where text is expected
        job.mock.json:5:14: error: "sequence" contains an integer where answers are expected. Fix: write [{ "status": 202 }]
        job.mock.json:5:17: error: "sequence" contains null where answers are expected. Fix: write [{ "status": 202 }]

        Statuses out of range
        job.mock.json = {"sequence": [{"status": 99},↵{"status": 600},↵{"status": 200.5}]}
        job.mock.json:1:26: error: "status" is 99 where a whole number from 100 to 599 is expected
        job.mock.json:2:12: error: "status" is 600 where a whole number from 100 to 599 is expected
        job.mock.json:3:12: error: "status" is 200.5 where a whole number from 100 to 599 is expected

        Invalid delays
        job.mock.json = {"sequence": [{"delay": -0.1},↵{"delay": 86401},↵{"delay": [2, 1]},↵{"delay": ["0", 1]},
        ↵{"delay": {"median": 2, "p99": 1}},↵{"delay": {"median": 0, "p99": 1}},
        ↵{"delay": {"mean": 1, "p99": 2}}]}
        job.mock.json:1:25: error: "delay" is -0.1 where a time in seconds from 0 to 86400 is expected. Fix: write 0.25, [0.1, 0.6] from the shortest to the longest, or { "median": 0.2, "p99": 1.5 }
        job.mock.json:2:11: error: "delay" is 86401 where a time in seconds from 0 to 86400 is expected. Fix: write 0.25, [0.1, 0.6] from the shortest to the longest, or { "median": 0.2, "p99": 1.5 }
        job.mock.json:3:11: error: "delay" is a list where a time in seconds from 0 to 86400 is expected. Fix: write 0.25, [0.1, 0.6] from the shortest to the longest, or { "median": 0.2, "p99": 1.5 }
        job.mock.json:4:11: error: "delay" is a list where a time in seconds from 0 to 86400 is expected. Fix: write 0.25, [0.1, 0.6] from the shortest to the longest, or { "median": 0.2, "p99": 1.5 }
        job.mock.json:5:11: error: "delay" is a dictionary where a time in seconds from 0 to 86400 is expected. Fix: write 0.25, [0.1, 0.6] from the shortest to the longest, or { "median": 0.2, "p99": 1.5 }
        job.mock.json:6:11: error: "delay" is a dictionary where a time in seconds from 0 to 86400 is expected. Fix: write 0.25, [0.1, 0.6] from the shortest to the longest, or { "median": 0.2, "p99": 1.5 }
        job.mock.json:7:11: error: "delay" is a dictionary where a time in seconds from 0 to 86400 is expected. Fix: write 0.25, [0.1, 0.6] from the shortest to the longest, or { "median": 0.2, "p99": 1.5 }
        job.mock.json:7:12: error: unknown key "mean" in "delay" (did you mean "median"?). Fix: use one of median, p99

        Headers that cannot be sent
        job.mock.json = {"headers": {"X A": "1",↵"": "1",↵"X-ä": "1",↵"X-B": "a\r\nSet-Cookie: x"}}
        job.mock.json:1:14: error: "X A" is not a valid header name. Fix: use letters, digits and !#$%&'*+-.^_`|~
        job.mock.json:2:1: error: "" is not a valid header name. Fix: use letters, digits and !#$%&'*+-.^_`|~
        job.mock.json:3:1: error: "X-ä" is not a valid header name. Fix: use letters, digits and !#$%&'*+-.^_`|~
        job.mock.json:4:8: error: the header "X-B" contains a line break or a NUL character. Fix: remove it

        Invalid routes
        a.mock.json = {"status": 200, "for": "GET jobs"}
        b.mock.json = {"status": 200, "for": "get /jobs"}
        d.mock.json = {"status": 200, "for": "G(T /jobs"}
        e.mock.json = {"status": 200, "for": "GET /jobs/{id"}
        f.mock.json = {"status": 200, "for": "GET /jobs/x{id}"}
        g.mock.json = {"status": 200, "for": "GET /jobs?page=1&"}
        h.mock.json = {"status": 200, "for": "GET /größe"}
        job.mock.json = {"for": "/jobs"}
        l.mock.json = {"status": 200, "for": "GET /jobs#1"}
        m.mock.json = {"status": 200, "for": "GET /jobs/:id"}
        n.mock.json = {"status": 200, "for": "GET /jobs/*"}
        a.mock.json:1:24: error: "for" is "GET jobs": the path "jobs" does not start with /. Fix: write the path below the base URL
        b.mock.json:1:24: error: "for" is "get /jobs": methods are case-sensitive, and servers do not know "get". Fix: write GET
        d.mock.json:1:24: error: "for" is "G(T /jobs": "G(T" is not a valid method. Fix: write "GET /jobs/{id}"
        e.mock.json:1:24: error: "for" is "GET /jobs/{id": "{id" is not a valid placeholder. Fix: put a whole segment in braces: {id}, or write %7B for a brace
        f.mock.json:1:24: error: "for" is "GET /jobs/x{id}": "x{id}" is not a valid placeholder. Fix: put a whole segment in braces: {id}, or write %7B for a brace
        g.mock.json:1:24: error: "for" is "GET /jobs?page=1&": the query "page=1&" has an empty item. Fix: write "GET /jobs?page=2"
        h.mock.json:1:24: error: "for" is "GET /größe": "größe" is not percent-encoded. Fix: percent-encode it, for example %C3%A4
        job.mock.json:1:9: error: "for" is "/jobs": it is not a method and a path separated by a space. Fix: write "GET /jobs/{id}"
        l.mock.json:1:24: error: "for" is "GET /jobs#1": the path contains a fragment. Fix: remove it
        m.mock.json:1:24: error: "for" is "GET /jobs/:id": ":id" is the placeholder of another tool. Fix: write {id}, or %3Aid for the text itself
        n.mock.json:1:24: error: "for" is "GET /jobs/*": "*" is the placeholder of another tool. Fix: write {id}, or %2A for the text itself

        A recording without a date
        job.mock.json = {"recorded":↵{"form": "Staging"}}
        job.mock.json:2:1: error: "recorded" has no date. Fix: add "at": "2026-01-31T12:00:00Z"
        job.mock.json:2:2: error: unknown key "form" in "recorded" (did you mean "from"?). Fix: use one of at, from, by, expires

        Invalid times of a recording
        a.mock.json = {"status": 200, "recorded": {"at": "", "expires": "99999999999d"}}
        job.mock.json = {"recorded": {"at": "yesterday",↵"expires": "90"}}
        a.mock.json:1:36: error: "at" is "": it is not a date. Fix: write it as 2026-01-31T12:00:00Z
        a.mock.json:1:51: error: "expires" is "99999999999d": it is not a duration. Fix: write 90d, 12h, 30m or 45s
        job.mock.json:1:21: error: "at" is "yesterday": it is not a date. Fix: write it as 2026-01-31T12:00:00Z
        job.mock.json:2:12: error: "expires" is "90": it is not a duration. Fix: write 90d, 12h, 30m or 45s

        Expired recordings
        job.401.json = 1
        job.mock.json = {↵"recorded": {"at": "2025-10-01T10:00:00Z", "from": "Staging", "expires": "90d"}}
        new.mock.json = {"status": 200, "recorded": {"at": "2026-01-01T10:00:00Z", "expires": "90d"}}
        job.mock.json:2: warning: the recording expired at 2025-12-30T10:00:00Z. Fix: record it again with MOCKS=record:Staging
        """#, beside: body)

    static let answers = WrittenCase.table(
        #"""
        Unknown failures
        job.mock.json = {"failure": "timeout"}
        job.mock.json:1:13: error: "timeout" is not a valid value of "failure" (did you mean "timedOut"?). Fix: use truncated, malformed, empty, or the name of a URLError.Code such as timedOut

        A connection failure combined with an answer
        job.mock.json = {"failure": "timedOut", "status": 200,↵"headers": {}, "body": "job.json",↵"pace": {}}
        job.mock.json:1:25: error: "status" cannot be combined with the failure "timedOut", after which nothing arrives. Fix: remove one of them
        job.mock.json:2:1: error: "headers" cannot be combined with the failure "timedOut", after which nothing arrives. Fix: remove one of them
        job.mock.json:2:16: error: "body" cannot be combined with the failure "timedOut", after which nothing arrives. Fix: remove one of them
        job.mock.json:3:1: error: "pace" cannot be combined with the failure "timedOut", after which nothing arrives. Fix: remove one of them

        The failure "empty" combined with a body
        job.mock.json = {"status": 500, "failure": "empty",↵"body": "job.json", "pace": {}}
        job.mock.json:2:1: error: "body" cannot be combined with the failure "empty", which has no body. Fix: remove one of them
        job.mock.json:2:21: error: "pace" cannot be combined with the failure "empty", which has no body. Fix: remove one of them

        The failure "truncated" without a body
        a.mock.json = {↵"failure": "truncated"}
        b.mock.json = {"sequence": [{"status": 200},↵{"failure": "malformed"}]}
        a.mock.json:1: error: "failure" needs a body, but there is none. Fix: set "body", or remove "failure"
        b.mock.json:2: error: "failure" needs a body, but there is none. Fix: set "body", or remove "failure"

        A header that names no key of the environment
        job.mock.json = {"headers": {"Location": "{env.}/1",
        ↵"Link": ["{env.baseURL}", "{env.baseURL}<{env.baseURL/1>"]}}
        job.mock.json:1:26: error: the header "Location" names no key of the environment. Fix: write {env.baseURL}, or another key
        job.mock.json:2:27: error: the header "Link" names no key of the environment. Fix: write {env.baseURL}, or another key

        A failure combined with a sequence
        job.mock.json = {"failure": "timedOut",↵"sequence": [{}]}
        job.mock.json:1:2: error: "failure" cannot be combined with "sequence": every answer would fail. Fix: move it into the answers that fail

        An empty sequence
        job.mock.json = {"sequence": []}
        job.mock.json:1:14: error: "sequence" is empty. Fix: add an answer: { "status": 202 }

        "after" without a sequence
        job.mock.json = {"after": "loop"}
        job.mock.json:1:11: error: "after" is "loop", which needs a "sequence" beside it. Fix: move it beside the sequence, or remove it

        A text "after" in an answer of a sequence
        job.mock.json = {"sequence": [{"after": "repeatLast"},↵{"failure": "truncated", "after": "three"}]}
        job.mock.json:1:25: error: "after" is "repeatLast", which needs a "sequence" beside it. Fix: move it beside the sequence, or remove it
        job.mock.json:2:35: error: "after" is "three" where a number of chunks is expected. Fix: write a number, for example 3

        A number "after" beside a sequence
        job.mock.json = {"sequence": [{}], "after": 3}
        job.mock.json:1:29: error: "after" is 3, but beside a "sequence" it says what follows the last answer. Fix: use fail, repeatLast, loop, or move the number into an answer with the failure "truncated"

        A number "after" without the failure "truncated"
        a.json, b.json, c.json = 1
        a.mock.json = {"failure": "malformed", "after": 0}
        b.mock.json = {"failure": "truncated", "after": -1}
        c.mock.json = {"failure": "trunkated", "after": 1}
        job.mock.json = {"after": 3}
        a.mock.json:1:26: error: "after" is the number of chunks that arrive before the failure "truncated". Fix: set "failure" to "truncated", or remove "after"
        b.mock.json:1:35: error: "after" is -1 where a whole number from 0 to 1000000 is expected
        c.mock.json:1:13: error: "trunkated" is not a valid value of "failure" (did you mean "truncated"?). Fix: use truncated, malformed, empty, or the name of a URLError.Code such as timedOut
        job.mock.json:1:2: error: "after" is the number of chunks that arrive before the failure "truncated". Fix: set "failure" to "truncated", or remove "after"

        An open connection combined with a failure
        job.mock.json = {"failure": "truncated", "open": true}
        job.mock.json:1:26: error: "open" cannot be combined with the failure "truncated", which ends the connection. Fix: remove one of them

        A pace without a body
        a.mock.json = {"status": 200,↵"pace": {}}
        a.mock.json:1: error: "pace" needs a body, but there is none. Fix: set "body", or remove "pace"
        """#, beside: body)

    static let otherFiles = WrittenCase.table(
        #"""
        Bodies outside the folder
        a.mock.json = {"body": "/etc/passwd"}
        b/c.mock.json = {"body": "../../x.json"}
        job.mock.json = {"body": "../secret.json"}
        a.mock.json:1:10: error: "body" is "/etc/passwd": it is an absolute path. Fix: write it relative to the settings file
        b/c.mock.json:1:10: error: "body" is "../../x.json": it leads outside the mocks folder. Fix: copy the file into Mocks
        job.mock.json:1:10: error: "body" is "../secret.json": it leads outside the mocks folder. Fix: copy the file into Mocks

        Missing and invalid bodies
        a.mock.json = {"body": ""}
        b.mock.json = {"body": "b.mock.json"}
        c.mock.json = {"body": "folder"}
        d.mock.json = {"body": "Job.json"}
        e/f.mock.json = {"body": "job.json"}
        e/g.mock.json = {"body": "a\\b"}
        folder/x.txt =
        job.mock.json = {"body": "jbo.json"}
        a.mock.json:1:10: error: "body" is "": it is empty. Fix: name a file
        b.mock.json:1:10: error: "body" is "b.mock.json": this is a settings file. Fix: name a body file
        c.mock.json:1:10: error: "body" is "folder": this is a folder. Fix: name a file
        d.mock.json:1:10: error: "body" is "Job.json": there is no such file (did you mean "job.json"?). Fix: add it, or correct the name
        e/f.mock.json:1:10: error: "body" is "job.json": there is no such file (did you mean "../job.json"?). Fix: add it, or correct the name
        e/g.mock.json:1:10: error: "body" is "a\b": it contains a backslash; folders are separated by /. Fix: name a file
        job.mock.json:1:10: error: "body" is "jbo.json": there is no such file (did you mean "job.json"?). Fix: add it, or correct the name

        Missing variants of other mocks
        job.mock.json = {"then": {"jobs/lst": "new",↵"jobs/list": "withNwe",↵"user": "x"}}
        jobs/list.json, jobs/list.withNew.json, user.json = 1
        job.mock.json:1:11: error: there is no mock "jobs/lst" (did you mean "jobs/list"?). Fix: correct or remove it
        job.mock.json:2:14: error: the mock "jobs/list" has no variant "withNwe" (did you mean "withNew"?). Fix: use withNew
        job.mock.json:3:9: error: the mock "user" has no variant "x". Fix: add user.x.json

        Settings without a body
        lgoin.mock.json, login.slow.mock.json = {"delay": 1}
        login.json = 1
        lgoin.mock.json: error: these settings have no body (did you mean "login"?). Fix: add lgoin.json, or set "body", "status" or "failure"
        """#, beside: body)
}
