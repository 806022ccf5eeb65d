import Glibc

/// The limit of open files, which sockets, photos and the database share.
enum OpenFiles {
    private static let most = 65_536
    /// RLIMIT_NOFILE, which Swift does not import by name.
    private static let resource = __rlimit_resource_t(7)

    private static var limit: rlimit? {
        var limit = rlimit()
        return getrlimit(resource, &limit) == 0 ? limit : nil
    }

    /// Raises the limit to its maximum.
    static func raiseLimit() {
        guard var limit, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = min(limit.rlim_max, rlim_t(most))
        setrlimit(resource, &limit)
    }

    /// Maximum connections: a quarter of the open files, at most 512.
    static var connections: Int { limit.map { max(4, min(512, Int(clamping: $0.rlim_cur) / 4)) } ?? 16 }
}
