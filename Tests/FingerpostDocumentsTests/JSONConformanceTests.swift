import TestSupport

@testable import FingerpostDocuments
@testable import FingerpostFiles

@Suite(.inTurn) struct JSONConformanceTests {
    @Test func `Valid JSON is accepted`() throws {
        for text in JSONTable.valid {
            let node = try JSONReader.read(Data(text.utf8))
            // The position of each value is inside the text.
            let isInside = node.offset.map { text.utf8.count > $0 }
            // Written again, it is the same value. The encoder writes a negative zero as 0.
            let written = try JSONReader.read(node.json()).json()
            let found = try (isInside, JSONReader.read(written).json())
            #expect(found == (true, written), "\(text)")
        }
    }

    /// The problem of a text; nil if it is valid.
    private func problem(_ bytes: [UInt8]) -> FileProblem? {
        do throws(FileProblem) {
            _ = try JSONReader.read(Data(bytes))
            return nil
        } catch {
            return error
        }
    }

    @Test func `Invalid JSON, and valid JSON that is cut, are rejected`() {
        let unplaced = JSONTable.invalid.filter { text in
            let problem = problem(Array(text.utf8))
            return problem?.line == nil || problem?.column == nil
        }
        #expect(unplaced == [])
        let cut = JSONTable.valid.filter { ["[", "{", "\""].contains($0.first) }.flatMap { text in
            (0..<text.utf8.count - (text.hasSuffix("\n") ? 1 : 0)).map { Array(text.utf8.prefix($0)) }
        }
        #expect((JSONTable.invalidBytes + cut).filter { problem($0) == nil } == [])
    }

    @Test func `What the standard leaves open is decided`() {
        for (text, isAccepted) in JSONTable.choices {
            #expect(((try? JSONReader.read(Data(text.utf8))) != nil) == isAccepted, "\(text.prefix(80))")
        }
    }
}
