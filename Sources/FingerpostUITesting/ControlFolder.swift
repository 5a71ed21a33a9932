/// The folder that a UI test and its app share. The app's side is the type of this name in FingerpostMocks, which
/// contains the same four constants: a test compares them.
enum ControlFolder {
    /// The process variable that names the folder.
    static let variable = "MOCKS_CONTROL"
    /// The file that the UI test writes.
    static let order = "control.json"
    /// The version of `order`.
    static let version = 1
    /// The file that the app writes.
    static let calls = "calls.jsonl"
}
