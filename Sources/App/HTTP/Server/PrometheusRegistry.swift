import Metrics
import Synchronization

/// Collects the metrics of swift-metrics and writes them as Prometheus text (exposition format 0.0.4).
///
/// Timers become histograms in seconds. Use few labels and no paths: every set of labels is kept until the process
/// ends.
package final class PrometheusRegistry: MetricsFactory {
    /// Upper bounds of a timer's buckets, in seconds: from a header check to the longest job.
    private static let bounds: [Double] = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 60]

    struct Key: Hashable, Comparable {
        var name: String
        var labels: String

        init(_ name: String, _ dimensions: [(String, String)]) {
            self.name = name
            let pairs = dimensions.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }
            labels = pairs.joined(separator: ",")
        }

        static func < (one: Key, other: Key) -> Bool { (one.name, one.labels) < (other.name, other.labels) }

        func value(of label: String) -> String? {
            labels.firstRange(of: "\(label)=\"").map { String(labels[$0.upperBound...].prefix { $0 != "\"" }) }
        }

        private static func escaped(_ value: String) -> String {
            value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        }
    }

    enum Value {
        case counter(Double)
        case gauge(Double)
        case histogram(buckets: [Int], sum: Double, count: Int)
    }

    private let values = Mutex<[Key: Value]>([:])

    package init() {}

    /// The times of a timer by one of its labels: how many, and their sum in seconds.
    package func times(_ name: String, by label: String) -> [String: (count: Int, seconds: Double)] {
        var found: [String: (count: Int, seconds: Double)] = [:]
        for (key, value) in values.withLock({ $0 }) where key.name == name {
            guard case .histogram(_, let sum, let count) = value, let part = key.value(of: label) else { continue }
            found[part, default: (0, 0)].count += count
            found[part, default: (0, 0)].seconds += sum
        }
        return found
    }

    /// All metrics, one family after the other.
    package var text: String {
        var lines: [String] = []
        var family = ""
        for (key, value) in values.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
            if key.name != family {
                family = key.name
                lines.append("# TYPE \(key.name) \(value.type)")
            }
            lines += value.lines(key)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    fileprivate func add(_ amount: Double, to key: Key) {
        values.withLock { values in
            if case .counter(let sum) = values[key] {
                values[key] = .counter(sum + amount)
            } else {
                values[key] = .counter(amount)
            }
        }
    }

    fileprivate func set(_ value: Double, of key: Key, relative: Bool = false) {
        values.withLock { values in
            var now = value
            if relative, case .gauge(let before) = values[key] { now += before }
            values[key] = .gauge(now)
        }
    }

    fileprivate func observe(seconds: Double, of key: Key) {
        values.withLock { values in
            var (buckets, sum, count) = ([Int](repeating: 0, count: Self.bounds.count), 0.0, 0)
            if case .histogram(let b, let s, let n) = values[key] { (buckets, sum, count) = (b, s, n) }
            for (index, bound) in Self.bounds.enumerated() where seconds <= bound { buckets[index] += 1 }
            values[key] = .histogram(buckets: buckets, sum: sum + seconds, count: count + 1)
        }
    }

    static func bucketLines(_ key: Key, _ buckets: [Int], _ sum: Double, _ count: Int) -> [String] {
        let start = key.labels.isEmpty ? "" : key.labels + ","
        let labels = key.labels.isEmpty ? "" : "{\(key.labels)}"
        return zip(bounds, buckets).map { "\(key.name)_bucket{\(start)le=\"\($0)\"} \($1)" } + [
            "\(key.name)_bucket{\(start)le=\"+Inf\"} \(count)", "\(key.name)_sum\(labels) \(sum)",
            "\(key.name)_count\(labels) \(count)",
        ]
    }

    // MARK: MetricsFactory

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        Instrument(self, Key(label, dimensions), startsAt: 0)
    }
    package func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler { Instrument(self, Key(label, dimensions), startsAt: 0) }
    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        Instrument(self, Key(label, dimensions))
    }
    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        Instrument(self, Key(label, dimensions))
    }
    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        Instrument(self, Key(label, dimensions))
    }
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}
}

/// One time series; its handler records into the registry.
private final class Instrument: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler, TimerHandler
{
    private let registry: PrometheusRegistry
    private let key: PrometheusRegistry.Key

    /// - Parameter startsAt: initial value; counters start at 0, so that their first increase is visible.
    init(_ registry: PrometheusRegistry, _ key: PrometheusRegistry.Key, startsAt: Double? = nil) {
        self.registry = registry
        self.key = key
        if let startsAt { registry.add(startsAt, to: key) }
    }

    func increment(by amount: Int64) { registry.add(Double(amount), to: key) }
    func reset() {}
    func record(_ value: Int64) { registry.set(Double(value), of: key) }
    func record(_ value: Double) { registry.set(value, of: key) }
    func set(_ value: Int64) { registry.set(Double(value), of: key) }
    func set(_ value: Double) { registry.set(value, of: key) }
    func increment(by amount: Double) { registry.set(amount, of: key, relative: true) }
    func decrement(by amount: Double) { registry.set(-amount, of: key, relative: true) }
    func recordNanoseconds(_ duration: Int64) { registry.observe(seconds: Double(duration) / 1e9, of: key) }
}

extension PrometheusRegistry.Value {
    fileprivate var type: String {
        switch self {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram: "histogram"
        }
    }

    fileprivate func lines(_ key: PrometheusRegistry.Key) -> [String] {
        let labels = key.labels.isEmpty ? "" : "{\(key.labels)}"
        return switch self {
        case .counter(let value), .gauge(let value): ["\(key.name)\(labels) \(value)"]
        case .histogram(let buckets, let sum, let count):
            PrometheusRegistry.bucketLines(key, buckets, sum, count)
        }
    }
}
