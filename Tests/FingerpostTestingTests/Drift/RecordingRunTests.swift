@testable import FingerpostTesting

@Suite(.inTurn) struct RecordingRunTests {
    @Test func `A report is one line of text, and one line of JSON that is added to a file`() throws {
        let run = RecordingRun("Staging")
        for text in ["GET /me: a", "GET /me: a", "GET /me: b"] { run.add(text, to: .different) }
        run.add("POST /issues", to: .writes)
        run.addCompared()
        let report = run.report
        let folder = try TemporaryFolder()
        let file = folder["report.jsonl"]
        for _ in 1...2 { try report.append(to: file) }
        let line =
            #"{"compared":1,"counted":{"different":["GET /me: a","GET /me: b"],"writes":["POST /issues"]},"environment":"Staging"}"#
        let found = try (report.text, String(contentsOf: file, encoding: .utf8))
        #expect(
            found == (
                "Drift from Staging: 1 compared, 2 different (GET /me: a; GET /me: b), 1 writes (POST /issues)",
                "\(line)\n\(line)\n"
            ))
    }

    @Test func `Some counts fail a run, and so does a run that compares nothing`() {
        let failing = RecordingRun.Count.allCases.filter { count in
            let run = RecordingRun("Staging")
            run.addCompared()
            run.add("x", to: count)
            return run.report.isFailure
        }
        let found = (failing, RecordingRun("Staging").report.isFailure)
        #expect(found == ([.different, .rejected, .refused, .unsent], true))
    }

    @Test func `Ordinary tests alone are an error`() {
        let run = RecordingRun("Staging")
        var objections = [run.objection]
        for isRecording in [false, true] {
            run.begin(isRecording: isRecording)
            objections.append(run.objection)
        }
        let objection =
            "MOCKS: the mocks answered all calls; add .recording to a suite whose calls are to be sent"
        #expect(objections == [nil, objection, nil])
    }
}
