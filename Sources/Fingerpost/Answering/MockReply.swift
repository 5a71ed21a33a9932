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

    /// The response, or the failure that stands for one.
    ///
    /// - Parameter destination: the file that the body of a success goes into, where it does.
    func response(to request: URLRequest, into destination: PartialFile?) throws -> Response<Data> {
        var data = data
        switch failure {
        // On Linux not every number is a code.
        case .urlError(let code): throw URLError(URLError.Code(rawValue: code) as URLError.Code? ?? .unknown)
        // What did arrive is of no use to the caller, and no transport gives it to one.
        case .truncated: throw URLError(.networkConnectionLost)
        case .malformed: data = Self.cut(data)
        case .empty: data = Data()
        case nil:
            if let destination, let file, !isFilled, 200..<300 ~= status { data = try destination.copy(file) }
        }
        return Response(status: status, headers: headers, data: data, request: request, source: .mock(file))
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
