import Fingerpost

/// The error of work that must fail with an error of an environment, as text: its kind, why there is no environment,
/// and what it says.
func environmentFailure<Value>(_ work: () throws -> Value) -> String {
    do { return "no error, but \(try work())" } catch let error as EnvironmentError {
        return "\(error.kind)\(error.absence.map { ", \($0)" } ?? ""): \(error)"
    } catch { return "\(type(of: error)): \(error)" }
}
