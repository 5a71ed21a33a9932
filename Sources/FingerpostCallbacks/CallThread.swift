#if canImport(FoundationNetworking)
    import Dispatch
    import FingerpostFiles
    import Foundation

    /// A thread that runs the tasks of one blocking call, until the call ends.
    final class CallThread: TaskExecutor {
        private struct State {
            var jobs: [UnownedJob] = []
            var isOver = false
        }

        private let state = Locked(State())
        private let hasWork = DispatchSemaphore(value: 0)

        init() {
            let thread = Thread { [self] in
                while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
            }
            thread.name = "Fingerpost.CallThread"
            thread.start()
        }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            let isTaken = state.withLock { state in
                if !state.isOver { state.jobs.append(job) }
                return !state.isOver
            }
            if isTaken { hasWork.signal() } else { run(job) }
        }

        /// Ends the thread after its current jobs. Later jobs run on a global queue, for example the jobs of a token
        /// refresh for which other calls wait.
        func end() {
            state.withLock { $0.isOver = true }
            hasWork.signal()
        }

        private func run(_ job: UnownedJob) {
            DispatchQueue.global().async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
        }

        /// Waits for the next job and returns it. Returns nil after ``end()`` was called and all jobs have run.
        private func next() -> UnownedJob? {
            while true {
                hasWork.wait()
                let (job, isOver) = state.withLock { state in
                    (state.jobs.isEmpty ? nil : state.jobs.removeFirst(), state.isOver)
                }
                if let job { return job }
                if isOver { return nil }
            }
        }
    }
#endif
