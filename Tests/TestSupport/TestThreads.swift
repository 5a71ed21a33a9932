import Dispatch
import FingerpostFiles

/// The threads that tests run on, one for each test that has a turn.
///
/// Swift concurrency has as many threads as the machine has cores, and a task keeps its thread until it waits. On two
/// cores, two tests that compute for a minute would occupy both threads, and the calls of all other tests would time
/// out meanwhile. The operating system, however, shares the cores among the threads of this type. Tasks that do not run
/// on these threads, such as those of the library, still find the threads of Swift concurrency free.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
final class TestThreads: TaskExecutor {
    static let ofTurns = TestThreads(TurnTrait.count)

    private let jobs = Locked([UnownedJob]())
    private let waiting = DispatchSemaphore(value: 0)

    init(_ count: Int) {
        for _ in 0..<count {
            let thread = Thread { [self] in
                while true {
                    waiting.wait()
                    let job = jobs.withLock { $0.removeFirst() }
                    job.runSynchronously(on: asUnownedTaskExecutor())
                }
            }
            // The stack is as large as the main thread's, because tests nest values deeply.
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        waiting.signal()
    }
}
