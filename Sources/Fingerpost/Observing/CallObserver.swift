/// Is notified of every call of a client or a scope when the call ends, for logs, network inspectors and metrics.
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
    /// read. A call that could not be built, or that must not be sent, counts as a call that has ended. Retries and
    /// redirects belong to one call.
    ///
    /// The code that made the call waits until this method returns, so the method should return soon. The method is
    /// called on any thread, and for several calls at the same time.
    ///
    /// - Parameter call: the call, without secrets. The ``LoggedCall/request`` has no body.
    func finished(_ call: LoggedCall)
}
