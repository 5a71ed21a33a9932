import FingerpostFiles
package import Foundation

/// A call whose body is read as it arrives, by a product beside this one: from its start to the head of its response,
/// and what the product tells it of the body afterwards.
package final class OpenCall: Sendable {
    private let call: Call
    private let sender: Sender

    init(_ call: Call, by sender: Sender) {
        self.call = call
        self.sender = sender
    }

    /// Runs the call until the head of its response.
    ///
    /// - Parameter take: takes the body of the response. Gets the size in bytes up to which observers want a copy of
    ///   it; nil if none of them does.
    /// - Throws: ``APIError``, also for a status that is not successful.
    package func start<Body: Sendable>(
        _ take: (Response<Data>, _ maximumCopy: Int?) throws -> Body
    ) async throws(APIError) -> Body {
        try await sender.run(call) { response in
            try take(response, call.allObservers.compactMap { ($0 as? any StreamObserver)?.maximumBodySize }.max())
        }
    }

    // MARK: Elements

    /// Notes the type that the elements of the body are decoded as.
    package func willDecode(_ type: Any.Type) { call.record.willDecode(type) }

    /// Decodes an element of the body.
    ///
    /// - Parameters:
    ///   - response: the response with the element in place of its body.
    ///   - part: the element's name in errors.
    /// - Throws: the error for ``failure(_:of:)``.
    package func element<Value: Decodable>(
        of response: Response<Data>, as type: Value.Type, _ part: String
    ) throws -> Value {
        do { return try sender.reader.element(of: response, as: type) } catch {
            // The error must know the credentials in the element.
            call.record.receive(response)
            throw call.failure(error, of: response, as: type, readBy: sender.reader, part: part)
        }
    }

    // MARK: The end

    /// The body has ended.
    package func endBody() { call.record.endBody() }

    /// Tells the observers that the call has ended.
    package func finish() { call.finish() }

    /// Nobody reads the body any more.
    package func close() { call.record.close() }

    /// The error for a body that failed, of which the observers are told.
    package func failure(_ error: any Error, of response: Response<Data>) -> APIError {
        call.failure(APIError(transport: error).adding(response))
    }

    /// An error with the context of the call, although the call has not failed.
    package func explained(_ error: APIError) -> APIError { call.explained(error) }

    // MARK: Another call after this one

    /// The account as which the call was sent; nil if it is not known.
    package var account: String? { call.record.read(\.account) }

    /// The idempotency key that was sent.
    package var idempotencyKey: String? {
        call.record.read(\.request)?.value(forHTTPHeaderField: HTTPHeaders.Name.idempotencyKey.rawValue)
    }

    /// A wait of the scope, or a random one.
    package func wait(_ backoff: RetryPolicy.Backoff, beforeRetry number: Int) -> Duration {
        call.scopeOrSystem.wait(backoff, beforeRetry: number)
    }

    /// The wait that the server asks for with an error.
    package func waitAsked(by error: APIError) -> Duration? {
        RetryAfter.wait(in: error.headers, now: call.deadline.date)
    }

    /// Waits on the clock of the call.
    ///
    /// - Throws: ``APIError`` when the task is cancelled.
    package func pause(_ duration: Duration) async throws(APIError) {
        do { try await call.deadline.pause(duration) } catch {
            throw sender.failure(APIError(transport: error), of: call.route)
        }
    }
}

extension OpenCall: CustomReflectable {
    /// Empty, because the call knows credentials.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Lets a recorder hear of the body of a call that returns at the head of its response.
struct BodyRecorder: Middleware {
    let recorder: any Middleware
    let body: any StreamedBody

    func intercept(_ request: URLRequest, for route: Route, next: Next) async throws -> Response<Data> {
        guard let recorder = recorder as? any Recorder else {
            return try await recorder.intercept(request, for: route, next: next)
        }
        return try await recorder.intercept(request, for: route, next: next) { [body] in try body.observe($0) }
    }
}
