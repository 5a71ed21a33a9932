import TestSupport

@testable import FingerpostDocuments
@testable import FingerpostFiles

@Suite(.inTurn) struct JSONConformanceTests {
    @Test(arguments: JSONTable.valid) func `Valid JSON is accepted`(text: String) throws {
        let data = Data(text.utf8)
        let node = try JSONReader.read(data)
        // The position of each value is inside the text.
        #expect(node.offset.map { text.utf8.indices.count > $0 } == true)
        // Written again, it is the same value. The encoder writes a negative zero as 0.
        let written = try JSONReader.read(node.json()).json()
        #expect(try JSONReader.read(written).json() == written)
    }

    @Test(arguments: JSONTable.invalid) func `Invalid JSON is rejected`(text: String) {
        let problem = #expect(throws: FileProblem.self) { try JSONReader.read(Data(text.utf8)) }
        #expect(problem?.line != nil && problem?.column != nil)
    }

    @Test(arguments: JSONTable.invalidBytes) func `Bytes that are not UTF-8 are rejected`(bytes: [UInt8]) {
        #expect(throws: FileProblem.self) { try JSONReader.read(Data(bytes)) }
    }

    @Test(arguments: JSONTable.choices) func `What the standard leaves open is decided`(text: String, isAccepted: Bool)
    {
        #expect(((try? JSONReader.read(Data(text.utf8))) != nil) == isAccepted)
    }

    @Test func `Every valid text that is cut is rejected`() {
        for text in JSONTable.valid where text.hasPrefix("[") || text.hasPrefix("{") || text.hasPrefix("\"") {
            for count in 0..<text.utf8.count - (text.hasSuffix("\n") ? 1 : 0) {
                let cut = Data(Array(text.utf8)[..<count])
                #expect(throws: FileProblem.self, "\(text.debugDescription) cut to \(count)") {
                    try JSONReader.read(cut)
                }
            }
        }
    }
}
