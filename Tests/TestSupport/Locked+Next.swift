package import FingerpostFiles

extension Locked where Value == Int {
    /// Adds one, and returns the result.
    package func next() -> Int {
        withLock {
            $0 += 1
            return $0
        }
    }
}
