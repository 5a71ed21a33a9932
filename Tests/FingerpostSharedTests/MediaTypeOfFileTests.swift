import FingerpostFiles
import FingerpostShared
import TestSupport

@Suite(.inTurn) struct MediaTypeOfFileTests {
    @Test(
        arguments: [
            ("user.json", "application/json"), ("a/b.c/photo.JPG", "image/jpeg"), ("other.name.csv", "text/csv"),
            (".json", "application/json"), ("json", nil), ("a.json/png", nil), ("user.", nil), ("user.unknown", nil),
            ("", nil), ("/", nil),
        ] as [(String, String?)])
    func `The type follows from the extension of the file's name`(file: String, type: String?) {
        #expect(MediaType(fileName: file)?.rawValue == type)
    }
}
