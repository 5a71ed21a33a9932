/// Answers that contradict themselves or other files.
extension BrokenMocks {
    static let answers = [
        BrokenMocks(
            "Unknown failures", settings: "{\"failure\": \"timeout\"}",
            report: #"""
                job.mock.json:1:13: error: "timeout" is not a valid value of "failure" (did you mean "timedOut"?). Fix: use truncated, malformed, empty, or the name of a URLError.Code such as timedOut
                """#),
        BrokenMocks(
            "A connection failure combined with an answer",
            settings:
                "{\"failure\": \"timedOut\", \"status\": 200,\n\"headers\": {}, \"body\": \"job.json\",\n\"pace\": {}}",
            report: #"""
                job.mock.json:1:25: error: "status" cannot be combined with the failure "timedOut", after which nothing arrives. Fix: remove one of them
                job.mock.json:2:1: error: "headers" cannot be combined with the failure "timedOut", after which nothing arrives. Fix: remove one of them
                job.mock.json:2:16: error: "body" cannot be combined with the failure "timedOut", after which nothing arrives. Fix: remove one of them
                job.mock.json:3:1: error: "pace" cannot be combined with the failure "timedOut", after which nothing arrives. Fix: remove one of them
                """#),
        BrokenMocks(
            "The failure \"empty\" combined with a body",
            settings: "{\"status\": 500, \"failure\": \"empty\",\n\"body\": \"job.json\", \"pace\": {}}",
            report: #"""
                job.mock.json:2:1: error: "body" cannot be combined with the failure "empty", which has no body. Fix: remove one of them
                job.mock.json:2:21: error: "pace" cannot be combined with the failure "empty", which has no body. Fix: remove one of them
                """#),
        BrokenMocks(
            "The failure \"truncated\" without a body",
            [
                "a.mock.json": "{\n\"failure\": \"truncated\"}",
                "b.mock.json": "{\"sequence\": [{\"status\": 200},\n{\"failure\": \"malformed\"}]}",
            ],
            report: #"""
                a.mock.json:1: error: "failure" needs a body, but there is none. Fix: set "body", or remove "failure"
                b.mock.json:2: error: "failure" needs a body, but there is none. Fix: set "body", or remove "failure"
                """#),
        BrokenMocks(
            "A header that names no key of the environment",
            settings:
                "{\"headers\": {\"Location\": \"{env.}/1\",\n\"Link\": [\"{env.baseURL}\", \"{env.baseURL}<{env.baseURL/1>\"]}}",
            report: #"""
                job.mock.json:1:26: error: the header "Location" names no key of the environment. Fix: write {env.baseURL}, or another key
                job.mock.json:2:27: error: the header "Link" names no key of the environment. Fix: write {env.baseURL}, or another key
                """#),
        BrokenMocks(
            "A failure combined with a sequence", settings: "{\"failure\": \"timedOut\",\n\"sequence\": [{}]}",
            report:
                #"job.mock.json:1:2: error: "failure" cannot be combined with "sequence": every answer would fail. Fix: move it into the answers that fail"#
        ),
        BrokenMocks(
            "An empty sequence", settings: "{\"sequence\": []}",
            report: #"job.mock.json:1:14: error: "sequence" is empty. Fix: add an answer: { "status": 202 }"#),
        BrokenMocks(
            "\"after\" without a sequence", settings: "{\"after\": \"loop\"}",
            report:
                #"job.mock.json:1:11: error: "after" is "loop", which needs a "sequence" beside it. Fix: move it beside the sequence, or remove it"#
        ),
        BrokenMocks(
            "A text \"after\" in an answer of a sequence",
            settings:
                "{\"sequence\": [{\"after\": \"repeatLast\"},\n{\"failure\": \"truncated\", \"after\": \"three\"}]}",
            report: #"""
                job.mock.json:1:25: error: "after" is "repeatLast", which needs a "sequence" beside it. Fix: move it beside the sequence, or remove it
                job.mock.json:2:35: error: "after" is "three" where a number of chunks is expected. Fix: write a number, for example 3
                """#),
        BrokenMocks(
            "A number \"after\" beside a sequence", settings: "{\"sequence\": [{}], \"after\": 3}",
            report:
                #"job.mock.json:1:29: error: "after" is 3, but beside a "sequence" it says what follows the last answer. Fix: use fail, repeatLast, loop, or move the number into an answer with the failure "truncated""#
        ),
        BrokenMocks(
            "A number \"after\" without the failure \"truncated\"", settings: "{\"after\": 3}",
            and: [
                "a.json": "1", "a.mock.json": "{\"failure\": \"malformed\", \"after\": 0}", "b.json": "1",
                "b.mock.json": "{\"failure\": \"truncated\", \"after\": -1}", "c.json": "1",
                "c.mock.json": "{\"failure\": \"trunkated\", \"after\": 1}",
            ],
            report: #"""
                a.mock.json:1:26: error: "after" is the number of chunks that arrive before the failure "truncated". Fix: set "failure" to "truncated", or remove "after"
                b.mock.json:1:35: error: "after" is -1 where a whole number from 0 to 1000000 is expected
                c.mock.json:1:13: error: "trunkated" is not a valid value of "failure" (did you mean "truncated"?). Fix: use truncated, malformed, empty, or the name of a URLError.Code such as timedOut
                job.mock.json:1:2: error: "after" is the number of chunks that arrive before the failure "truncated". Fix: set "failure" to "truncated", or remove "after"
                """#),
        BrokenMocks(
            "An open connection combined with a failure", settings: "{\"failure\": \"truncated\", \"open\": true}",
            report:
                #"job.mock.json:1:26: error: "open" cannot be combined with the failure "truncated", which ends the connection. Fix: remove one of them"#
        ),
        BrokenMocks(
            "A pace without a body", ["a.mock.json": "{\"status\": 200,\n\"pace\": {}}"],
            report: #"a.mock.json:1: error: "pace" needs a body, but there is none. Fix: set "body", or remove "pace""#),
    ]

    // MARK: Other files

    static let otherFiles = [
        BrokenMocks(
            "Bodies outside the folder", settings: "{\"body\": \"../secret.json\"}",
            and: [
                "a.mock.json": "{\"body\": \"/etc/passwd\"}", "b/c.mock.json": "{\"body\": \"../../x.json\"}",
            ],
            report: #"""
                a.mock.json:1:10: error: "body" is "/etc/passwd": it is an absolute path. Fix: write it relative to the settings file
                b/c.mock.json:1:10: error: "body" is "../../x.json": it leads outside the mocks folder. Fix: copy the file into Mocks
                job.mock.json:1:10: error: "body" is "../secret.json": it leads outside the mocks folder. Fix: copy the file into Mocks
                """#),
        BrokenMocks(
            "Missing and invalid bodies", settings: "{\"body\": \"jbo.json\"}",
            and: [
                "a.mock.json": "{\"body\": \"\"}", "b.mock.json": "{\"body\": \"b.mock.json\"}",
                "c.mock.json": "{\"body\": \"folder\"}", "d.mock.json": "{\"body\": \"Job.json\"}",
                "e/f.mock.json": "{\"body\": \"job.json\"}", "e/g.mock.json": "{\"body\": \"a\\\\b\"}",
                "folder/x.txt": "",
            ],
            report: #"""
                a.mock.json:1:10: error: "body" is "": it is empty. Fix: name a file
                b.mock.json:1:10: error: "body" is "b.mock.json": this is a settings file. Fix: name a body file
                c.mock.json:1:10: error: "body" is "folder": this is a folder. Fix: name a file
                d.mock.json:1:10: error: "body" is "Job.json": there is no such file (did you mean "job.json"?). Fix: add it, or correct the name
                e/f.mock.json:1:10: error: "body" is "job.json": there is no such file (did you mean "../job.json"?). Fix: add it, or correct the name
                e/g.mock.json:1:10: error: "body" is "a\b": it contains a backslash; folders are separated by /. Fix: name a file
                job.mock.json:1:10: error: "body" is "jbo.json": there is no such file (did you mean "job.json"?). Fix: add it, or correct the name
                """#),
        BrokenMocks(
            "Missing variants of other mocks",
            settings: "{\"then\": {\"jobs/lst\": \"new\",\n\"jobs/list\": \"withNwe\",\n\"user\": \"x\"}}",
            and: ["jobs/list.json": "1", "jobs/list.withNew.json": "1", "user.json": "1"],
            report: #"""
                job.mock.json:1:11: error: there is no mock "jobs/lst" (did you mean "jobs/list"?). Fix: correct or remove it
                job.mock.json:2:14: error: the mock "jobs/list" has no variant "withNwe" (did you mean "withNew"?). Fix: use withNew
                job.mock.json:3:9: error: the mock "user" has no variant "x". Fix: add user.x.json
                """#),
        BrokenMocks(
            "Settings without a body",
            ["lgoin.mock.json": "{\"delay\": 1}", "login.json": "1", "login.slow.mock.json": "{\"delay\": 1}"],
            report:
                #"lgoin.mock.json: error: these settings have no body (did you mean "login"?). Fix: add lgoin.json, or set "body", "status" or "failure""#
        ),
        BrokenMocks(
            "Settings whose body was moved",
            [
                "me.mock.json": "{\"delay\": 1}", "account/me.json": "1", "you.mock.json": "{\"delay\": 1}",
                "account/you.json": "1", "account/you.mock.json": "{\"delay\": 1}",
            ],
            report: #"""
                me.mock.json: error: these settings have no body; account/me.json has this name. Fix: move them to account/me.mock.json, or add me.json, or set "body", "status" or "failure"
                you.mock.json: error: these settings have no body. Fix: add you.json, or set "body", "status" or "failure"
                """#),
    ]
}
