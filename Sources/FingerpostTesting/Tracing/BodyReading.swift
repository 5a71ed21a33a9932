import Fingerpost
import FingerpostDocuments
import FingerpostFiles
import FingerpostMockFiles
import FingerpostShared
import Foundation

/// Decodes a body as the client does, and determines which keys of the body the model reads.
struct BodyReading {
    /// The reason that a body does not decode.
    struct Failure: Error {
        let reason: String
        /// The path of the value that does not decode, in the model's spelling; nil if the body is not valid JSON. For
        /// a missing key, the path leads to the object that lacks the key.
        let path: BodyPath?
        let line: Int?
        /// The missing key, in the model's spelling.
        var missingKey: String?
    }

    /// The body as the file contains it, or as the server sent it.
    let body: Data
    /// The elements of a stream. Nil if the body is not a stream.
    let stream: StreamedElements?
    /// The data that is decoded: the body, or a JSON list of the elements of a stream.
    var data: Data { response.data }

    private let reader: ResponseReader
    let response: Response<Data>

    /// Creates a reading of a server's response.
    init(_ response: Response<Data>, _ configuration: APIClient.Configuration) {
        let stream = StreamedElements(response.data, contentType: response.headers[.contentType])
        self.init(response, stream, readBy: ResponseReader(configuration))
    }

    /// Creates a reading of a mock's body. The body is put into the same response that the client would receive.
    init(
        of answer: StubResponse, in folder: MockIndex, _ configuration: APIClient.Configuration
    ) throws(MockIndex.Failure) {
        var body = Data()
        if let file = answer.body { body = try folder.body(file: file).data }
        let url = URL(string: "https://mocks.invalid") ?? URL(fileURLWithPath: "/")
        let headers: HTTPHeaders = answer.contentType.map { [.contentType: $0] } ?? [:]
        self.init(
            Response(
                status: answer.status ?? 200, headers: headers, data: body, request: URLRequest(url: url),
                source: .mock(answer.body.map(folder.url.appendingPathComponent))),
            // The body of an error is never read as a stream.
            answer.isSuccess ? StreamedElements(body, contentType: answer.contentType) : nil,
            readBy: ResponseReader(configuration))
    }

    private init(_ response: Response<Data>, _ stream: StreamedElements?, readBy reader: ResponseReader) {
        body = response.data
        self.stream = stream
        self.response = stream.map { response.with(body: $0.list) } ?? response
        self.reader = reader
    }

    /// Decodes the body as the client does: as `type` if the route accepts the response, and as `errorType` if the
    /// response is an error (4xx or 5xx).
    ///
    /// - Returns: nil if there is no such type, or if the keys cannot be traced.
    func read(
        _ type: (any (Decodable & Sendable).Type)?, orError errorType: (any ErrorResponse.Type)?, for route: Route
    ) throws(Failure) -> ModelKeys? {
        if response.isSuccess || route.acceptedStatuses == .all {
            guard let type else { return nil }
            return try read(type, for: route)
        }
        guard let errorType, (400..<600).contains(response.status) else { return nil }
        return try readError(errorType)
    }

    /// Decodes the body of a successful response. Elements of a stream are decoded without a wrapper, as in the client.
    ///
    /// - Returns: nil if the keys cannot be traced: the client rejects the response, the client does not decode the
    ///   type, or the decoder is not a `JSONDecoder`.
    private func read(_ type: any (Decodable & Sendable).Type, for route: Route) throws(Failure) -> ModelKeys? {
        guard let stream else {
            // A response that the client rejects is never decoded as the route's response type.
            do { try reader.check(response, of: route) } catch { return nil }
            return try reading(of: type, isWrapped: route.isWrapped) { try value($0, isWrapped: route.isWrapped) }
        }
        if BodyForm(type) != .decoded { return nil }
        // The client checks the head before the body arrives.
        do { try reader.check(response.with(body: Data()), of: route) } catch { return nil }
        for element in stream.elements {
            let reading = BodyReading(response.with(body: element.data), nil, readBy: reader)
            do throws(Failure) { try reading.decode(type) } catch {
                throw Failure(
                    reason: error.reason, path: error.path, line: element.line(of: error.line),
                    missingKey: error.missingKey)
            }
        }
        return try list(of: type)
    }

    private func decode<Value: Decodable>(_ type: Value.Type) throws(Failure) {
        do { _ = try decoder.decode(type, from: response.data) } catch let error as DecodingError {
            throw failure(error)
        } catch {
            throw Failure(reason: "\(error)", path: nil, line: nil)
        }
    }

    private func list<Value: Decodable>(of type: Value.Type) throws(Failure) -> ModelKeys? {
        // The list of elements is JSON text, which only a `JSONDecoder` reads.
        guard decoder is JSONDecoder else { return nil }
        return try reading(of: [Value].self, isWrapped: false) { try decoder.decode($0, from: response.data) }
    }

    /// Decodes the body of an error response. The client's wrapper applies only to successful responses, so error
    /// bodies are decoded without the wrapper.
    private func readError(_ type: any ErrorResponse.Type) throws(Failure) -> ModelKeys? {
        // The client accepts an error response without a body.
        if response.data.isEmpty { return nil }
        return try reading(of: type, isWrapped: false) { try decoder.decode($0, from: response.data) }
    }

    private func value<Value: Decodable>(_ type: Value.Type, isWrapped: Bool) throws -> Value {
        try reader.value(of: response, as: type, isWrapped: isWrapped)
    }

    private func reading<Value: Decodable>(
        of type: Value.Type, isWrapped: Bool, _ decode: (any Decodable.Type) throws -> any Decodable
    ) throws(Failure) -> ModelKeys? {
        let isBody = reader.passesThrough(type, isWrapped: isWrapped)
        do { _ = try decode(type) } catch let error as DecodingError {
            throw isBody ? Failure(reason: error.reason(), path: nil, line: nil) : failure(error)
        } catch is APIError {
            return nil
        } catch {
            throw Failure(reason: "\(error)", path: nil, line: nil)
        }
        guard decoder is JSONDecoder, !isBody else { return nil }
        let trace = DecodingTrace()
        do {
            try DecodingTrace.$current.withValue(trace) { _ = try decode(Traced<Value>.self) }
        } catch {
            // Without tracing, the body decodes, so the error is an effect of the tracing.
            return nil
        }
        return ModelKeys(trace)
    }

    private var decoder: any BodyDecoder { reader.decoder(for: response) }

    /// The parsed body. Nil if the decoder cannot read the body.
    var text: BodyText? { BodyText(response.data, decoder: decoder) }

    private func failure(_ error: DecodingError) -> Failure {
        let path = BodyPath(error.path)
        guard decoder is JSONDecoder else { return Failure(reason: error.reason(), path: path, line: nil) }
        if response.data.isBlank { return Failure(reason: "it is empty", path: nil, line: nil) }
        if case .dataCorrupted = error, error.path.isEmpty {
            do throws(FileProblem) { _ = try JSONReader.read(response.data, keepsEveryDigit: false) } catch {
                return Failure(reason: "it is not JSON: \(error.message)", path: nil, line: error.line)
            }
        }
        guard let text else { return Failure(reason: error.reason(), path: path, line: nil) }
        let missing: String? = if case .keyNotFound(let key, _) = error { key.stringValue } else { nil }
        let nearest = missing.flatMap { text.nearest(to: $0, in: path) }
        return Failure(
            reason: error.reason(inValidJSON: true) + NearestName.hint(nearest), path: path,
            line: text.line(of: nearest.map { path.appending(.key($0)) } ?? path), missingKey: missing)
    }
}

extension StubDefinition {
    /// The mock's responses that have a status. The other responses simulate transport failures. A transport failure
    /// has a body only if a part of a stream arrives before the failure.
    var arrivingAnswers: [StubResponse] {
        responses.filter { $0.failure == nil || $0.failure == .truncated && ($0.pace != nil || $0.after != nil) }
    }
}

extension StubResponse {
    /// The response's content type: the `Content-Type` header in the settings, else the media type of the body's file
    /// extension.
    var contentType: String? {
        headers.last { HTTPHeaders.Name(rawValue: $0.name) == .contentType }?.value
            ?? body.flatMap { MediaType(fileName: $0)?.rawValue }
    }

    var isSuccess: Bool { status?.isSuccessStatus == true }
}
