#if canImport(FoundationNetworking)
    /// The executor of a call that blocks a thread.
    ///
    /// On Linux, tasks run on the threads of Dispatch's global queues. A call must not wait for one of them while the
    /// callers of blocking calls occupy them, because Dispatch adds only one or two threads in a second.
    package enum CallExecutor {
        /// nil for the system's.
        @TaskLocal package static var current: (any TaskExecutor)?
    }
#endif

extension Task where Failure == Never {
    /// Starts a task where the tasks of its call run. Only child tasks inherit an executor.
    init(onExecutorOfCall: Void, _ work: sending @escaping @isolated(any) () async -> Success) {
        #if canImport(FoundationNetworking)
            self.init(executorPreference: CallExecutor.current, operation: work)
        #else
            self.init(operation: work)
        #endif
    }
}
