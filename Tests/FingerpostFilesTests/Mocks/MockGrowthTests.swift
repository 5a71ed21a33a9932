import Foundation
import TestSupport
import Testing

@testable import FingerpostChecks
@testable import FingerpostFiles
@testable import FingerpostMockFiles

/// Folders so large that they would exceed the time limit if a step took quadratic time.
@Suite(.inTurn) struct MockGrowthTests {
    private static let count = 1_500

    @Test(
        .heavy,
        arguments: [
            "login.v%.json", "login.v%.401.json", "login.a%.b.json", "login.a%.b%.json", "login.v%.png",
            "login.v%.mock.json", "login.v%.png.mock.json", "login.a.b.c%.png",
        ])
    func `A folder with many variants of one mock is checked`(pattern: String) throws {
        let entries =
            ["login.json", "login.png"].map { MockListing.Entry(path: $0, kind: .file) }
            + (0..<Self.count).map {
                MockListing.Entry(path: pattern.replacingOccurrences(of: "%", with: "\($0)"), kind: .file)
            }
        let listing = MockListing(entries)
        for entry in entries {
            #expect(listing.contains(entry.path))
            let owner = listing.owner(of: entry.path)
            #expect(listing.files(of: owner.mock).has(entry.path, as: owner.variant))
        }
    }

    @Test(.heavy, arguments: [#"{"body": "nock%.json"}"#, #"{"status": 200, "then": {"nock%": "x"}}"#, "{}"])
    func `Many wrong settings are reported`(settings: String) throws {
        let mocks = try MockFolderFixture(
            Dictionary(
                uniqueKeysWithValues: (0..<150).flatMap { number in
                    [
                        ("mock\(number).mock.json", settings.replacingOccurrences(of: "%", with: "\(number)")),
                        ("mock\(number)x.json", "{}"),
                    ]
                }))
        let problems = MockFolderCheck.problems(of: try mocks.folder())
        #expect(problems.count == 150)
        // The names are searched a hundred times at most.
        #expect(problems.count { "\($0)".contains("did you mean") } == 100)
    }

    @Test func `Entries are found by their start, in order`() {
        let paths = ["a.b", "a.b.c", "a.bc", "a.a", "a", "a.b/x", "a.b.a", "b.b"]
        let listing = MockListing(paths.map { MockListing.Entry(path: $0, kind: .file) })
        #expect(listing.entries(startingWith: "a.b").map(\.path) == ["a.b", "a.b.a", "a.b.c", "a.bc"])
        #expect(listing.entries(startingWith: "a.b.").map(\.path) == ["a.b.a", "a.b.c"])
        #expect(listing.entries(startingWith: "a.z").map(\.path).isEmpty)
        for path in paths { #expect(listing[path]?.path == path) }
        for path in ["", "a.", "a.b.", "c", "a.b.b"] { #expect(listing[path] == nil) }
    }
}
