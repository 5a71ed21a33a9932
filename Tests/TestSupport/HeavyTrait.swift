/// Marks a test that needs a whole core or the disk for long: ``TurnTrait`` runs one of them at a time while others
/// run. If several ran beside them, the calls of all these tests would wait, until they time out.
public struct HeavyTrait: TestTrait, SuiteTrait {
    public let isRecursive = true
}

extension Trait where Self == HeavyTrait {
    /// Keeps other tests with this trait from running at the same time: see ``HeavyTrait``.
    public static var heavy: Self { HeavyTrait() }
}
