/// Marks a suite whose tests run code that several threads use at once. `.ci/full` also runs these suites with
/// ThreadSanitizer, and 20 times in a row. The script finds these suites by the word `.concurrent` among their traits.
///
/// ThreadSanitizer ends a process that starts another process while many threads run, so these suites start none.
public struct ConcurrentTrait: SuiteTrait {}

extension Trait where Self == ConcurrentTrait {
    /// Has the suite run with ThreadSanitizer too, and 20 times: see ``ConcurrentTrait``.
    public static var concurrent: Self { ConcurrentTrait() }
}
