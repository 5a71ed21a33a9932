/// Gives the running tasks time to proceed, in a test that expects nothing more to happen and so has no condition to
/// wait for. Yielding is not enough, because the system may have suspended the thread that runs one of these tasks.
package func settle() async {
    for _ in 0..<50 { try? await Task.sleep(for: .milliseconds(1)) }
}

/// Waits until a condition holds, for at most a minute.
package nonisolated(nonsending) func poll(
    _ condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation
) async {
    let end = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < end {
        if condition() { return }
        // In a cancelled task, the sleep ends at once, and the loop polls without pauses.
        try? await Task.sleep(for: .milliseconds(1))
    }
    Issue.record("the condition did not hold within a minute", sourceLocation: sourceLocation)
}
