/// Lets the tasks that have begun come as far as they can, for a test that nothing else happens: no condition tells
/// when they have. Yielding is not enough, because the system may have stopped the thread that runs one of them.
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
        // In a cancelled task, which cannot sleep, the condition is polled all the same.
        try? await Task.sleep(for: .milliseconds(1))
    }
    Issue.record("the condition did not hold within a minute", sourceLocation: sourceLocation)
}
