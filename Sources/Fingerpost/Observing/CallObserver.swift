package import Foundation

/// Learns of every call of a client or a scope when it ends, for logs, network inspectors and metrics.
///
/// ```swift
/// struct Metrics: CallObserver {
///     func finished(_ call: LoggedCall) { count(call.route, call.status, call.duration) }
/// }
///
/// configuration.observers.append(Metrics())
/// ```
///
/// An observer sees the outcome of a call and cannot change it. To change requests or responses, use ``Middleware``. To
/// write a line for each call, use ``CallLogger``.
public protocol CallObserver: Sendable {
    /// Called once for each call that has ended: after a value was decoded, after an error, and after a stream was
    /// read. A call that could not be built, or that nobody may answer, has ended too. Retries and redirects belong to
    /// one call.
    ///
    /// The call's caller waits until this method returns, so it should return soon. It is called on any thread, by
    /// several calls at once.
    ///
    /// - Parameter call: the call, without secrets. The ``LoggedCall/request`` has no body.
    func finished(_ call: LoggedCall)
}

/// An observer that also sees the requests and the responses of a call, with secrets.
package protocol ExchangeObserver: CallObserver {
    /// The size in bytes up to which it wants the bodies of streams.
    var maximumBodySize: Int { get }

    /// Called in place of ``CallObserver/finished(_:)``.
    func finished(_ call: LoggedCall, _ exchanges: CallExchanges)
}

/// What a call sent and received.
package struct CallExchanges: Sendable {
    /// When the call started.
    package let started: Date
    /// The requests that were sent, in order, or else the request that was built.
    package let requests: [URLRequest]
    /// The responses that came, in order. The body is empty if it went to a file, and if it
    /// was read as it arrived, unless it is text that came to its end and is not too large.
    package let responses: [(headers: HTTPHeaders, body: Data)]
    /// The outcomes of the attempts, in order.
    package let history: [Attempt]
    /// What else is known of the call.
    package let record: CallRecord
}
