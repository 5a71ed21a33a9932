/// Broken mocks folders, and the problems that a check on 31 January 2026 reports.
enum BrokenMocks {
    static let all = keys + values + answers + otherFiles + names + links + bodies + several + scenarios

    private static let names = WrittenCase.table(
        #"""
        Two bodies for one variant
        login.401 =
        login.401.json, login.json, login.locked.423.json, login.locked.json = 1
        login.401: error: the variant "401" of "login" has more than one body: login.401 and login.401.json. Fix: keep one of them
        login.locked.423.json: error: the variant "locked" of "login" has more than one body: login.locked.423.json and login.locked.json. Fix: keep one of them

        Bodies that nothing uses
        a.json, b.json, c.json, d.404.json, d.json, e.json, f.json, h.json = 1
        a.mock.json, d.404.mock.json = {"body": "a.txt"}
        a.txt, b.html, c.txt, f.csv, h.png, h.txt =
        b.mock.json, f.mock.json, h.mock.json = {"recorded": {"at": "2026-01-31T00:00:00Z"}}
        e.mock.json = {"body": "f.json", "sequence": [{}, {"body": "e.json"}]}
        g.mock.json = {"body": "f.csv"}
        h.txt.mock.json = {"status": 200}
        a.json: warning: nothing uses this body: the settings a.mock.json name a.txt. Fix: remove it
        b.html: warning: only a route with the mock "b.html" uses this body; the recording of "b" has the body b.json. Fix: remove it if the server sent it before
        d.404.json: warning: nothing uses this body: the settings d.404.mock.json name a.txt. Fix: remove it

        Two default bodies
        created.200.json, created.201.json = 1
        created.200.json: error: the mock "created" has more than one body: created.200.json and created.201.json. Fix: keep one of them

        A body hidden by another file
        a =
        a.json = 1
        a: warning: no route can name this mock: "a" names a.json. Fix: rename one of them

        JSON and a stream for one mock
        a.events = data: 1↵↵
        a.json = 1
        b.ndjson = 1↵
        b.slow.events = data: 1↵↵
        b.slow.ndjson = 1↵
        a.events: error: the mock "a" has more than one body: a.events and a.json. Fix: keep one of them
        b.slow.events: error: the variant "slow" of "b" has more than one body: b.slow.events and b.slow.ndjson. Fix: keep one of them

        Variants without a default answer
        login.401.json, users/show.locked.423.json = 1
        x.500.mock.json = {"status": 500}
        login.401.json: warning: this is the variant "401" of "login", which has no default answer. Fix: add login.json, or rename it
        users/show.locked.423.json: warning: this is the variant "423" of "users/show.locked", which has no default answer. Fix: add users/show.locked.json, or rename it
        x.500.mock.json: warning: this is the variant "500" of "x", which has no default answer. Fix: add x.json, or rename it

        Variants of a variant
        a.b.c.json, a.b.json, a.json = 1
        a.b.c.json: error: this is the variant "c" of "a.b", which is itself the variant "b" of "a". Fix: replace one of the dots with -

        Reserved names
        a.mock =
        a.mock: error: no route can name this mock: it ends in .mock, which is reserved for settings files. Fix: rename it

        Invalid names
        _Scenarios.json, _scenarios.mock.json = {}
        a\b.json, c.json.json, users/_scenarios.json = 1
        c.json.401, d.json.401 =
        _Scenarios.json: error: no route can name this mock: _scenarios.json contains the scenarios, and is no mock. Fix: rename it
        _scenarios.mock.json: error: no route can name this mock: _scenarios.json contains the scenarios, and is no mock. Fix: rename it
        a\b.json: error: no route can name this mock: it contains a backslash; folders are separated by /. Fix: rename it
        c.json.json: warning: only a route with the mock "c.json" uses this file. Fix: rename it to c.json
        d.json.401: error: no route can name this mock: .json is allowed only at the end of a name. Fix: rename it

        Folders named like mocks
        user.json/ =
        users.json/show.json = 1
        user.json: warning: this folder is named like a mock. Fix: rename it without .json
        users.json: warning: this folder is named like a mock. Fix: rename it without .json

        Names with emoji, dots and letters of all scripts
        a..json, a.b..json, 日本/東京.404.json, 🦉.json, 🦉.👩‍👩‍👧.418.json, 🦉.👩‍👩‍👧.json = 1
        e\#u{301}.json/, \#u{600}.json =
        é.json: warning: this folder is named like a mock. Fix: rename it without .json
        \#u{600}.json: warning: the file is empty, which is right only for routes without a response. Fix: write the JSON that the server sends, or replace the file by settings with "status": 204
        日本/東京.404.json: warning: this is the variant "404" of "日本/東京", which has no default answer. Fix: add 日本/東京.json, or rename it
        🦉.👩‍👩‍👧.418.json: error: the variant "👩‍👩‍👧" of "🦉" has more than one body: 🦉.👩‍👩‍👧.418.json and 🦉.👩‍👩‍👧.json. Fix: keep one of them
        """#)

    private static let links = WrittenCase.table(
        #"""
        Links that lead outside
        user.json = 1
        neighbour.json = → ../MocksOfOthers.json
        passwd.json = → /etc/passwd
        settings.mock.json = → /etc/hostname
        up.json = → ../../
        neighbour.json: error: this is a link to a file that does not exist. Fix: correct or remove it
        passwd.json: error: this link leads outside the folder. Fix: replace it with the file
        settings.mock.json: error: this link leads outside the folder. Fix: replace it with the file
        up.json: error: this link leads outside the folder. Fix: replace it with the file

        Broken links
        user.json = 1
        a.json = → gone.json
        self = → self
        a.json: error: this is a link to a file that does not exist. Fix: correct or remove it
        self: error: this is a link to a file that does not exist. Fix: correct or remove it

        Links to folders
        users/show.json = 1
        further = → ..
        loop.json = → users/..
        out = → /tmp
        people = → users
        users/up = → ..
        further: error: this link leads outside the folder. Fix: replace it with the file
        loop.json: error: this is a link to a folder that contains it. Fix: remove it
        out: error: this link leads outside the folder. Fix: replace it with the file
        people: error: this is a link to a folder, which is not followed. Fix: replace it with the folder
        users/up: error: this is a link to a folder that contains it. Fix: remove it
        """#)

    private static let bodies = WrittenCase.table(
        #"""
        Bodies that are not valid JSON
        a.json = {↵  "a": 1,↵}
        b.json, f.204.json =
        c.json, i.txt = not
        d/e.json = [1]↵[2]
        g.json = "\ud800"
        h.mock.json = {"body": "i.txt"}
        a.json:3:1: error: unexpected } where a key in double quotes is expected. Fix: remove the comma after the last entry
        b.json: warning: the file is empty, which is right only for routes without a response. Fix: write the JSON that the server sends, or replace the file by settings with "status": 204
        c.json:1:1: error: unexpected n where a value is expected
        d/e.json:2:1: error: unexpected [ after the end of the JSON value
        g.json:1:2: error: a \u escape is half of a surrogate pair

        Bodies of other formats, and bodies that are broken on purpose
        bad-json.json = {"a": 1,}
        comment.json = {↵  /* a */ "a": 1}
        lfs.json = version https://git-lfs.github.com/spec/v1↵oid sha256:0↵
        merge.json = {↵<<<<<<< HEAD↵"a": 1↵=======↵"a": 2↵>>>>>>> b↵}
        page.json = ↵<!DOCTYPE html><html></html>
        plist.json = <?xml version="1.0"?><plist/>
        python.json = {"a": True}
        yaml.json = a: 1↵b: 2↵
        bad-json.json:1:9: error: unexpected } where a key in double quotes is expected. Fix: to answer with broken JSON, write {"failure": "malformed"} in settings beside a correct body, or name the file with another extension and list it as "body" in settings
        comment.json:2:3: error: unexpected / where a key in double quotes is expected. Fix: remove the comment; JSON has none
        lfs.json:1:1: error: unexpected v where a value is expected. Fix: run git lfs pull; this is the pointer of Git LFS
        merge.json:2:1: error: unexpected < where a key in double quotes is expected. Fix: resolve the merge: the file contains the marks of both sides
        page.json:2:1: error: unexpected < where a value is expected. Fix: save what the server sends as data; this is a page in HTML
        plist.json:1:1: error: unexpected < where a value is expected. Fix: write JSON; this is XML, such as a property list, whose name ends in .plist
        python.json:1:7: error: unexpected T where a value is expected. Fix: write true, false or null
        yaml.json:1:1: error: unexpected a where a value is expected. Fix: write JSON; this looks like YAML

        Settings whose body was moved
        account/me.json, account/you.json = 1
        account/you.mock.json, me.mock.json, you.mock.json = {"delay": 1}
        me.mock.json: error: these settings have no body; account/me.json has this name. Fix: move them to account/me.mock.json, or add me.json, or set "body", "status" or "failure"
        you.mock.json: error: these settings have no body. Fix: add you.json, or set "body", "status" or "failure"
        """#)

    private static let several = WrittenCase.table(
        #"""
        Everything at once
        job.Pending.json, job.pending.json, x.404.json = 1
        job.json = {↵"a": }
        job.mock.json = {↵  "for": "GET jobs",↵  "stauts": 200,
        ↵  "sequence": [{ "status": 20, "body": "../x" }, { "failure": "timedout" }],↵  "then": { "jobs": "x" }↵}
        jobs.json/ =
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

    private static let scenarios = WrittenCase.table(
        #"""
        Scenarios without a problem
        _scenarios.json = { "locked out": { "login": "locked" }, "offline": { "*": { "failure": "notConnectedToInternet" } },
        ↵  "slow": { "*": { "delay": 2 }, "user.json": { "variant": "gone", "status": 410, "times": 1 } },
        ↵  "gone": { "*": "gone" }, "nothing": {} }

        Scenarios with names that do not exist
        _scenarios.json = { "a": { "logn": "locked", "login": "lockd" },↵  "b": { "*": "gon" },
        ↵  "c": { "user": { "variant": "locked" } } }
        _scenarios.json:1:10: error: there is no mock "logn" (did you mean "login"?). Fix: correct or remove it
        _scenarios.json:1:37: error: the mock "login" has no variant "lockd" (did you mean "locked"?). Fix: use locked
        _scenarios.json:2:15: error: no mock has the variant "gon" (did you mean "gone"?). Fix: use locked, gone
        _scenarios.json:3:31: error: the mock "user" has no variant "locked". Fix: use gone

        Scenarios with values of the wrong kind
        _scenarios.json = { "a": "login", "": {},
        ↵  "b": { "login": 1, "user": { "status": 20, "delay": -1, "times": -1, "failur": "x" } },
        ↵  "c": { "*": { "failure": "timedout" } }, "c": {},
        ↵  "d": { "*": { "failure": "timedOut", "status": 500 } },↵  "e": { "*": { "times": 2 } } }
        _scenarios.json:1:8: error: "a" is a string where a dictionary is expected. Fix: write { "login": "locked", "*": { "delay": 2 } }
        _scenarios.json:1:17: error: the name of a scenario is empty. Fix: give it a name
        _scenarios.json:2:19: error: "login" is 1 where a variant or a dictionary is expected. Fix: write { "login": "locked", "*": { "delay": 2 } }
        _scenarios.json:2:42: error: "status" is 20 where a whole number from 100 to 599 is expected
        _scenarios.json:2:55: error: "delay" is -1 where a time in seconds from 0 to 86400 is expected. Fix: write 0.25
        _scenarios.json:2:68: error: "times" is -1 where a whole number from 0 to 1000000 is expected
        _scenarios.json:2:72: error: unknown key "failur" in the answer of "user" (did you mean "failure"?). Fix: use one of variant, status, failure, delay, times
        _scenarios.json:3:28: error: "timedout" is not a valid value of "failure" (did you mean "timedOut"?). Fix: use truncated, malformed, empty, or the name of a URLError.Code such as timedOut
        _scenarios.json:3:44: error: duplicate key "c". Fix: keep one of them
        _scenarios.json:4:10: error: after this failure nothing arrives, so it has no status and no body. Fix: remove one of them
        _scenarios.json:5:17: error: "times" counts the calls of one mock, and * is every mock. Fix: write it for each mock

        A list of scenarios
        _scenarios.json = []
        _scenarios.json:1:1: error: the file contains a list, not scenarios. Fix: write { "offline": { "*": { "failure": "notConnectedToInternet" } } }

        Scenarios that are half written
        _scenarios.json = { "a": {
        _scenarios.json:1:9: error: unexpected end of text where a key in double quotes is expected
        """#, beside: ["login.json": "{}", "login.locked.json": "{}", "user.json": "{}", "user.gone.json": "{}"])
}
