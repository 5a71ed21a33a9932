import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// The answer of a mock as it is sent, after its delay.
struct SentAnswer {
    var status = 200
    var headers: HTTPHeaders = [:]
    var data = Data()
    /// The file that contains the body; nil when the body does not come from a file.
    var file: URL?
    var delay: Duration?
    var failure: MockFailure?
    /// What each piece is at a call that reads the body as it arrives; nil for the whole body at once.
    var unit: MockPace.Unit?
    /// The time before each piece.
    var interval = Duration.zero
    /// True if the connection stays open after the last piece.
    var isOpen = false
    /// How many pieces come before the connection is lost, if it is; nil for half of them.
    var count: Int?
    /// The variants that this answer switches other mocks to.
    var then: [(mock: MockName, variant: String)] = []

    init() {}

    /// - Parameter body: the body; nil for an empty one.
    init(status: Int = 200, _ body: StubBody?) {
        self.status = status
        if let body { take(body) }
    }

    /// Replaces the body.
    mutating func take(_ body: StubBody) {
        (data, file) = (body.data, body.file)
        if let type = body.type { headers[.contentType] = type }
    }

    /// - Throws: `URLError` if the mock simulates a failed connection instead of a response.
    func response(to request: URLRequest) throws -> Response<Data> {
        var body = data
        switch failure {
        // On Linux, the initializer of `URLError.Code` returns nil for unknown codes.
        case .urlError(let code): throw URLError(URLError.Code(rawValue: code) as URLError.Code? ?? .unknown)
        // The part of a body that did arrive has gone into the call's sink.
        case .truncated: throw URLError(.networkConnectionLost)
        case .malformed: body = Self.cut(body)
        case .empty: body = Data()
        case nil: break
        }
        return Response(status: status, headers: headers, data: body, request: request, source: .mock(file))
    }

    /// Sends the response into a sink. If the body is a large file, the sink gets the file itself, so that the
    /// body's bytes are not copied.
    ///
    /// - Throws: `URLError` if the mock simulates a failed connection instead of a response, or the sink's error.
    func send(into sink: any BodySink, for request: URLRequest) throws {
        if failure == .truncated {
            // The whole length, which tells a download that goes on how much there is.
            var headers = headers
            if headers[.contentLength] == nil { headers[.contentLength] = "\(data.count)" }
            try sink.begin(Response(status: status, headers: headers, request: request, source: .mock(file)))
            try sink.receive(data.prefix(data.count / 2))
        }
        let response = try response(to: request)
        try sink.begin(response.head)
        if let file, failure == nil, data.count >= RegularFile.mappedSize {
            try sink.receive(contentsOf: file)
        } else if !response.data.isEmpty {
            try sink.receive(response.data)
        }
    }

    /// The pieces of a body.
    ///
    /// - Parameter isCut: true if the connection is lost.
    func pieces(of data: Data, isCut: Bool) -> [Data] {
        let ends = isCut || unit != nil ? (unit ?? .line).ends(in: data) : data.isEmpty ? [] : [data.count]
        let pieces = zip([0] + ends, ends).map { data[data.startIndex + $0..<data.startIndex + $1] }
        return isCut ? Array(pieces.prefix(count ?? pieces.count / 2)) : pieces
    }

    /// Truncates a body so that it is not valid JSON. The cut is after the first quotation mark in the body's
    /// second half, or in the middle of the body if that half has no quotation mark.
    private static func cut(_ data: Data) -> Data {
        let half = data.startIndex + data.count / 2
        let quote = data[half...].firstIndex(of: UInt8(ascii: "\""))
        let cut = data[..<(quote.map { $0 + 1 } ?? half)]
        // If the truncated body is valid JSON by chance, return a body that is not.
        let isWhole = (try? JSONSerialization.jsonObject(with: cut, options: .fragmentsAllowed)) != nil
        return isWhole ? Data("{".utf8) : Data(cut)
    }
}
