@testable import FingerpostTesting

@Suite(.inTurn) struct RecordingRunTests {
    @Test func `A report is one line of text, and one line of JSON that is added to a file`() throws {
        let run = RecordingRun("Staging")
        for text in ["GET /me: a", "GET /me: a", "GET /me: b"] { run.add(text, to: .different) }
        run.add("POST /issues", to: .writes)
        run.addCompared()
        let report = run.report
        #expect(
            report.text
                == "Drift from Staging: 1 compared, 2 different (GET /me: a; GET /me: b), 1 writes (POST /issues)")
        let folder = try TemporaryFolder()
        let file = folder["report.jsonl"]
        for _ in 1...2 { try report.append(to: file) }
        let line =
            #"{"compared":1,"counted":{"different":["GET /me: a","GET /me: b"],"writes":["POST /issues"]},"environment":"Staging"}"#
        #expect(try String(contentsOf: file, encoding: .utf8) == "\(line)\n\(line)\n")
    }

    @Test(arguments: RecordingRun.Count.allCases) func `Some counts fail a run`(count: RecordingRun.Count) {
        let run = RecordingRun("Staging")
        #expect(run.report.isFailure, "nothing is compared")
        run.addCompared()
        run.add("x", to: count)
        #expect(run.report.isFailure == [.different, .rejected, .refused, .unsent].contains(count))
    }

    @Test func `Ordinary tests alone are an error`() {
        let run = RecordingRun("Staging")
        #expect(run.objection == nil)
        run.begin(isRecording: false)
        #expect(run.objection?.contains("add .recording") == true)
        run.begin(isRecording: true)
        #expect(run.objection == nil)
    }
}
