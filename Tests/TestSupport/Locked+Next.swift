package import FingerpostFiles

extension Locked where Value == Int {
    /// Counts up, and returns the count.
    package func next() -> Int {
        withLock {
            $0 += 1
            return $0
        }
    }
}
