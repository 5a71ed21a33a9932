/// Secrets, environment variables, and environments with several problems.
extension BrokenEnvironment {
    // MARK: Secrets

    static let secrets = WrittenCase.table(
        #"""
        Secrets in committed files
        Base-Env.json = {"$secrets": ["k", "d.k"],↵"k": "s3cret", "d": {↵"k": null}}
        X-Env.json = {↵"d": {"k": "s3cret"}}
        Base-Env.json:2:6: error: the secret "k" is in a committed file. Fix: write null here, and put the value in Base-Secrets.json or ENV__K
        X-Env.json:2:12: error: the secret "d.k" is in a committed file. Fix: write null here, and put the value in X-Secrets.json or ENV__D__K

        Secrets that no layer declares
        X-Env.json = {"analytics": {"key": "a"},↵"$secrets": ["analytics.kye"]}
        X-Env.json:2:14: error: "$secrets" names "analytics.kye", which no layer declares (did you mean "analytics.key"?). Fix: correct the name, or declare it as null

        A secret in a property list that is misspelled, or has a value
        X-Env.plist = <key>$secrets</key><array><string>apiKey</string>↵<string>token</string></array>
        ↵<key>apiKye</key><string>s3cret</string>↵<key>token</key><string>s3cret</string>
        X-Env.plist:4:27: error: "$secrets" names "apiKey", which no layer declares (did you mean "apiKye"?). Fix: correct the name, or declare it with an empty text
        X-Env.plist:7:17: error: the secret "token" is in a committed file. Fix: leave it empty here, and put the value in X-Secrets.json or ENV__TOKEN

        A secret of a property list without a value
        Base-Env.plist = <key>$secrets</key>↵<array><string>k</string></array>
        X-Env.plist = <key>k</key><string></string>
        X-Secrets.plist = <key>k</key><string></string>
        ENV__K =
        X-Secrets.plist:4:1: error: the secret "k" has no value (the environment variable ENV__K is set, but empty); looked in . for X-Secrets, Base-Secrets. Fix: add it to X-Secrets.plist, or give the environment variable ENV__K a value (in Xcode: in the scheme)

        A dictionary of secrets
        X-Env.json = {"$secrets": ["d"], "d": {"k": null}}
        X-Env.json:1:15: error: "$secrets" names "d", which is a dictionary. Fix: list its secret keys instead

        Secrets of the app's code
        Base-Env.json = {"$secrets": ["k", "l"], "k": null, "l": null, "kk": 1,↵"$provided": ["kk", "k"]}
        X-Env.json = {"$provided": "l"}
        Base-Env.json:1:37: error: the secret "l" has no value; looked in . for X-Secrets, Base-Secrets. Fix: add it to X-Secrets.json, or set the environment variable ENV__L (in Xcode: in the scheme)
        Base-Env.json:2:15: error: "$provided" names "kk", which "$secrets" does not list (did you mean "k"?). Fix: list it in "$secrets" too, or correct the name
        X-Env.json:1:15: error: "$provided" is a string where a list of keys is expected. Fix: write ["key", "nested.key"]

        An environment that may be left
        Base-Env.json = {"$switchable": "yes"}
        X-Env.json = {"$switchable": 1}
        X-Secrets.json = {"$switchable": true}
        Base-Env.json:1:17: error: "$switchable" is a string where true or false is expected. Fix: write true or false without quotes
        X-Env.json:1:17: error: "$switchable" is 1 where true or false is expected. Fix: write true or false without quotes
        X-Secrets.json:1:2: error: a secrets file cannot set "$switchable". Fix: move it to a committed file

        A secret without a value
        X-Env.json = {"$secrets": ["d.k"], "d": {↵"k": null}}
        X-Env.json:2:1: error: the secret "d.k" has no value; looked in . for X-Secrets, Base-Secrets. Fix: add it to X-Secrets.json, or set the environment variable ENV__D__K (in Xcode: in the scheme)

        A secret without a value in the secrets files of any layer
        Base-Env.json = {"$secrets": ["k"], "k": null}
        Y-Env.json = {}
        Y-Secrets.json = {}
        X-Env.json = {"$extends": "Y"}
        X-Secrets.plist = <plist><dict/></plist>
        Base-Env.json:1:21: error: the secret "k" has no value; looked in . for X-Secrets, Y-Secrets, Base-Secrets. Fix: add it to X-Secrets.plist, or set the environment variable ENV__K (in Xcode: in the scheme)

        Inherited secrets files that contain other keys, or are broken
        Base-Env.json = {"$secrets": ["k"], "k": null}
        Base-Secrets.json = {"$network": "s3cret", "k": "s3cret",↵"kk": "s3cret"}
        Y-Env.json = {"host": "h"}
        Y-Secrets.json = {"host": "s3cret"}
        X-Env.json = {"$extends": "Y"}
        X-Secrets.json = {"k": 1}
        Base-Secrets.json:1:2: error: a secrets file cannot set "$network". Fix: move it to a committed file
        Base-Secrets.json:2:1: error: "kk" is only in the secrets file (did you mean "k"?). Fix: correct its name, or list it in "$secrets"
        X-Secrets.json:1:2: error: "k" is an integer here and a string in Base-Secrets.json:1. Fix: give it the same type in both
        Y-Secrets.json:1:2: error: "host" is in the secrets file, but "$secrets" does not list it. Fix: list it in "$secrets", or move the value to a committed file

        A secrets file that contains other keys
        X-Env.json = {"$secrets": ["k"], "$optional": ["k"], "k": null, "host": "h"}
        X-Secrets.json = {"host": "s3cret",↵"kk": "s3cret",↵"$extends": "X"}
        X-Secrets.json:1:2: error: "host" is in the secrets file, but "$secrets" does not list it. Fix: list it in "$secrets", or move the value to a committed file
        X-Secrets.json:2:1: error: "kk" is only in the secrets file (did you mean "k"?). Fix: correct its name, or list it in "$secrets"
        X-Secrets.json:3:1: error: a secrets file cannot set "$extends". Fix: remove it

        A broken secrets file, whose values are not shown
        X-Env.json = {"$secrets": ["k"], "k": null}
        X-Secrets.json = {"k": 92233720368547758080}
        X-Secrets.json:1:7: error: an integer does not fit in 64 bits. Fix: write a smaller number, or put it in quotes and read it as text

        A secret with a build variable, which is not shown
        X-Env.json = {"$secrets": ["k"], "k": null}
        X-Secrets.json = {"k": "s3cret$(KEY)"}
        X-Secrets.json:1:2: error: "k" contains a variable that was not replaced: <secret k>. Fix: write the value, or have the build replace it

        A secret of the wrong type, which is not shown
        Base-Env.json = {"$secrets": ["k"], "k": null}
        X-Env.json = {}
        X-Secrets.json = {"k": 1234}
        ENV__K = s3cret
        environment variable ENV__K: error: its value is not an integer. Fix: write digits, such as 30
        """#)

    // MARK: Environment variables

    static let variables = WrittenCase.table(
        #"""
        Variables for unknown keys
        X-Env.json = {"apiBasePath": "a", "analytics": {"host": "b"}}
        ENV_FILE__ANALYTICS__HOTS = x
        ENV__ = x
        ENV__ANALYTICS = {}
        ENV__API_BASE_PAHT = x
        environment variable ENV_FILE__ANALYTICS__HOTS: error: it matches no key of the environment (did you mean "ENV_FILE__ANALYTICS__HOST"?). Fix: correct its name, or declare the key in a file
        environment variable ENV__: error: it matches no key of the environment. Fix: correct its name, or declare the key in a file
        environment variable ENV__ANALYTICS: error: it matches no key of the environment. Fix: correct its name, or declare the key in a file
        environment variable ENV__API_BASE_PAHT: error: it matches no key of the environment (did you mean "ENV__API_BASE_PATH"?). Fix: correct its name, or declare the key in a file

        Variables of the wrong type
        X-Env.json = {"flag": true, "whole": 1, "real": 1.5, "list": []}
        ENV__FLAG = perhaps
        ENV__LIST = a, b
        ENV__REAL = nan
        ENV__WHOLE = 1.5
        environment variable ENV__FLAG: error: its value is not a boolean. Fix: write true or false
        environment variable ENV__LIST: error: its value is not a list. Fix: write it as JSON, such as ["a", "b"]
        environment variable ENV__REAL: error: its value is not a real number. Fix: write a number, such as 0.5
        environment variable ENV__WHOLE: error: its value is not an integer. Fix: write digits, such as 30

        Empty variables
        empty.txt = ↵
        X-Env.json = {"flag": true, "text": "a", "docsURL": "https://a.example", "$secrets": ["k", "f"], "k": null, "f": null}
        ENV_FILE__F = FOLDER/empty.txt
        ENV_FILE__TEXT =
        ENV__DESCRIPTION =
        ENV__DOCS_URL =
        ENV__FLAG =
        ENV__K =
        ENV__NONE =
        X-Env.json:1:85: error: the secret "k" has no value (the environment variable ENV__K is set, but empty); looked in . for X-Secrets, Base-Secrets. Fix: add it to X-Secrets.json, or give the environment variable ENV__K a value (in Xcode: in the scheme)
        X-Env.json:1:96: error: the secret "f" has no value (the environment variable ENV_FILE__F is set, but empty); looked in . for X-Secrets, Base-Secrets. Fix: add it to X-Secrets.json, or give the environment variable ENV_FILE__F a value (in Xcode: in the scheme)

        Variables that name files
        c.txt = c
        X-Env.json = {"a": "a", "b": "b", "c": "c"}
        ENV_FILE__A = FOLDER/none.txt
        ENV_FILE__B = FOLDER
        ENV_FILE__C = FOLDER/c.txt
        ENV__C = c
        environment variable ENV_FILE__A: error: none.txt: there is no such file. Fix: correct the path or the file
        environment variable ENV_FILE__B: error: .: this is a folder, not a file. Fix: correct the path or the file
        environment variable ENV_FILE__C: error: ENV__C is also set. Fix: unset one of them

        A variable that matches two keys
        X-Env.json = {"apiKey": 1, "api-key": 2}
        ENV__API_KEY = 3
        environment variable ENV__API_KEY: error: it matches more than one key: apiKey, api-key. Fix: rename one of them

        A variable with an invalid URL
        X-Env.json = {"host": "https://h.example"}
        ENV__HOST = https:
        environment variable ENV__HOST: error: "host" is only "https:", because // starts a comment in .xcconfig files. Fix: write https:/$()/host in the .xcconfig file, or the URL here
        """#)

    // MARK: Several problems

    static let several = WrittenCase.table(
        #"""
        Several problems in several layers
        Base-Env.json = {↵  "$secrets": ["analytics.key", "nothing"],↵  "$optinal": [],↵  "timeout": 30,↵  "host": "https:",↵  "analytics": { "key": "s3cret" }↵}
        Y-Env.json = { "timeout": "30",↵"a.b": 1 }
        X-Env.json = { "$extends": "Y",↵"$unset": ["hsot"],↵"none": null, "none": null }
        X-Secrets.json = { "analytics": { "kye": "s3cret" } }
        ENV__TIME_OUT = 5
        Base-Env.json:2:33: error: the secret "nothing" has no value; looked in . for X-Secrets, Y-Secrets, Base-Secrets. Fix: add it to X-Secrets.json, or set the environment variable ENV__NOTHING (in Xcode: in the scheme); if the calls of this run do without it, list it in "$optional"
        Base-Env.json:3:3: error: unknown key "$optinal" (did you mean "$optional"?). Fix: use one of $secrets, $provided, $optional, $extends, $unset, $network, $dialect, $timeout, $retry, $access, $switchable, $log; other keys do not start with $
        Base-Env.json:5:3: error: "host" is only "https:", because // starts a comment in .xcconfig files. Fix: write https:/$()/host in the .xcconfig file, or the URL here
        Base-Env.json:6:25: error: the secret "analytics.key" is in a committed file. Fix: write null here, and put the value in Base-Secrets.json or ENV__ANALYTICS__KEY
        X-Env.json:2:12: error: "$unset" names "hsot", which no lower layer contains (did you mean "host"?). Fix: correct or remove it
        X-Env.json:3:15: error: duplicate key "none". Fix: keep one of them
        X-Env.json:3:15: error: "none" is declared but has no value. Fix: give it a value in this environment, or list it in "$secrets" or "$optional"
        X-Secrets.json:1:18: error: "analytics.kye" is only in the secrets file (did you mean "analytics.key"?). Fix: correct its name, or list it in "$secrets"
        Y-Env.json:1:3: error: "timeout" is a string here and an integer in Base-Env.json:4. Fix: give it the same type in both
        Y-Env.json:2:1: error: the key "a.b" contains a dot, which separates nested keys. Fix: rename it, or nest it in a dictionary
        environment variable ENV__TIME_OUT: error: it matches no key of the environment (did you mean "ENV__TIMEOUT"?). Fix: correct its name, or declare the key in a file
        """#)
}
