import Core
import Diary
import Foundation

/// What waits, what was read and how fast.
struct HealthPage: Page {
    static let template = "health"
    static let styles = ["table", "plot"]

    struct Quarantined { let path, reason: String }
    struct StageTime { let stage, photos, ms: String }
    struct Part { let part, version: String }
    struct Count { let name, count: String }
    struct Minute { let ago, photos, waiting, median, p95, p99: String }
    struct Plot {
        let head, label: String
        let plot: LinePlot
    }

    let isReady: Bool
    let problems: [String]
    let waiting, outcomes, quarantined, free: String
    let quarantine: [Quarantined]
    let times: [StageTime]
    let versions: [Part]
    let plots: [Plot]
    let hasMinutes: Bool
    let minutes: [Minute]
    /// How often diaries were used.
    let counts: [Count]

    init(_ status: DaemonStatus, _ texts: PageTexts) {
        isReady = status.shortcomings.isEmpty
        problems = status.shortcomings
        waiting = "\(status.waiting)"
        outcomes = "\(status.outcomes)"
        quarantined = "\(status.quarantine.count)"
        free = Int64(status.freeBytes).formatted(.byteCount(style: .decimal))
        quarantine = status.quarantine.map { Quarantined(path: $0.path, reason: $0.reason) }
        times = status.times.map { time in
            StageTime(
                stage: time.stage, photos: "\(time.photos)", ms: String(Int(nearest: time.milliseconds)) + " ms")
        }
        versions = status.versions.map { Part(part: $0.part, version: $0.version) }
        plots = Self.plots(status, texts)
        hasMinutes = status.minutes.contains { $0.photos > 0 }
        minutes = Self.minutes(status, texts)
        counts = Diary.Event.allCases.map { event in
            Count(name: texts.text("health.count.\(event.rawValue)"), count: "\(status.diaryCounts[event] ?? 0)")
        }
    }

    // MARK: The last hour

    private static let shownMinutes = 60

    /// The last hour, with nothing before the daemon's start.
    private static func hour(_ status: DaemonStatus, _ value: (DaemonStatus.Minute) -> Double?) -> [Double?] {
        let known = status.minutes.suffix(shownMinutes).map(value)
        return Array(repeating: nil, count: shownMinutes - known.count) + known
    }

    private static func plots(_ status: DaemonStatus, _ texts: PageTexts) -> [Plot] {
        let times = [60, 40, 20].map { texts.text("health.ago", ["n": "\($0)"]) } + [texts.text("health.present")]
        let last = status.minutes.last ?? DaemonStatus.Minute()
        func plot(_ key: String, _ label: [String: String], _ series: [LinePlot.Series]) -> Plot {
            Plot(
                head: texts.text("health.\(key)"), label: texts.text("health.\(key).label", label),
                plot: LinePlot(series: series, times: times))
        }
        let median = status.minutes.last { $0.median != nil }?.median ?? nil
        return [
            plot(
                "throughput", ["n": "\(last.photos)"],
                [.init(name: "", values: hour(status) { Double($0.photos) })]),
            plot("queue", ["n": "\(last.waiting)"], [.init(name: "", values: hour(status) { Double($0.waiting) })]),
            plot(
                "latency", ["n": median.map { LinePlot.text($0.rounded()) } ?? "–"],
                [
                    .init(name: "p50", values: hour(status, \.median)), .init(name: "p95", values: hour(status, \.p95)),
                    .init(name: "p99", values: hour(status, \.p99)),
                ]),
        ]
    }

    /// The minutes with photos, newest first.
    private static func minutes(_ status: DaemonStatus, _ texts: PageTexts) -> [Minute] {
        func text(_ value: Double?) -> String { value.map { LinePlot.text($0.rounded()) } ?? "–" }
        return status.minutes.suffix(shownMinutes).reversed().enumerated().filter { $0.element.photos > 0 }.map {
            ago, minute in
            Minute(
                ago: ago == 0 ? texts.text("health.present") : texts.text("health.ago", ["n": "\(ago)"]),
                photos: "\(minute.photos)", waiting: "\(minute.waiting)", median: text(minute.median),
                p95: text(minute.p95), p99: text(minute.p99))
        }
    }
}
