@testable import FingerpostMockFiles

@Suite(.inTurn) struct MockPageSearchTests {
    /// A scan would compare each page with each query.
    @Test func `One of 5,000 pages is found without the others`() throws {
        let pages = MockPages(
            try (1...5_000).map { ("page\($0)", try MockRoute("GET /list?size=9&page=\($0)")) })
        for query in ["size=9&page=4711", "page=%34711&size=9", "sort=name&page=4711&size=9"] {
            #expect((pages.candidates(for: query).count, pages[query].map(\.variant)) == (1, ["page4711"]), "\(query)")
        }
        let none = ["", "size=9", "page=5001&size=9"].map { pages.candidates(for: $0) }
        #expect((none, pages["page=4711"].map(\.variant)) == ([[], [], []], []))
    }
}
