import FingerpostFiles
import FingerpostShared
import TestSupport

@Suite(.inTurn) struct MediaTypeOfFileTests {
    @Test func `The type follows from the extension of the file's name`() {
        let files: [(String, String?)] = [
            ("user.json", "application/json"), ("a/b.c/photo.JPG", "image/jpeg"), ("other.name.csv", "text/csv"),
            (".json", "application/json"), ("json", nil), ("a.json/png", nil), ("user.", nil), ("user.unknown", nil),
            ("", nil), ("/", nil),
        ]
        for (file, type) in files {
            #expect(MediaType(fileName: file)?.rawValue == type, "\(file)")
        }
    }
}
