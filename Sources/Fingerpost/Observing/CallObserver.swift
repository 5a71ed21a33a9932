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
    /// read. A call that could not be built, or that must not be sent, has ended too. Retries and redirects belong to
    /// one call.
    ///
    /// The call's caller waits until this method returns, so it should return soon. It is called on any thread, by
    /// several calls at once.
    ///
    /// - Parameter call: the call, without secrets. The ``LoggedCall/request`` has no body.
    func finished(_ call: LoggedCall)
}
