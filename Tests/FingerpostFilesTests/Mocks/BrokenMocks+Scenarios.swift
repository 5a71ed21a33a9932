extension BrokenMocks {
    private static let mocks = [
        "login.json": "{}", "login.locked.json": "{}", "user.json": "{}", "user.gone.json": "{}",
    ]

    private static func scenarios(_ name: String, _ text: String, report: String) -> BrokenMocks {
        BrokenMocks(name, mocks.merging(["_scenarios.json": text]) { $1 }, report: report)
    }

    static let scenarios = [
        scenarios(
            "Scenarios without a problem",
            #"""
            { "locked out": { "login": "locked" }, "offline": { "*": { "failure": "notConnectedToInternet" } },
              "slow": { "*": { "delay": 2 }, "user.json": { "variant": "gone", "status": 410, "times": 1 } },
              "gone": { "*": "gone" }, "nothing": {} }
            """#, report: ""),
        scenarios(
            "Scenarios with names that do not exist",
            #"""
            { "a": { "logn": "locked", "login": "lockd" },
              "b": { "*": "gon" },
              "c": { "user": { "variant": "locked" } } }
            """#,
            report: #"""
                _scenarios.json:1:10: error: there is no mock "logn" (did you mean "login"?). Fix: correct or remove it
                _scenarios.json:1:37: error: the mock "login" has no variant "lockd" (did you mean "locked"?). Fix: use locked
                _scenarios.json:2:15: error: no mock has the variant "gon" (did you mean "gone"?). Fix: use locked, gone
                _scenarios.json:3:31: error: the mock "user" has no variant "locked". Fix: use gone
                """#),
        scenarios(
            "Scenarios with values of the wrong kind",
            #"""
            { "a": "login", "": {},
              "b": { "login": 1, "user": { "status": 20, "delay": -1, "times": -1, "failur": "x" } },
              "c": { "*": { "failure": "timedout" } }, "c": {},
              "d": { "*": { "failure": "timedOut", "status": 500 } },
              "e": { "*": { "times": 2 } } }
            """#,
            report: #"""
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
                """#),
        scenarios(
            "A list of scenarios", "[]",
            report:
                #"_scenarios.json:1:1: error: the file contains a list, not scenarios. Fix: write { "offline": { "*": { "failure": "notConnectedToInternet" } } }"#
        ),
        scenarios(
            "Scenarios that are half written", "{ \"a\": {",
            report: #"_scenarios.json:1:9: error: unexpected end of text where a key in double quotes is expected"#),
    ]
}
