import FingerpostFiles
import FingerpostMockFiles

extension JSONPointer {
    /// True when the pointer leads to a value in `node`.
    func leadsSomewhere(in node: Node) -> Bool {
        var node = node
        return update(&node) { _ in }
    }
}
