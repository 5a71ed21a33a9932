import Foundation

/// Files that are broken regardless of their keys.
extension BrokenEnvironment {
    private static func propertyList(_ inside: String) -> String { EnvironmentFixture.propertyList(inside) }

    // MARK: Invalid JSON

    static let syntax = [
        BrokenEnvironment(
            name: "An empty file", files: ["X-Env.json": ""],
            report: #"""
                X-Env.json:1:1: error: the file is empty. Fix: write a JSON value, for example {}
                """#),
        BrokenEnvironment(
            name: "Only white space", files: ["X-Env.json": " \n\n "],
            report: #"""
                X-Env.json:3:2: error: the file is empty. Fix: write a JSON value, for example {}
                """#),
        BrokenEnvironment(
            name: "A byte order mark and a broken value", files: ["X-Env.json": "\u{FEFF}{\n  \"a\": tru\n}"],
            report: #"""
                X-Env.json:2:8: error: unexpected t where a value is expected
                """#),
        BrokenEnvironment(
            name: "JSON in UTF-16", data: ["X-Env.json": "{\"a\": 1}".data(using: .utf16LittleEndian) ?? Data()],
            report: #"""
                X-Env.json:1:1: error: the file is not UTF-8. Fix: save the file as UTF-8
                """#),
        BrokenEnvironment(
            name: "JSON in UTF-16 with a byte order mark", data: ["X-Env.json": Data([0xFF, 0xFE, 0x7B, 0, 0x7D, 0])],
            report: #"""
                X-Env.json:1:1: error: the file is not UTF-8. Fix: save the file as UTF-8
                """#
        ),
        BrokenEnvironment(
            name: "Invalid UTF-8",
            data: ["X-Env.json": Data("{\n\"a\": \"".utf8 + [0xC3, 0x28] + "\"}".utf8)],
            report: #"""
                X-Env.json:2:7: error: a string is not valid UTF-8. Fix: save the file as UTF-8
                """#),
        BrokenEnvironment(
            name: "A comma after the last entry", files: ["X-Env.json": "{\n  \"a\": 1,\n}"],
            report: #"""
                X-Env.json:3:1: error: unexpected } where a key in double quotes is expected. Fix: remove the comma after the last entry
                """#),
        BrokenEnvironment(
            name: "A comma after the last element", files: ["X-Env.json": "{\"a\": [1,\n2,]}"],
            report: #"""
                X-Env.json:2:3: error: unexpected ] where a value is expected. Fix: remove the comma after the last element
                """#),
        BrokenEnvironment(
            name: "A comment", files: ["X-Env.json": "{\n// which server\n\"a\": 1}"],
            report: #"""
                X-Env.json:2:1: error: unexpected / where a key in double quotes is expected. Fix: remove the comment; JSON has none
                """#),
        BrokenEnvironment(
            name: "Single quotes", files: ["X-Env.json": "{'a': 1}"],
            report: #"""
                X-Env.json:1:2: error: unexpected ' where a key in double quotes is expected. Fix: use straight double quotes
                """#),
        BrokenEnvironment(
            name: "Text after the end", files: ["X-Env.json": "{\"a\": 1}\n{\"b\": 2}"],
            report: #"""
                X-Env.json:2:1: error: unexpected { after the end of the JSON value
                """#),
        BrokenEnvironment(
            name: "An unterminated string", files: ["X-Env.json": "{\"a\": \"x}\n"],
            report: #"""
                X-Env.json:1:10: error: a string contains an unescaped control character. Fix: write it as an escape such as \n
                """#),
        BrokenEnvironment(
            name: "An integer beyond 64 bits", files: ["X-Env.json": "{\n\"a\": 9223372036854775808}"],
            report: #"""
                X-Env.json:2:6: error: an integer does not fit in 64 bits. Fix: write a smaller number, or put it in quotes and read it as text
                """#),
        BrokenEnvironment(
            name: "A number that is too large", files: ["X-Env.json": "{\"a\": 1e999}"],
            report: #"""
                X-Env.json:1:7: error: a number is too large. Fix: write a smaller number, or put it in quotes and read it as text
                """#),
        BrokenEnvironment(
            name: "A number with a leading zero", files: ["X-Env.json": "{\"a\": 007}"],
            report: #"""
                X-Env.json:1:7: error: a number starts with 0. Fix: remove the leading zero, or put the value in quotes
                """#),
        BrokenEnvironment(
            name: "A thousand nested levels",
            files: [
                "X-Env.json": "{\"a\": " + String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000)
                    + "}"
            ],
            report: #"""
                X-Env.json:1:518: error: nested deeper than 512 levels
                """#),
        BrokenEnvironment(
            name: "A list at the root", files: ["X-Env.json": "[{\"a\": 1}]"],
            report: #"""
                X-Env.json:1:1: error: the file contains a list, not a dictionary of keys. Fix: write { "key": "value" }
                """#),
        BrokenEnvironment(
            name: "A string at the root", files: ["X-Env.json": "\n\"a\""],
            report: #"""
                X-Env.json:2:1: error: the file contains a string, not a dictionary of keys. Fix: write { "key": "value" }
                """#),
    ]

    // MARK: Property lists

    static let propertyLists = [
        BrokenEnvironment(
            name: "An empty property list", files: ["X-Env.plist": ""],
            report: #"""
                X-Env.plist: error: the file is empty. Fix: write a property list with a dictionary
                """#),
        BrokenEnvironment(
            name: "JSON in a property list", files: ["X-Env.plist": "{\"a\": 1}"],
            report: #"""
                X-Env.plist:1: error: not a property list: …
                """#),
        BrokenEnvironment(
            name: "A pointer of Git LFS", files: ["X-Env.plist": "version https://git-lfs.github.com/spec/v1\noid 0\n"],
            report: #"""
                X-Env.plist:1: error: not a property list: …
                """#),
        BrokenEnvironment(
            name: "A list at the root of a property list", files: ["X-Env.plist": "<plist>\n<array/></plist>"],
            report: #"""
                X-Env.plist:2:1: error: the file contains a list, not a dictionary of keys. Fix: make <dict> the root of the property list
                """#),
        BrokenEnvironment(
            name: "A key without a value", files: ["X-Env.plist": propertyList("<key>a</key>")],
            report: #"""
                X-Env.plist:5: error: not a property list: …
                """#),
        BrokenEnvironment(
            name: "An unknown tag", files: ["X-Env.plist": propertyList("<key>a</key>\n<strin>x</strin>")],
            report: #"""
                X-Env.plist:5: error: not a property list: …
                """#),
        BrokenEnvironment(
            name: "A duplicate key in a property list",
            files: ["X-Env.plist": propertyList("<key>a</key><string>x</string>\n<key>a</key><string>y</string>")],
            report: #"""
                X-Env.plist:5:1: error: duplicate key "a". Fix: keep one of them
                """#),
        BrokenEnvironment(
            name: "An invalid date",
            files: ["X-Env.plist": propertyList("<key>a</key>\n<date>tomorrow</date>")],
            report: #"""
                X-Env.plist:5:1: error: the date does not exist. Fix: write a date such as 2026-01-31T12:00:00Z
                """#),
        BrokenEnvironment(
            name: "An integer beyond 64 bits in a property list",
            files: ["X-Env.plist": propertyList("<key>a</key>\n<integer>18446744073709551615</integer>")],
            report: #"""
                X-Env.plist:5:1: error: an integer does not fit in 64 bits. Fix: write a smaller number, or make it a string and read it as text
                """#),
        BrokenEnvironment(
            name: "A real number that is not finite",
            files: ["X-Env.plist": propertyList("<key>a</key>\n<real>nan</real>")],
            report: #"""
                X-Env.plist:4:1: error: "a" is not a finite number. Fix: write a number, or text
                """#),
        BrokenEnvironment(
            name: "A thousand nested levels in a property list",
            files: [
                "X-Env.plist": propertyList(
                    "<key>a</key>" + String(repeating: "<array>", count: 1000)
                        + String(repeating: "</array>", count: 1000))
            ],
            report: #"""
                X-Env.plist:…
                """#),
        BrokenEnvironment(
            name: "An invalid value in a property list in UTF-16",
            data: [
                "X-Env.plist": Data([0xFF, 0xFE])
                    + (propertyList("<key>é</key><string>https:</string>").replacingOccurrences(
                        of: "UTF-8", with: "UTF-16"
                    )
                    .data(using: .utf16LittleEndian) ?? Data())
            ],
            report: #"""
                X-Env.plist: error: "é" is only "https:", because // starts a comment in .xcconfig files. Fix: write https:/$()/host in the .xcconfig file, or the URL here
                """#),
        BrokenEnvironment(
            name: "A binary property list, reported without lines",
            data: [
                "X-Env.plist":
                    (try? PropertyListSerialization.data(
                        fromPropertyList: ["a": ["b.c": 1]], format: .binary, options: 0)) ?? Data()
            ],
            report: #"""
                X-Env.plist: error: the key "b.c" contains a dot, which separates nested keys. Fix: rename it, or nest it in a dictionary
                """#),
        BrokenEnvironment(
            name: "A truncated binary property list",
            data: [
                "X-Env.plist":
                    ((try? PropertyListSerialization.data(
                        fromPropertyList: ["a": 1], format: .binary, options: 0)) ?? Data()).prefix(12)
            ],
            report: #"""
                X-Env.plist:…
                """#),
    ]

    // MARK: Files

    static let files = [
        BrokenEnvironment(
            name: "Both formats", files: ["X-Env.json": "{}", "X-Env.plist": propertyList("")],
            report: #"""
                .: error: the environment "X" has two files: X-Env.json and X-Env.plist. Fix: keep one of them
                """#),
        BrokenEnvironment(
            name: "Both formats of Base",
            files: ["Base-Env.json": "{}", "Base-Env.plist": propertyList(""), "X-Env.json": "{}"],
            report: #"""
                .: error: the environment "Base" has two files: Base-Env.json and Base-Env.plist. Fix: keep one of them
                """#),
        BrokenEnvironment(
            name: "A folder instead of a file", files: ["X-Env.json/inside.json": "{}"],
            report: #"""
                X-Env.json: error: this is a folder, not a file. Fix: replace it with the file
                """#),
        BrokenEnvironment(
            name: "A link to itself", links: ["X-Env.json": "X-Env.json"],
            report: #"""
                X-Env.json: error: this is a link to a file that does not exist. Fix: correct or remove it
                """#),
        BrokenEnvironment(
            name: "Links in a cycle", links: ["X-Env.json": "Y-Env.json", "Y-Env.json": "X-Env.json"],
            report: #"""
                X-Env.json: error: this is a link to a file that does not exist. Fix: correct or remove it
                """#),
        BrokenEnvironment(
            name: "A link to a missing file", links: ["X-Env.json": "gone.json"],
            report: #"""
                X-Env.json: error: this is a link to a file that does not exist. Fix: correct or remove it
                """#),
        BrokenEnvironment(
            name: "A link to an endless device", links: ["X-Env.json": "/dev/zero"],
            report: #"""
                X-Env.json: error: this is not a regular file. Fix: replace it with the file
                """#),
        BrokenEnvironment(
            name: "A file of ten megabytes", data: ["X-Env.json": Data(repeating: 0x20, count: 10_000_000)],
            report: #"""
                X-Env.json: error: the file has 10000000 bytes; an environment file can have at most 5000000. Fix: keep the values that differ between servers, and move the data elsewhere
                """#),
    ]
}
