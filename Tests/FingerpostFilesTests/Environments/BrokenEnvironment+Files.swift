/// Files that are broken regardless of their keys.
extension BrokenEnvironment {
    // MARK: Invalid JSON

    static let syntax = WrittenCase.table(
        #"""
        An empty file
        X-Env.json =
        X-Env.json:1:1: error: the file is empty. Fix: write a JSON value, for example {}

        Only white space
        X-Env.json =  ↵↵\#u{20}
        X-Env.json:3:2: error: the file is empty. Fix: write a JSON value, for example {}

        A byte order mark and a broken value
        X-Env.json = \#u{FEFF}{↵  "a": tru↵}
        X-Env.json:2:8: error: unexpected t where a value is expected

        A comma after the last entry
        X-Env.json = {↵  "a": 1,↵}
        X-Env.json:3:1: error: unexpected } where a key in double quotes is expected. Fix: remove the comma after the last entry

        A comma after the last element
        X-Env.json = {"a": [1,↵2,]}
        X-Env.json:2:3: error: unexpected ] where a value is expected. Fix: remove the comma after the last element

        A comment
        X-Env.json = {↵// which server↵"a": 1}
        X-Env.json:2:1: error: unexpected / where a key in double quotes is expected. Fix: remove the comment; JSON has none

        Single quotes
        X-Env.json = {'a': 1}
        X-Env.json:1:2: error: unexpected ' where a key in double quotes is expected. Fix: use straight double quotes

        Text after the end
        X-Env.json = {"a": 1}↵{"b": 2}
        X-Env.json:2:1: error: unexpected { after the end of the JSON value

        An unterminated string
        X-Env.json = {"a": "x}↵
        X-Env.json:1:10: error: a string contains an unescaped control character. Fix: write it as an escape such as \n

        An integer beyond 64 bits
        X-Env.json = {↵"a": 9223372036854775808}
        X-Env.json:2:6: error: an integer does not fit in 64 bits. Fix: write a smaller number, or put it in quotes and read it as text

        A number that is too large
        X-Env.json = {"a": 1e999}
        X-Env.json:1:7: error: a number is too large. Fix: write a smaller number, or put it in quotes and read it as text

        A number with a leading zero
        X-Env.json = {"a": 007}
        X-Env.json:1:7: error: a number starts with 0. Fix: remove the leading zero, or put the value in quotes

        A list at the root
        X-Env.json = [{"a": 1}]
        X-Env.json:1:1: error: the file contains a list, not a dictionary of keys. Fix: write { "key": "value" }

        A string at the root
        X-Env.json = ↵"a"
        X-Env.json:2:1: error: the file contains a string, not a dictionary of keys. Fix: write { "key": "value" }

        A thousand nested levels
        X-Env.json = {"a": \#(String(repeating: "[", count: 1000))\#(String(repeating: "]", count: 1000))}
        X-Env.json:1:518: error: nested deeper than 512 levels
        """#)

    // MARK: Invisible characters

    /// Byte order marks in any place but the start, which Foundation drops in some places.
    private static func mark(at place: String, in name: String, _ text: String) -> [WrittenCase] {
        WrittenCase.table(
            """
            A byte order mark at \(place) of \(name)
            \(name) = \(text.replacing("\n", with: "↵"))
            \(name):\(place): error: the file contains a byte order mark (U+FEFF) after its start. Fix: remove it
            """)
    }

    static let marks =
        [
            ("{\n\"\u{FEFF}$network\": \"live\"}", "2:2"), ("{\"$net\u{FEFF}work\": \"live\"}", "1:7"),
            ("{\"description\":\n \"\u{FEFF}Testing\"}", "2:3"), ("{\"a\": \"b\u{FEFF}\"}", "1:9"),
            ("\u{FEFF}{\"\u{FEFF}baseURL\": \"https://a.example\"}", "1:6"), ("{\"\u{FEFF}\": 1}", "1:3"),
            ("{\"l\": [{\"\u{FEFF}a\": 1}]}", "1:10"), ("\u{FEFF}\u{FEFF}{}", "1:4"), ("{}\n\u{FEFF}", "2:1"),
        ].flatMap { mark(at: $1, in: "X-Env.json", $0) }
        + [
            ("<key>\u{FEFF}a</key><true/>", "4:6"), ("<key>a</key><string>\u{FEFF}b</string>", "4:21"),
            ("<!-- \u{FEFF} -->", "4:6"), ("<key>a</key><string><![CDATA[\u{FEFF}b]]></string>", "4:30"),
        ].flatMap { mark(at: $1, in: "X-Env.plist", EnvironmentFixture.propertyList($0)) }
        + WrittenCase.table(
            #"""
            A byte order mark in a secrets file
            X-Env.json = {}
            X-Secrets.json = {"\#u{FEFF}s3cret": 1}
            X-Secrets.json:1:3: error: the file contains a byte order mark (U+FEFF) after its start. Fix: remove it

            Keys with characters that nothing shows
            X-Env.json = {"\ufeff$network": "live",↵"base\#u{200B}URL": "https://a.example",↵"a\#u{200D}": 1, "\#u{AD}": 1,
            ↵"l": [{"\n": 1}], "d": {"\#u{E0041}": 1}, "\u0000": 1}
            X-Env.json:1:2: error: the key "\u{FEFF}$network" contains a character that nothing shows. Fix: remove it, or write the text again
            X-Env.json:2:1: error: the key "base\u{200B}URL" contains a character that nothing shows. Fix: remove it, or write the text again
            X-Env.json:3:1: error: the key "a\u{200D}" contains a character that nothing shows. Fix: remove it, or write the text again
            X-Env.json:3:12: error: the key "\u{00AD}" contains a character that nothing shows. Fix: remove it, or write the text again
            X-Env.json:4:8: error: the key "\n" contains a character that nothing shows. Fix: remove it, or write the text again
            X-Env.json:4:25: error: the key "\u{000E0041}" contains a character that nothing shows. Fix: remove it, or write the text again
            X-Env.json:4:37: error: the key "\0" contains a character that nothing shows. Fix: remove it, or write the text again

            Keys that only look like those that decide where calls go
            X-Env.json = {" $network": "sealed",↵"＄network": "sealed",↵"description ": "Testing", "a b": 1, " c": 1}
            X-Env.json:1:2: error: the key " $network" is not "$network", and only looks like it. Fix: write "$network"
            X-Env.json:2:1: error: the key "＄network" is not "$network", and only looks like it. Fix: write "$network"
            X-Env.json:3:1: error: the key "description " is not "description", and only looks like it. Fix: write "description"

            Values of reserved keys with characters that nothing shows
            Base-Env.json = {"apiKey": 1, "b": null}
            X-Env.json = {"$network": "sealed\u200b",↵"$dialect": "\ufeffrails",↵"$optional": ["b", "b\#u{200D}"],
            ↵"$unset": ["api\#u{AD}Key"], "$retry": "off\n"}
            X-Env.json:1:14: error: "$network" contains a character that nothing shows. Fix: remove it, or write the text again
            X-Env.json:2:13: error: "$dialect" contains a character that nothing shows. Fix: remove it, or write the text again
            X-Env.json:3:20: error: "$optional" contains a character that nothing shows. Fix: remove it, or write the text again
            X-Env.json:4:12: error: "$unset" names "api\#u{AD}Key", which no lower layer contains (did you mean "apiKey"?). Fix: correct or remove it
            X-Env.json:4:12: error: "$unset" contains a character that nothing shows. Fix: remove it, or write the text again
            X-Env.json:4:35: error: "$retry" contains a character that nothing shows. Fix: remove it, or write the text again

            Base URLs with characters that nothing shows
            X-Env.json = {"baseURL": "\ufeffhttps://a.example",↵"authBaseURL": "https://a.example\#u{200B}/v1",
            ↵"d": {"base_url": "https://a.example/\#u{200D}v1"}, "text": "a\ufeff\#u{200D}"}
            X-Env.json:1:2: error: "baseURL" contains a character that nothing shows. Fix: remove it, or write the text again
            X-Env.json:2:1: error: "authBaseURL" contains a character that nothing shows. Fix: remove it, or write the text again
            X-Env.json:3:7: error: "d.base_url" contains a character that nothing shows. Fix: remove it, or write the text again
            """#)

    // MARK: Property lists

    static let propertyLists = WrittenCase.table(
        #"""
        An empty property list
        X-Env.plist =
        X-Env.plist: error: the file is empty. Fix: write a property list with a dictionary

        JSON in a property list
        X-Env.plist = {"a": 1}
        X-Env.plist:1: error: not a property list: …

        A pointer of Git LFS
        X-Env.plist = version https://git-lfs.github.com/spec/v1↵oid 0↵
        X-Env.plist:1: error: not a property list: …

        A list at the root of a property list
        X-Env.plist = <plist>↵<array/></plist>
        X-Env.plist:2:1: error: the file contains a list, not a dictionary of keys. Fix: make <dict> the root of the property list

        A key without a value
        X-Env.plist = <key>a</key>
        X-Env.plist:5: error: not a property list: …

        An unknown tag
        X-Env.plist = <key>a</key>↵<strin>x</strin>
        X-Env.plist:5: error: not a property list: …

        A duplicate key in a property list
        X-Env.plist = <key>a</key><string>x</string>↵<key>a</key><string>y</string>
        X-Env.plist:5:1: error: duplicate key "a". Fix: keep one of them

        An invalid date
        X-Env.plist = <key>a</key>↵<date>tomorrow</date>
        X-Env.plist:5:1: error: the date does not exist. Fix: write a date such as 2026-01-31T12:00:00Z

        An integer beyond 64 bits in a property list
        X-Env.plist = <key>a</key>↵<integer>18446744073709551615</integer>
        X-Env.plist:5:1: error: an integer does not fit in 64 bits. Fix: write a smaller number, or make it a string and read it as text

        A real number that is not finite
        X-Env.plist = <key>a</key>↵<real>nan</real>
        X-Env.plist:4:1: error: "a" is not a finite number. Fix: write a number, or text

        A thousand nested levels in a property list
        X-Env.plist = <key>a</key>\#(String(repeating: "<array>", count: 1000))\#(String(repeating: "</array>", count: 1000))
        X-Env.plist:…
        """#)

    // MARK: Files

    static let files = WrittenCase.table(
        #"""
        Both formats
        X-Env.json = {}
        X-Env.plist = <plist><dict/></plist>
        .: error: the environment "X" has two files: X-Env.json and X-Env.plist. Fix: keep one of them

        Both formats of Base
        Base-Env.json = {}
        Base-Env.plist = <plist><dict/></plist>
        X-Env.json = {}
        .: error: the environment "Base" has two files: Base-Env.json and Base-Env.plist. Fix: keep one of them

        A folder instead of a file
        X-Env.json/inside.json = {}
        X-Env.json: error: this is a folder, not a file. Fix: replace it with the file

        A link to itself
        X-Env.json = → X-Env.json
        X-Env.json: error: this is a link to a file that does not exist. Fix: correct or remove it

        Links in a cycle
        X-Env.json = → Y-Env.json
        Y-Env.json = → X-Env.json
        X-Env.json: error: this is a link to a file that does not exist. Fix: correct or remove it

        A link to a missing file
        X-Env.json = → gone.json
        X-Env.json: error: this is a link to a file that does not exist. Fix: correct or remove it

        A link to an endless device
        X-Env.json = → /dev/zero
        X-Env.json: error: this is not a regular file. Fix: replace it with the file
        """#)
}
