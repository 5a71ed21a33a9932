import Fingerpost
import FingerpostFiles
import FingerpostMockFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Decodes a body as the client does, and determines which keys of the body the model reads.
struct BodyReading {
    /// The reason that a body does not decode.
    struct Failure: Error {
        let reason: String
        /// The path of the value that does not decode, with the keys of the body; nil if the body is not valid JSON.
        /// For a missing key, it is the path of the object that lacks the key.
        let path: BodyPath?
        let line: Int?
        /// The missing key, as the body would write it.
        var missingKey: String?
    }

    private let reader: ResponseReader
    private let response: Response<Data>

    init(_ response: Response<Data>, _ configuration: APIClient.Configuration) {
        self.response = response
        reader = ResponseReader(configuration)
    }

    private init(_ response: Response<Data>, readBy reader: ResponseReader) {
        (self.response, self.reader) = (response, reader)
    }

    /// Creates a reading of a mock's body. The body is put into the same response that the client would receive.
    init(_ data: Data, of answer: WrittenAnswer, _ configuration: APIClient.Configuration) {
        let url = URL(string: "https://mocks.invalid") ?? URL(fileURLWithPath: "/")
        let headers: HTTPHeaders = answer.contentType.map { [.contentType: $0] } ?? [:]
        self.init(
            Response(status: answer.status ?? 200, headers: headers, data: data, request: URLRequest(url: url)),
            configuration)
    }

    /// Decodes the body of a successful response.
    ///
    /// - Returns: nil if the keys cannot be traced, because the client rejects the response or the decoder is not a
    ///   `JSONDecoder`.
    func read(_ type: any (Decodable & Sendable).Type, for route: Route) throws(Failure) -> ModelReading? {
        // A response that the client rejects is never decoded as the route's response type.
        do { try reader.check(response, of: route) } catch { return nil }
        return try reading(of: type) { try value($0, isWrapped: route.isWrapped) }
    }

    /// Decodes the elements of a stream, as the client does: without a wrapper.
    ///
    /// The body of this reading is the list of the elements.
    ///
    /// - Parameter stream: the elements; nil to decode the body as a whole.
    /// - Returns: nil if the keys cannot be traced, or if the type is not decoded.
    func read(
        _ type: any (Decodable & Sendable).Type, for route: Route, in stream: StreamedElements?
    ) throws(Failure) -> ModelReading? {
        guard let stream else { return try read(type, for: route) }
        if type == Data.self || type == String.self || type == NoContent.self { return nil }
        // The client checks the head before the body arrives.
        do { try reader.check(with(Data()).response, of: route) } catch { return nil }
        for element in stream.elements {
            let reading = with(element.data)
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

    private func list<Value: Decodable>(of type: Value.Type) throws(Failure) -> ModelReading? {
        // Another format has no list of elements.
        guard decoder is JSONDecoder else { return nil }
        return try reading(of: [Value].self) { try decoder.decode($0, from: response.data) }
    }

    /// The same response with another body.
    private func with(_ data: Data) -> BodyReading {
        BodyReading(
            Response(status: response.status, headers: response.headers, data: data, request: response.request),
            readBy: reader)
    }

    /// Decodes the body of an error response. The client's wrapper applies only to successful responses, so error
    /// bodies are decoded without the wrapper.
    func readError(_ type: any ErrorResponse.Type) throws(Failure) -> ModelReading? {
        // The client accepts an error response without a body.
        if response.data.isEmpty { return nil }
        return try reading(of: type) { try decoder.decode($0, from: response.data) }
    }

    private func value<Value: Decodable>(_ type: Value.Type, isWrapped: Bool) throws -> Value {
        try reader.value(of: response, as: type, isWrapped: isWrapped)
    }

    private func reading<Value: Decodable>(
        of type: Value.Type, _ decode: (any Decodable.Type) throws -> any Decodable
    ) throws(Failure) -> ModelReading? {
        do { _ = try decode(type) } catch let error as DecodingError {
            throw failure(error)
        } catch is APIError {
            return nil
        } catch {
            throw Failure(reason: "\(error)", path: nil, line: nil)
        }
        guard decoder is JSONDecoder, !reader.passesThrough(type), type != NoContent.self else { return nil }
        let trace = DecodingTrace()
        do {
            try DecodingTrace.$current.withValue(trace) { _ = try decode(Traced<Value>.self) }
        } catch {
            // The body decodes without tracing, so the failure comes from the tracing and not from the body.
            return nil
        }
        return ModelReading(trace)
    }

    private var decoder: any BodyDecoder { reader.decoder(for: response) }

    /// The parsed body; nil if the body is not JSON.
    var text: BodyText? { try? parsed() }

    private func parsed() throws(FileProblem) -> BodyText {
        try BodyText(response.data, path: "", conversion: KeyConversion(decoder))
    }

    private func failure(_ error: DecodingError) -> Failure {
        let path = BodyPath(error.path)
        guard decoder is JSONDecoder else { return Failure(reason: error.reason, path: path, line: nil) }
        if response.data.isEmpty { return Failure(reason: "it is empty", path: nil, line: nil) }
        do throws(FileProblem) {
            let text = try parsed()
            guard case .keyNotFound(let key, _) = error else {
                return Failure(reason: error.reasonInValidJSON, path: text.written(path), line: text.line(of: path))
            }
            let (written, nearest) = text.missingKey(key.stringValue, in: path)
            return Failure(
                reason: "the key \"\(written)\" is missing" + NearestName.hint(nearest), path: text.written(path),
                line: text.line(of: nearest.map { path.appending(.key($0)) } ?? path), missingKey: written)
        } catch {
            return Failure(reason: "it is not JSON: \(error.message)", path: nil, line: error.line)
        }
    }
}
