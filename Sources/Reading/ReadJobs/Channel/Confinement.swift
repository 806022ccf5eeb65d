internal import CLinuxSupport
import Glibc

/// Confines a worker: it can read only its program's files, opens no sockets, starts no programs, and has limits for
/// memory and time.
///
/// Installed after the libraries are loaded and before the first job.
package enum Confinement {
    /// Resource limits of a worker; `nil` is unlimited.
    package struct Limits: Sendable, Hashable {
        /// Address space in bytes, RLIMIT_AS.
        package var addressBytes: Int?
        /// Maximum bytes of a written file, RLIMIT_FSIZE. An overlay has a few megabytes.
        package var fileBytes = 64 << 20
        /// Open files, RLIMIT_NOFILE.
        package var files = 32

        package init(addressBytes: Int?) { self.addressBytes = addressBytes }
    }

    /// Folders of system libraries and their data, and the files of /proc and /sys that libraries read.
    private static let readable = [
        "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share/tesseract-ocr", "/usr/share/tessdata",
        "/usr/share/dict", "/usr/share/hunspell", "/usr/share/zoneinfo", "/etc/ld.so.cache", "/etc/localtime",
        "/dev/null", "/dev/urandom",
        "/proc/cpuinfo",
        "/proc/meminfo", "/proc/self", "/sys/devices/system/cpu",
    ]

    /// Applies `limits` to this process and restricts reading to `folders` and system libraries.
    ///
    /// - Returns: what the kernel granted; a refusal is reported and not fatal.
    package static func install(_ limits: Limits, reading folders: [String]) -> WorkerGreeting {
        var refused: [String] = []
        func demand(_ code: Int32, _ what: String) {
            if code < 0 { refused.append("\(what): \(String(cString: strerror(-code)))") }
        }
        // Constants of <sys/resource.h> that Swift does not import by name.
        let resources: [(number: UInt32, limit: Int?, name: String)] = [
            (1, limits.fileBytes, "RLIMIT_FSIZE"), (4, 0, "RLIMIT_CORE"), (7, limits.files, "RLIMIT_NOFILE"),
            (9, limits.addressBytes, "RLIMIT_AS"),
        ]
        for resource in resources {
            guard let limit = resource.limit else { continue }
            var value = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
            demand(setrlimit(__rlimit_resource_t(resource.number), &value) == 0 ? 0 : -errno, resource.name)
        }
        // Exceeding the file limit fails the write instead of ending the worker.
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

    /// Allows this many more seconds of processor time; then SIGXCPU ends the process.
    package static func allowProcessorTime(seconds: Int) {
        var usage = rusage()
        getrusage(0, &usage)  // RUSAGE_SELF
        let used = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + 1
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(0), &limit)  // RLIMIT_CPU
        limit.rlim_cur = min(limit.rlim_max, rlim_t(used + seconds))
        setrlimit(__rlimit_resource_t(0), &limit)
    }
}
