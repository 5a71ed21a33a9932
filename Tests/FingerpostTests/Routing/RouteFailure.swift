import Fingerpost

/// The error of work that must fail with an error of a call, as text: its kind, its message and its fix.
func routeFailure<Value>(_ work: () throws -> Value) -> String {
    do { return "no error, but \(try work())" } catch let error as APIError {
        return "\(error.kind): \(error.message)\(error.fix.map { ". Fix: \($0)" } ?? "")"
    } catch { return "\(type(of: error)): \(error)" }
}
