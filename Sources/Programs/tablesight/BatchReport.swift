import Core

/// The summary of a batch, for people.
struct BatchReport {
    private let total: Int
    private let kept: Int
    private let leftOut: Int
    private let begun = ContinuousClock.now
    private var statuses: [Outcome.Status: Int] = [:]
    private var domains: [Outcome.Domain: Int] = [:]
    private var reasons: [String: Int] = [:]

    /// - Parameter leftOut: number of files whose names are not those of photos.
    init(total: Int, kept: Int, leftOut: Int) {
        self.total = total
        self.kept = kept
        self.leftOut = leftOut
    }

    var count: Int { statuses.values.reduce(0, +) }
    var hasFailures: Bool { statuses[.failed, default: 0] + statuses[.partial, default: 0] > 0 }

    mutating func add(_ outcome: Outcome) {
        statuses[outcome.status, default: 0] += 1
        for domain in outcome.domains { domains[domain, default: 0] += 1 }
        if let reason = outcome.reason { reasons[reason.code, default: 0] += 1 }
    }

    var text: String {
        let seconds = (ContinuousClock.now - begun) / .seconds(1)
        let rate = seconds > 0 ? (Double(count) / seconds).rounded(toPlaces: 2) : 0
        var lines = ["\(count) of \(total) photos in \(seconds.rounded(toPlaces: 1)) s, \(rate) per second"]
        if kept > 0 { lines.append("  \(kept) rows kept from the previous run") }
        if leftOut > 0 { lines.append("  left out: \(leftOut) with names that are not those of photos") }
        func list<Key>(_ title: String, _ counts: [Key: Int], _ name: (Key) -> String) {
            guard !counts.isEmpty else { return }
            let parts = counts.map { (name($0.key), $0.value) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
            lines.append("  \(title): " + parts.map { "\($0.1) \($0.0)" }.joined(separator: ", "))
        }
        list("status", statuses, \.rawValue)
        list("seen", domains, \.rawValue)
        list("reasons", reasons) { $0 }
        return lines.joined(separator: "\n") + "\n"
    }
}
