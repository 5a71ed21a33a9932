import FingerpostFiles
import TestSupport
import Testing

@Suite(.inTurn) struct MediaTypeTests {
    @Test(
        arguments: [
            ("text/html", nil), ("text/html; charset=UTF-8", "UTF-8"), ("text/html;charset=\"a;\\\"b\"", "a;\"b"),
            ("text/html; x=\"; charset=no\"", nil), ("text/html; X-CHARSET=a; ChArSeT = b ;c=d", "b"),
            ("charset=a", nil), ("text/html; charset", nil), ("text/html;; charset=a; charset=b", "a"),
        ] as [(String, String?)])
    func `The charset is a parameter of the content type`(type: String, charset: String?) {
        #expect(MediaType.charset(of: type) == charset)
    }

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
