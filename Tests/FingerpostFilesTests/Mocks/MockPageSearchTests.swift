@testable import FingerpostMockFiles

@Suite(.inTurn) struct MockPageSearchTests {
    /// A scan would compare each page with each query.
    @Test func `One of 5,000 pages is found without the others`() throws {
        let pages = MockPages(
            try (1...5_000).map { ("page\($0)", try MockRoute("GET /list?size=9&page=\($0)")) })
        for query in ["size=9&page=4711", "page=%34711&size=9", "sort=name&page=4711&size=9"] {
            #expect(pages.candidates(for: query).count == 1, "\(query)")
            #expect(pages[query].map(\.variant) == ["page4711"], "\(query)")
        }
        for query in ["", "size=9", "page=5001&size=9"] { #expect(pages.candidates(for: query).isEmpty, "\(query)") }
        #expect(pages["page=4711"].isEmpty)
    }
}
