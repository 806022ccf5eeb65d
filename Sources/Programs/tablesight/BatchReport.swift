import Core
import Engine

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

/// Progress of a long run; drawn only on a terminal.
struct ProgressBar {
    private let total: Int
    private let begun = ContinuousClock.now
    private var isDrawn = false

    init(total: Int) { self.total = total }

    /// - Parameter count: number of finished items.
    mutating func advance(to count: Int, saying what: String) {
        guard StandardError.isTerminal, total > 0 else { return }
        let share = Double(count) / Double(total)
        let filled = Int(share * 24)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 24 - filled)
        let elapsed = (ContinuousClock.now - begun) / .seconds(1)
        let left = count > 0 ? Int((elapsed / Double(count) * Double(total - count)).rounded()) : 0
        StandardError.write("\r\u{1B}[K\(bar) \(count)/\(total), \(left) s left  \(String(what.prefix(40)).printable)")
        isDrawn = true
    }

    /// Clears the line for other text.
    mutating func clear() {
        if isDrawn { StandardError.write("\r\u{1B}[K") }
        isDrawn = false
    }
}

/// The folder of --overlay; created with the first overlay.
struct OverlayFolder {
    private let path: FilePathBytes
    /// Photos by overlay name: photos with the same name from two folders need two overlay files.
    private var photos: [FilePathBytes: FilePathBytes] = [:]

    init(_ name: String) throws(StartupError) {
        guard let path = FilePathBytes(name) else { throw StartupError(.usage, "--overlay must name a folder") }
        self.path = path
        try OutputFolder.make(path)
    }

    /// `<folder>/<file name>.png`; a second photo with the same name gets `<file name>.2.png`.
    mutating func place(for photo: FilePathBytes) -> FilePathBytes {
        let name = path.appending(photo.lastComponent)
        var place = name.appending(suffix: ".png")
        var number = 1
        while let other = photos[place], other != photo {
            number += 1
            place = name.appending(suffix: ".\(number).png")
        }
        photos[place] = photo
        return place
    }
}
