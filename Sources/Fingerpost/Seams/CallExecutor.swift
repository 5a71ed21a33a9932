#if canImport(FoundationNetworking)
    /// The executor of a call that blocks a thread.
    ///
    /// On Linux, tasks run on the threads of Dispatch's global queues. Blocking calls can occupy all of these threads,
    /// and Dispatch adds only one or two threads per second. The tasks of a blocking call therefore run on another
    /// executor.
    package enum CallExecutor {
        /// The executor of the current call; nil for the system's executor.
        @TaskLocal package static var current: (any TaskExecutor)?
    }
#endif

extension Task where Failure == Never {
    /// Starts a task on the executor of the current call. The task would not inherit this executor, because only child
    /// tasks inherit executors.
    init(onExecutorOfCall: Void, _ work: sending @escaping @isolated(any) () async -> Success) {
        #if canImport(FoundationNetworking)
            self.init(executorPreference: CallExecutor.current, operation: work)
        #else
            self.init(operation: work)
        #endif
    }
}
