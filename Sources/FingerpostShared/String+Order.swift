import FingerpostFiles
import Foundation

extension String {
    /// Returns true if the text comes before another text in the order of UTF-8 bytes. This order equals the order of
    /// Unicode scalars.
    package func precedes(_ other: String) -> Bool {
        let difference = withBytes { bytes in
            other.withBytes { others in
                guard let bytes = bytes.baseAddress, let others = others.baseAddress else { return 0 as Int32 }
                return memcmp(bytes, others, min(utf8.count, other.utf8.count))
            }
        }
        return difference == 0 ? utf8.count < other.utf8.count : difference < 0
    }
}
