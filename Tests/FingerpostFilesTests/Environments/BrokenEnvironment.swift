/// Broken environment files, variables, and the expected report of loading `X`. A line that ends in `…` is a prefix,
/// because the rest depends on the system.
enum BrokenEnvironment {
    /// All invalid environments, grouped by the kind of problem.
    static let all =
        syntax + marks + propertyLists + files + keys + values + reserved + chains + secrets + variables + several

    // MARK: Keys

    private static let keys = WrittenCase.table(
        #"""
        A duplicate key
        X-Env.json = {↵"a": 1,↵"b": 2,↵"a": "text"}
        X-Env.json:4:1: error: duplicate key "a". Fix: keep one of them

        Two keys that Unicode considers equal
        X-Env.json = {"é": 1,↵"e\#u{301}": 1}
        X-Env.json:2:1: error: duplicate key "e\u{0301}", which is equal to "\u{00E9}" by Unicode normalization. Fix: keep one of them

        A duplicate nested key
        X-Env.json = {"d": {"a": 1,↵"a": 1}}
        X-Env.json:2:1: error: duplicate key "a". Fix: keep one of them

        Keys that differ only in letter case
        X-Env.json = {"apiKey": 1,↵"apikey": 2, "É": 1, "é": 2}
        X-Env.json:2:1: error: the keys "apiKey" and "apikey" differ only in letter case. Fix: rename or remove one of them
        X-Env.json:2:23: error: the keys "É" and "é" differ only in letter case. Fix: rename or remove one of them

        Keys of two layers that differ only in letter case
        Base-Env.json = {"d": {"timeOut": 1}}
        X-Env.json = {"d": {↵"timeout": 2}}
        X-Env.json:2:1: error: the keys "timeout" and "timeOut" of Base-Env.json:1 differ only in letter case. Fix: write them the same way

        Keys with dots, empty keys and nested reserved keys
        X-Env.json = {"a.b": 1,↵"": 2,↵"d": [{"🦉.🦉": 1}], "e": {"$secrets": []}}
        X-Env.json:1:2: error: the key "a.b" contains a dot, which separates nested keys. Fix: rename it, or nest it in a dictionary
        X-Env.json:2:1: error: a key is empty. Fix: give it a name
        X-Env.json:3:8: error: the key "🦉.🦉" contains a dot, which separates nested keys. Fix: rename it, or nest it in a dictionary
        X-Env.json:3:32: error: the nested key "$secrets" starts with $, which only top-level keys can. Fix: move it to the top level, or rename it
        """#)

    // MARK: Values

    private static let values = WrittenCase.table(
        #"""
        A null without a value in any layer
        X-Env.json = {↵"a": null}
        X-Env.json:2:1: error: "a" is declared but has no value. Fix: give it a value in this environment, or list it in "$secrets" or "$optional"

        A null over a dictionary and below one
        Base-Env.json = {"d": {"a": 1}, "e": null}
        X-Env.json = {"d": null,↵"e": {"a": 1}}
        X-Env.json:1:2: error: "d" is null here and a dictionary in Base-Env.json:1. Fix: list it in "$unset", or write null for its keys
        X-Env.json:2:1: error: "e" is a dictionary here and null in Base-Env.json:1. Fix: declare its keys there, each with the value null

        A different type in another layer
        Base-Env.json = {"a": 1, "b": "x", "c": {"d": true}, "e": [1], "f": {}}
        X-Env.json = {"a": "1",↵"b": 2,↵"c": {"d": "true"},↵"e": {"x": 1},↵"f": []}
        X-Env.json:1:2: error: "a" is a string here and an integer in Base-Env.json:1. Fix: give it the same type in both
        X-Env.json:2:1: error: "b" is an integer here and a string in Base-Env.json:1. Fix: give it the same type in both
        X-Env.json:3:7: error: "c.d" is a string here and a boolean in Base-Env.json:1. Fix: give it the same type in both
        X-Env.json:4:1: error: "e" is a dictionary here and a list in Base-Env.json:1. Fix: give it the same type in both
        X-Env.json:5:1: error: "f" is a list here and a dictionary in Base-Env.json:1. Fix: give it the same type in both

        A different type two layers below
        Base-Env.json = {"a": 1, "$optional": ["a"]}
        Y-Env.json = {"a": null}
        X-Env.json = {"$extends": "Y", "a": "1"}
        X-Env.json:1:19: error: "a" is a string here and an integer in Y-Env.json:1. Fix: give it the same type in both

        Text that is not a date or data
        Base-Env.plist = <key>at</key><date>2026-01-31T12:00:00Z</date><key>blob</key><data>AQID</data>
        X-Env.json = {"at": "tomorrow",↵"blob": "%%"}
        X-Env.json:1:2: error: "at" is a string here and a date in Base-Env.plist:4, and the text is not a date. Fix: write the text as 2026-01-31T12:00:00Z
        X-Env.json:2:1: error: "blob" is a string here and data in Base-Env.plist:4, and the text is not base64. Fix: encode the text as base64

        Build variables that were not replaced
        X-Env.json = {"a": "https://$(HOST)/v1",↵"b": ["${HOST}"], "c": "$HOST $() $(1) 5$",↵"d": "$(ID:lower)"}
        X-Env.json:1:2: error: "a" contains a variable that was not replaced: https://$(HOST)/v1. Fix: write the value, or have the build replace it
        X-Env.json:2:1: error: "b" contains a variable that was not replaced: ${HOST}. Fix: write the value, or have the build replace it
        X-Env.json:3:1: error: "d" contains a variable that was not replaced: $(ID:lower). Fix: write the value, or have the build replace it

        Invalid URLs
        X-Env.json = {"a": "https:",↵"b": "HTTP:",↵"c": "https://",↵"d": "https:///v1",↵"e": "http://:80",
        ↵"f": "http://h.example:808o",↵"g": "http://h example"}
        X-Env.json:1:2: error: "a" is only "https:", because // starts a comment in .xcconfig files. Fix: write https:/$()/host in the .xcconfig file, or the URL here
        X-Env.json:2:1: error: "b" is only "HTTP:", because // starts a comment in .xcconfig files. Fix: write http:/$()/host in the .xcconfig file, or the URL here
        X-Env.json:3:1: error: "c" is a URL without a host. Fix: write the full URL
        X-Env.json:4:1: error: "d" is a URL without a host. Fix: write the full URL
        X-Env.json:5:1: error: "e" is a URL without a host. Fix: write the full URL
        X-Env.json:6:1: error: "f" has a port that is not in 1...65535. Fix: correct or remove the port
        X-Env.json:7:1: error: "g" is not a URL. Fix: correct the host

        URLs with two schemes or an empty name in the host
        X-Env.json = {"baseURL": "https://https//api.example",↵"a": "http://http://127.0.0.1",↵"b": "http://api..example",
        ↵"c": "https://c.example"}
        ENV__C = https://https://api.example
        X-Env.json:1:2: error: "baseURL" has two schemes. Fix: remove the first
        X-Env.json:2:1: error: "a" has two schemes. Fix: remove the first
        X-Env.json:3:1: error: "b" has the host "api..example", in which a name between two dots is empty. Fix: write the missing name, or remove a dot
        environment variable ENV__C: error: "c" has two schemes. Fix: remove the first

        Base URLs without a scheme
        X-Env.json = {"baseURL": "127.0.0.1:18090/api",↵"api": {"base_url": "localhost:8080"},↵"authBaseUrl": "",
        ↵"cdnBaseURI": "https:/cdn.example",↵"databaseURL": "db.sqlite", "basePath": "/v1"}
        X-Env.json:1:2: error: "baseURL" is not a URL with a scheme. Fix: write it in full, for example https://api.example.com
        X-Env.json:2:9: error: "api.base_url" is not a URL with a scheme. Fix: write it in full, for example https://api.example.com
        X-Env.json:3:1: error: "authBaseUrl" is not a URL with a scheme. Fix: write it in full, for example https://api.example.com
        X-Env.json:4:1: error: "cdnBaseURI" has no // after "https:". Fix: write https://, or https:/$()/ in an .xcconfig file, where // starts a comment

        URLs that lost something in a build setting
        X-Env.json = {"baseURL": "\"https://a.example\"",↵"a": "'https://a.example'",↵"b": "https:\\/\\/a.example\\/v1",
        ↵"c": "https:/a.example",↵"d": "https://%HOST%/v1",↵"authBaseURL": "$HOST",↵"bBaseURL": "%API_URL%",
        ↵"cBaseURL": "{{API_URL}}",↵"dBaseURL": "@API_URL@",↵"eBaseURL": "<API_URL>",
        ↵"fBaseURL": "https:/$()/a.example",↵"gBaseURL": "https:\\\\a.example",
        ↵"k": "$HOST", "l": "{{name}}", "m": "https: a", "n": "say \"https://a.example\"", "o": "https://a.example/$x"}
        X-Env.json:1:2: error: "baseURL" contains quotes. Fix: remove them; in .xcconfig files they are part of the value
        X-Env.json:2:1: error: "a" contains quotes. Fix: remove them; in .xcconfig files they are part of the value
        X-Env.json:3:1: error: "b" contains \/, which only JSON reads as /. Fix: remove each \
        X-Env.json:4:1: error: "c" has no // after "https:". Fix: write https://, or https:/$()/ in an .xcconfig file, where // starts a comment
        X-Env.json:5:1: error: "d" contains a variable that was not replaced: https://%HOST%/v1. Fix: write the value, or have the build replace it
        X-Env.json:6:1: error: "authBaseURL" contains a variable that was not replaced: $HOST. Fix: write the value, or have the build replace it
        X-Env.json:7:1: error: "bBaseURL" contains a variable that was not replaced: %API_URL%. Fix: write the value, or have the build replace it
        X-Env.json:8:1: error: "cBaseURL" contains a variable that was not replaced: {{API_URL}}. Fix: write the value, or have the build replace it
        X-Env.json:9:1: error: "dBaseURL" contains a variable that was not replaced: @API_URL@. Fix: write the value, or have the build replace it
        X-Env.json:10:1: error: "eBaseURL" contains a variable that was not replaced: <API_URL>. Fix: write the value, or have the build replace it
        X-Env.json:11:1: error: "fBaseURL" contains a variable that was not replaced: https:/$()/a.example. Fix: write the value, or have the build replace it
        X-Env.json:12:1: error: "gBaseURL" has no // after "https:". Fix: write https://, or https:/$()/ in an .xcconfig file, where // starts a comment

        A secret base URL that lost something, which is not shown
        X-Env.json = {"$secrets": ["baseURL", "base_url"]}
        X-Secrets.json = {"baseURL": "$s3cret",↵"base_url": "'https://s3cret'"}
        X-Secrets.json:1:2: error: "baseURL" contains a variable that was not replaced: <secret baseURL>. Fix: write the value, or have the build replace it
        X-Secrets.json:2:1: error: "base_url" contains quotes. Fix: remove them; in .xcconfig files they are part of the value

        A secret base URL with another scheme
        X-Env.json = {"$secrets": ["baseURL"], "baseURL": null}
        X-Secrets.json = {"baseURL": "s3cret://h.example"}
        X-Secrets.json:1:2: error: "baseURL" is not an http or https URL. Fix: start it with https:// or http://

        Base URLs with other schemes or with characters that URLs cannot contain
        X-Env.json = {"baseURL": "ftp://h.example", "socketBaseURL": "wss://h.example",
        ↵"api": {"baseURL": "https://h.example/a b"},↵"authBaseUrl": "https://h.example/{id}",
        ↵"cdnBaseURI": "https://größe.example"}
        X-Env.json:1:2: error: "baseURL" has the scheme "ftp". Fix: start it with https:// or http://
        X-Env.json:2:9: error: "api.baseURL" contains a space, which a URL cannot contain there. Fix: write %20
        X-Env.json:3:1: error: "authBaseUrl" contains {, which a URL cannot contain there. Fix: write %7B
        X-Env.json:4:1: error: "cdnBaseURI" has a host that a URL cannot have. Fix: correct it, and write a host with other letters as xn--…

        A secret base URL with a character that is not shown
        X-Env.json = {"$secrets": ["baseURL"]}
        X-Secrets.json = {"baseURL": "https://h.example/[s3cret"}
        X-Secrets.json:1:2: error: "baseURL" contains a character that a URL cannot contain. Fix: escape it, for example a space as %20

        URLs in white space
        X-Env.json = {"baseURL": " https://h.example", "help": "https://h.example\n", "text": " a b "}
        X-Env.json:1:2: error: "baseURL" is a URL with white space around it. Fix: remove the white space
        X-Env.json:1:35: error: "help" is a URL with white space around it. Fix: remove the white space

        A secret base URL without a scheme, which is not shown
        X-Env.json = {"$secrets": ["baseURL"], "baseURL": null}
        X-Secrets.json = {"baseURL": "user:s3cret@h.example"}
        X-Secrets.json:1:2: error: "baseURL" is not a URL with a scheme. Fix: write it in full, for example https://api.example.com

        A description that is not text
        X-Env.json = {↵"description": 7}
        X-Env.json:2:1: error: the key "description" is an integer where text is expected. Fix: put it in quotes
        """#)

    // MARK: Reserved keys

    private static let reserved = WrittenCase.table(
        #"""
        A testing environment in another letter case
        Base-Env.json = {"a": 1}
        X-Env.json = {↵"description": " testing"}
        X-Env.json:2:1: error: the description " testing" is not "Testing", so calls would be sent to the server. Fix: write "description": "Testing" to answer from mocks, or set "$network"

        A description that is shown as Testing
        X-Env.json = {↵"description": "\n\#u{200B}Ｔesting\u0000\#u{E0041}"}
        X-Env.json:2:1: error: the description "\n\u{200B}Ｔesting\0\u{000E0041}" is not "Testing", so calls would be sent to the server. Fix: write "description": "Testing" to answer from mocks, or set "$network"

        Unknown reserved keys
        X-Env.json = {"$secret": [],↵"$x": 1}
        X-Env.json:1:2: error: unknown key "$secret" (did you mean "$secrets"?). Fix: use one of $secrets, $provided, $optional, $extends, $unset, $network, $dialect, $timeout, $retry, $access, $switchable, $log; other keys do not start with $
        X-Env.json:2:1: error: unknown key "$x". Fix: use one of $secrets, $provided, $optional, $extends, $unset, $network, $dialect, $timeout, $retry, $access, $switchable, $log; other keys do not start with $

        Reserved keys with values of the wrong type
        X-Env.json = {"$secrets": "a",↵"$optional": [1],↵"$unset": {},↵"$extends": 1,↵"$network": true,
        ↵"$dialect": null,↵"$timeout": "5",↵"$retry": true}
        X-Env.json:1:14: error: "$secrets" is a string where a list of keys is expected. Fix: write ["key", "nested.key"]
        X-Env.json:2:15: error: "$optional" contains an integer where keys are expected. Fix: write ["key", "nested.key"]
        X-Env.json:3:11: error: "$unset" is a dictionary where a list of keys is expected. Fix: write ["key", "nested.key"]
        X-Env.json:4:13: error: "$extends" is 1 where text is expected. Fix: write the name of an environment in quotes
        X-Env.json:5:13: error: "$network" is a boolean where text is expected. Fix: use live, sealed, mocksThenLive
        X-Env.json:6:13: error: "$dialect" is null where text is expected. Fix: use standard, rails, java, indexed
        X-Env.json:7:13: error: "$timeout" is a string where a positive number of seconds is expected. Fix: write a number such as 30 or 2.5
        X-Env.json:8:11: error: "$retry" is a boolean where a number of attempts from 1 to 100 is expected. Fix: write "standard", "off", or the number of attempts

        Reserved keys with unknown values
        X-Env.json = {"$network": "seeled",↵"$dialect": "Rails",↵"$timeout": 0,↵"$retry": "of",↵"$log": "call"}
        X-Env.json:1:14: error: "seeled" is not a valid value of "$network" (did you mean "sealed"?). Fix: use live, sealed, mocksThenLive
        X-Env.json:2:13: error: "Rails" is not a valid value of "$dialect" (did you mean "rails"?). Fix: use standard, rails, java, indexed
        X-Env.json:3:13: error: "$timeout" is 0 where a positive number of seconds is expected. Fix: write a number such as 30 or 2.5
        X-Env.json:4:11: error: "of" is not a valid value of "$retry" (did you mean "off"?). Fix: write "standard", "off", or the number of attempts
        X-Env.json:5:9: error: "call" is not a valid value of "$log" (did you mean "calls"?). Fix: use off, failures, calls

        Access levels that are unknown, or not set in Base
        Base-Env.json = {"$access": "Public"}
        Y-Env.json = {"$access": "open"}
        X-Env.json = {"$extends": "Y",↵"$access": "internal"}
        X-Secrets.json = {"$access": "public"}
        Base-Env.json:1:13: error: "Public" is not a valid value of "$access" (did you mean "public"?). Fix: use internal, public
        X-Env.json:2:12: error: one environment cannot set "$access", because all share the generated code. Fix: move it to Base-Env
        X-Secrets.json:1:2: error: a secrets file cannot set "$access". Fix: move it to Base-Env
        Y-Env.json:1:13: error: one environment cannot set "$access", because all share the generated code. Fix: move it to Base-Env
        Y-Env.json:1:13: error: "open" is not a valid value of "$access". Fix: use internal, public

        No attempts
        X-Env.json = {"$retry": 0}
        X-Env.json:1:12: error: "$retry" is 0 where a number of attempts from 1 to 100 is expected. Fix: write "standard", "off", or the number of attempts

        A negative timeout
        X-Env.json = {"$timeout": -0.5}
        X-Env.json:1:14: error: "$timeout" is -0.5 where a positive number of seconds is expected. Fix: write a number such as 30 or 2.5

        Unsetting a missing key
        Base-Env.json = {"featureX": 1}
        X-Env.json = {"own": 1,↵"$unset": ["fetureX", "own"]}
        X-Env.json:2:12: error: "$unset" names "fetureX", which no lower layer contains (did you mean "featureX"?). Fix: correct or remove it
        X-Env.json:2:23: error: "$unset" names "own", which no lower layer contains. Fix: correct or remove it
        """#)

    // MARK: $extends

    private static let chains = WrittenCase.table(
        #"""
        Extending a missing environment
        X-Env.json = {↵"$extends": "Y"}
        X-Env.json:2:13: error: "$extends" names "Y", which is not an environment. Fix: remove it

        Extending a misspelled environment
        Staging-Env.json = {}
        X-Env.json = {"$extends": "Stagin"}
        X-Env.json:1:14: error: "$extends" names "Stagin", which is not an environment (did you mean "Staging"?). Fix: use Staging

        Extending itself
        X-Env.json = {"$extends": "X"}
        X-Env.json:1:14: error: "$extends" forms a cycle: X → X. Fix: remove "$extends" from one of them

        Extending in a cycle
        Y-Env.json = {↵"$extends": "Z"}
        Z-Env.json = {↵↵"$extends": "Y"}
        X-Env.json = {"$extends": "Y"}
        Z-Env.json:3:13: error: "$extends" forms a cycle: X → Y → Z → Y. Fix: remove "$extends" from one of them

        Extending a missing Base
        X-Env.json = {"$extends": "Base"}
        X-Env.json:1:14: error: "$extends" names "Base", which is not an environment. Fix: remove it

        A Base that extends
        Base-Env.json = {"$extends": "X"}
        X-Env.json = {}
        Base-Env.json:1:14: error: Base is the lowest layer and cannot extend another environment. Fix: remove "$extends"

        A variable in quotes, and one with the end of a line of Windows
        X-Env.json = {"a": "x", "b": "y", "c": "z"}
        ENV__A = "q"
        ENV__C = it's"
        environment variable ENV__A: warning: its value is in quotes. Fix: remove it, if it is not part of the value

        An ampersand in a property list
        X-Env.plist = <plist><dict><key>k</key><string>https://a.example/?a=1&b=2</string></dict></plist>
        X-Env.plist:…

        A file of SOPS
        X-Env.json = {"baseURL": "ENC[AES256_GCM,data:abc,type:str]"}
        X-Env.json:1:2: error: "baseURL" is encrypted with SOPS. Fix: decrypt the file with sops before the build

        Extending a broken file, which is reported once
        Y-Env.json = {"k": null,}
        X-Env.json = {"$extends": "Y", "$secrets": ["k"], "$unset": ["u"], "n": null}
        ENV__K = 1
        Y-Env.json:1:12: error: unexpected } where a key in double quotes is expected. Fix: remove the comma after the last entry
        """#)
}
