import Foundation

/// The processor time of this process and of the processes that it has run.
enum ProcessorTime {
    /// Nanoseconds since this process began.
    static var now: Double {
        var own = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own)
        var children = rusage()
        // `RUSAGE_CHILDREN`, which Linux imports with another type than the parameter has.
        getrusage(-1, &children)
        let seconds = Double(own.tv_sec + children.ru_utime.tv_sec + children.ru_stime.tv_sec)
        let microseconds = Double(children.ru_utime.tv_usec + children.ru_stime.tv_usec)
        return seconds * 1e9 + microseconds * 1e3 + Double(own.tv_nsec)
    }
}
