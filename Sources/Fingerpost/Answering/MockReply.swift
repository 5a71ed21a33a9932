import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a mock answers with, before it is sent.
struct MockReply {
    var status = 200
    var headers: HTTPHeaders = [:]
    var data = Data()
    /// The file of the body; nil for an answer without one.
    var file: URL?
    var delay: Duration?
    var failure: MockFailure?
    /// The variants that other mocks are switched to when it is given.
    var then: [(mock: MockName, variant: String)] = []
    /// True when the body is no longer what its file holds.
    var isFilled = false

    /// - Throws: the failure that stands for a response.
    func response(to request: URLRequest) throws -> Response<Data> {
        var body = data
        switch failure {
        // On Linux not every number is a code.
        case .urlError(let code): throw URLError(URLError.Code(rawValue: code) as URLError.Code? ?? .unknown)
        // What did arrive is of no use to the caller, and no transport gives it to one.
        case .truncated: throw URLError(.networkConnectionLost)
        case .malformed: body = Self.cut(body)
        case .empty: body = Data()
        case nil: break
        }
        return Response(status: status, headers: headers, data: body, request: request, source: .mock(file))
    }

    /// The same into a sink, a large file as a file.
    func send(into sink: any BodySink, for request: URLRequest) throws {
        let response = try response(to: request)
        try sink.begin(response.head)
        if let file, failure == nil, !isFilled, data.count >= RegularFile.mappedSize {
            try sink.receive(contentsOf: file)
        } else if !response.data.isEmpty {
            try sink.receive(response.data)
        }
    }

    /// The first half, and on to where it ends inside of a string or a word: that is JSON in no case.
    private static func cut(_ data: Data) -> Data {
        let half = data.startIndex + data.count / 2
        let quote = data[half...].firstIndex(of: UInt8(ascii: "\""))
        let cut = data[..<(quote.map { $0 + 1 } ?? half)]
        // That it cannot be read is what is wanted.
        let isWhole = (try? JSONSerialization.jsonObject(with: cut, options: .fragmentsAllowed)) != nil
        return isWhole ? Data("{".utf8) : Data(cut)
    }
}
