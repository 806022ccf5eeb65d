import HTTP
import Core
import Foundation

struct HealthPage {
    let status: WebStatus
    let texts: PageTexts

    func values() -> Values {
        [
            "isReady": status.shortcomings.isEmpty, "problems": status.shortcomings,
            "waiting": "\(status.waiting)", "outcomes": "\(status.outcomes)",
            "quarantined": "\(status.quarantine.count)",
            "free": Int64(status.freeBytes).formatted(.byteCount(style: .decimal)),
            "hasQuarantine": !status.quarantine.isEmpty,
            "quarantine": status.quarantine.map { ["path": $0.path, "reason": $0.reason] },
            "hasTimes": !status.times.isEmpty,
            "times": status.times.map { time -> Values in
                [
                    "stage": time.stage, "photos": "\(time.photos)",
                    "ms": String(Int(nearest: time.milliseconds)) + " ms",
                ]
            },
            "versions": status.versions.map { ["part": $0.part, "version": $0.version] },
            "plots": plots, "minutes": minutes, "hasMinutes": status.minutes.contains { $0.photos > 0 },
        ]
    }

    // MARK: The last hour

    private static let shownMinutes = 60

    /// The last hour, with nothing before the daemon's start.
    private func hour(_ value: (WebStatus.Minute) -> Double?) -> [Double?] {
        let known = status.minutes.suffix(Self.shownMinutes).map(value)
        return Array(repeating: nil, count: Self.shownMinutes - known.count) + known
    }

    private var plots: [Values] {
        let times = [60, 40, 20].map { texts.text("health.ago", ["n": "\($0)"]) } + [texts.text("health.present")]
        let last = status.minutes.last ?? WebStatus.Minute()
        func plot(_ key: String, _ label: [String: String], _ series: [LinePlot.Series]) -> Values {
            var values = LinePlot(series: series, times: times).values()
            values["head"] = texts.text("health.\(key)")
            values["label"] = texts.text("health.\(key).label", label)
            return values
        }
        let median = status.minutes.last { $0.median != nil }?.median ?? nil
        return [
            plot(
                "throughput", ["n": "\(last.photos)"],
                [.init(name: "", values: hour { Double($0.photos) })]),
            plot("queue", ["n": "\(last.waiting)"], [.init(name: "", values: hour { Double($0.waiting) })]),
            plot(
                "latency", ["n": median.map { LinePlot.text($0.rounded()) } ?? "–"],
                [
                    .init(name: "p50", values: hour(\.median)), .init(name: "p95", values: hour(\.p95)),
                    .init(name: "p99", values: hour(\.p99)),
                ]),
        ]
    }

    /// The minutes with photos, newest first.
    private var minutes: [Values] {
        func text(_ value: Double?) -> String { value.map { LinePlot.text($0.rounded()) } ?? "–" }
        return status.minutes.suffix(Self.shownMinutes).reversed().enumerated().filter { $0.element.photos > 0 }.map {
            ago, minute in
            [
                "ago": ago == 0 ? texts.text("health.present") : texts.text("health.ago", ["n": "\(ago)"]),
                "photos": "\(minute.photos)", "waiting": "\(minute.waiting)", "median": text(minute.median),
                "p95": text(minute.p95), "p99": text(minute.p99),
            ]
        }
    }
}
