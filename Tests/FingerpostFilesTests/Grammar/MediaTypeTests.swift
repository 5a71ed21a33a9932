import FingerpostFiles
import TestSupport

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
}
