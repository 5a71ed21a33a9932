/// Marks a test that occupies a whole core or the disk for a long time. While other tests run, ``TurnTrait`` runs only
/// one such test at a time. If several ran at once, the calls of the other tests would wait until they time out.
public struct HeavyTrait: TestTrait, SuiteTrait {
    public let isRecursive = true
}

extension Trait where Self == HeavyTrait {
    /// Keeps other tests with this trait from running at the same time: see ``HeavyTrait``.
    public static var heavy: Self { HeavyTrait() }
}
