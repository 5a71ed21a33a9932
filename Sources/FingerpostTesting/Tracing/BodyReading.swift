import Fingerpost
import FingerpostFiles
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Decodes a body as the client would, and finds out what of it the model reads.
struct BodyReading {
    /// Why a body does not decode.
    struct Failure: Error {
        let reason: String
        /// nil where the text itself is wrong.
        let path: BodyPath?
        let line: Int?
    }

    private let reader: ResponseReader
    private let response: Response<Data>

    init(_ response: Response<Data>, _ configuration: APIClient.Configuration) {
        self.response = response
        reader = ResponseReader(configuration)
    }

    /// A body of a folder, as the client would have received it.
    init(_ data: Data, of answer: MockAnswerSettings, _ configuration: APIClient.Configuration) {
        let url = URL(string: "https://mocks.invalid") ?? URL(fileURLWithPath: "/")
        let headers: HTTPHeaders = answer.contentType.map { [.contentType: $0] } ?? [:]
        self.init(
            Response(status: answer.status ?? 200, headers: headers, data: data, request: URLRequest(url: url)),
            configuration)
    }

    /// Reads the body of a success.
    ///
    /// - Returns: nil where there is nothing to say of keys: the service refuses the response, or another decoder than JSON's reads it.
    func read(_ type: any (Decodable & Sendable).Type, for route: Route) throws(Failure) -> ModelReading? {
        // A mock of a refusal is not what the route answers with.
        do { try reader.check(response, of: route) } catch { return nil }
        return try reading(of: type) { try value($0) }
    }

    /// Reads the body of an error, which the client decodes without a wrapper.
    func readError(_ type: any ErrorResponse.Type) throws(Failure) -> ModelReading? {
        // The client is content without a body.
        if response.data.isEmpty { return nil }
        return try reading(of: type) { try decoder.decode($0, from: response.data) }
    }

    private func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try reader.value(of: response, as: type)
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
            // The decoder alone is content, so nothing is wrong but the looking.
            return nil
        }
        return ModelReading(trace)
    }

    private var decoder: any BodyDecoder { reader.decoder(for: response) }

    /// The body's text, nil where it is no JSON.
    var text: BodyText? { try? parsed() }

    private func parsed() throws(FileProblem) -> BodyText {
        try BodyText(response.data, path: "", conversion: KeyConversion(decoder))
    }

    private func failure(_ error: DecodingError) -> Failure {
        let path = BodyPath(error.path)
        guard decoder is JSONDecoder else { return Failure(reason: error.reason, path: path, line: nil) }
        if response.data.isEmpty { return Failure(reason: "it is empty", path: nil, line: nil) }
        do throws(FileProblem) {
            return Failure(reason: error.reason, path: path, line: try parsed().line(of: path))
        } catch {
            return Failure(reason: "it is not JSON: \(error.message)", path: nil, line: error.line)
        }
    }
}
