import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import Foundation

/// The response of a mock as it is delivered.
struct MockDelivery {
    let stub: StubResponse
    private(set) var headers = HTTPHeaders()
    let delay: Duration?
    var failure: MockFailure?

    var status: Int { stub.status ?? 200 }
    var data: Data { stub.data?.data ?? Data() }
    /// The file that contains the body. Nil if the body does not come from a file.
    private var file: URL? { stub.data?.file }
    /// The time before each chunk.
    var interval: Duration { stub.pace?.interval ?? .zero }
    /// True if the body does not arrive immediately.
    var takesTime: Bool { interval > .zero || stub.isOpen == true }

    init(_ stub: StubResponse, _ delay: Duration?) {
        (self.stub, self.delay, failure) = (stub, delay, stub.failure)
        if let type = stub.data?.type { headers.add(.contentType, type) }
        if stub.headers.isEmpty { return }
        var written = HTTPHeaders()
        for (name, value) in stub.headers { written.add(HTTPHeaders.Name(rawValue: name), value) }
        headers.merge(written)
    }

    /// - Throws: `URLError` if the mock simulates a failed connection instead of a response.
    func response(to request: URLRequest) throws -> Response<Data> {
        var body = data
        switch failure {
        // On Linux, the initializer of `URLError.Code` returns nil for unknown codes.
        case .urlError(let code): throw URLError(URLError.Code(rawValue: code) as URLError.Code? ?? .unknown)
        // The call's sink has already received the bytes before the failure.
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
            // `Content-Length` contains the length of the whole body. A download that resumes needs this length.
            var headers = headers
            if headers[.contentLength] == nil { headers[.contentLength] = "\(data.count)" }
            try sink.begin(Response(status: status, headers: headers, request: request, source: .mock(file)))
            try sink.receive(data.prefix(data.count / 2))
        }
        let response = try response(to: request)
        try sink.begin(response.head)
        if let file, failure == nil, response.data.count >= RegularFile.mappedSize {
            try sink.receive(contentsOf: file)
        } else if !response.data.isEmpty {
            try sink.receive(response.data)
        }
    }

    /// Returns the chunks of a body. A body without a pace is one chunk. If the connection is lost, even a body without
    /// a pace is split into chunks, and only the first chunks are returned.
    ///
    /// - Parameter isCut: true if the connection is lost.
    func pieces(of data: Data, isCut: Bool) -> [Data] {
        let isWhole = stub.pace == nil && !isCut
        let isEvents = headers[.contentType].map { MediaType(contentType: $0).rawValue } == "text/event-stream"
        let unit = stub.pace?.unit ?? (isEvents ? .event : .line)
        let ends = isWhole ? (data.isEmpty ? [] : [data.count]) : unit.ends(in: data)
        let pieces = zip([0] + ends, ends).map { data[data.startIndex + $0..<data.startIndex + $1] }
        return isCut ? Array(pieces.prefix(stub.after ?? pieces.count / 2)) : pieces
    }

    /// Cuts a body after the first quotation mark in its second half, so that the body is not valid JSON. If this half
    /// has no quotation mark, the cut is in the middle of the body.
    private static func cut(_ data: Data) -> Data {
        let half = data.startIndex + data.count / 2
        let quote = data[half...].firstIndex(of: UInt8(ascii: "\""))
        let cut = data[..<(quote.map { $0 + 1 } ?? half)]
        // If the truncated body is valid JSON by chance, return invalid JSON instead.
        let isWhole = (try? JSONSerialization.jsonObject(with: cut, options: .fragmentsAllowed)) != nil
        return isWhole ? Data("{".utf8) : Data(cut)
    }
}
