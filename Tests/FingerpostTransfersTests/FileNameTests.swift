import Fingerpost
import FingerpostTransfers
import TestSupport
import Testing

/// The file name of `Content-Disposition` (RFC 6266).
@Suite(.inTurn) struct FileNameTests {
    private static let names: [(header: String?, name: String?)] = [
        (nil, nil), ("inline", nil), ("attachment; filename=a.tgz", "a.tgz"),
        (#"attachment; filename="a; b \"c\".txt""#, #"a; b "c".txt"#),
        (#"attachment; filename="a.tgz"; filename*=UTF-8''%e2%82%ac%20rates.tgz"#, "€ rates.tgz"),
        (#"attachment; FileName*=utf-8'en'na%C3%AFve.txt; filename="b.txt""#, "naïve.txt"),
        (#"attachment; filename*=UTF-8''%ff; filename="b.txt""#, "b.txt"),
        (#"attachment; filename*=other''x; filename="b.txt""#, "b.txt"),
        (#"attachment; filename*=UTF-8''..; filename="b.txt""#, "b.txt"),
        (#"attachment; filename="../../etc/passwd""#, "passwd"), (#"attachment; filename="C:\\dir\\x.exe""#, "x.exe"),
        ("attachment; filename*=UTF-8''..%2F..%2Fx%00%0A%e2%80%ae.txt", "x.txt"),
        (#"attachment; filename="..""#, nil), (#"attachment; filename="a/""#, nil),
        (#"attachment; filename="  ""#, nil),
        (#"attachment; filename="""#, nil), ("attachment; filename=\(String(repeating: "a", count: 256))", nil),
        (#"attachment; filename="open"#, nil),
    ]

    @Test func `A name is of one file in the app's folder`() {
        for (header, name) in Self.names {
            var headers = HTTPHeaders()
            headers["Content-Disposition"] = header
            #expect(headers.fileName == name, "\(header ?? "no header")")
        }
    }
}
