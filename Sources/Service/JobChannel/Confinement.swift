internal import CLinuxSupport
import Glibc

/// What keeps a worker in: nothing but reading what it is made of, no sockets, no programs, bounded memory and time.
///
/// Installed after the libraries of the start are loaded, before the first job.
public enum Confinement {
    /// What a worker may use. `nil` is unlimited.
    public struct Limits: Sendable, Hashable {
        /// Address space, RLIMIT_AS.
        public var addressBytes: Int?
        /// Longest file it may write, RLIMIT_FSIZE: an overlay is a few megabytes.
        public var fileBytes = 64 << 20
        /// Open files, RLIMIT_NOFILE.
        public var files = 32

        public init(addressBytes: Int?) { self.addressBytes = addressBytes }
    }

    /// Folders of system libraries and their data, and the few files of /proc and /sys that libraries look into.
    private static let readable = [
        "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share/tesseract-ocr", "/usr/share/tessdata",
        "/usr/share/dict", "/usr/share/hunspell", "/usr/share/zoneinfo", "/etc/ld.so.cache", "/etc/localtime",
        "/dev/null", "/dev/urandom",
        "/proc/cpuinfo",
        "/proc/meminfo", "/proc/self", "/sys/devices/system/cpu",
    ]

    /// Holds this process to `limits`, and to reading `folders` and the system's libraries.
    ///
    /// - Returns: what the kernel granted; a refusal is told, not fatal.
    public static func install(_ limits: Limits, reading folders: [String]) -> WorkerGreeting {
        var refused: [String] = []
        func demand(_ code: Int32, _ what: String) {
            if code < 0 { refused.append("\(what): \(String(cString: strerror(-code)))") }
        }
        // Enumerators of <sys/resource.h> that Swift does not import by name.
        let resources: [(number: UInt32, limit: Int?, name: String)] = [
            (1, limits.fileBytes, "RLIMIT_FSIZE"), (4, 0, "RLIMIT_CORE"), (7, limits.files, "RLIMIT_NOFILE"),
            (9, limits.addressBytes, "RLIMIT_AS"),
        ]
        for resource in resources {
            guard let limit = resource.limit else { continue }
            var value = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
            demand(setrlimit(__rlimit_resource_t(resource.number), &value) == 0 ? 0 : -errno, resource.name)
        }
        // A file that would grow too long is a failed write, not the end of the worker.
        signal(SIGXFSZ, SIG_IGN)
        demand(ts_no_new_privileges(), "no_new_privs")
        let paths: [UnsafeMutablePointer<CChar>?] = (readable + folders).map { strdup($0) }
        defer { paths.forEach { free($0) } }
        let landlock = paths.map { UnsafePointer($0) }.withUnsafeBufferPointer {
            ts_landlock_read_only($0.baseAddress, Int32($0.count))
        }
        demand(landlock, "Landlock")
        demand(ts_seccomp_block_list(), "seccomp")
        return WorkerGreeting(landlock: landlock < 0 ? nil : Int(landlock), refused: refused)
    }

    /// Lets the process use this much more processor time, then SIGXCPU ends it; counted from now.
    public static func allowProcessorTime(seconds: Int) {
        var usage = rusage()
        getrusage(0, &usage)  // RUSAGE_SELF
        let used = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + 1
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(0), &limit)  // RLIMIT_CPU
        limit.rlim_cur = min(limit.rlim_max, rlim_t(used + seconds))
        setrlimit(__rlimit_resource_t(0), &limit)
    }
}
