package import Testing

/// Waits until a condition holds, for at most a minute.
package func poll(_ condition: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation) async {
    let end = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < end {
        if condition() { return }
        // In a cancelled task, which cannot sleep, the condition is polled all the same.
        try? await Task.sleep(for: .milliseconds(1))
    }
    Issue.record("the condition did not hold within a minute", sourceLocation: sourceLocation)
}
