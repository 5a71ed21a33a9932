import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The answer of a mock, before its delay.
struct MockReply {
    var status = 200
    var headers: HTTPHeaders = [:]
    var data = Data()
    /// The file that contains the body; nil when the body does not come from a file.
    var file: URL?
    var delay: Duration?
    var failure: MockFailure?
    /// How the body arrives at a call that reads it as it arrives; nil for as a whole.
    var flow: MockFlow?
    /// The variants that this answer switches other mocks to.
    var then: [(mock: MockName, variant: String)] = []
    /// True when values from the call were filled into the body, so that the body differs from its file.
    var isFilled = false

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
        if let file, failure == nil, !isFilled, data.count >= RegularFile.mappedSize {
            try sink.receive(contentsOf: file)
        } else if !response.data.isEmpty {
            try sink.receive(response.data)
        }
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
