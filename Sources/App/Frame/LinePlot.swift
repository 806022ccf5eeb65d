/// A plot of a few series over the last minutes, drawn on the server as SVG. Colours and line patterns are in `plot.css`.
struct LinePlot {
    struct Series {
        /// Name at the end of the line; empty for its last value.
        var name: String
        /// One value for each minute, oldest first; nil for a minute without a value.
        var values: [Double?]
    }

    struct GridLine { let y, ty, value: String }
    struct Text { let x, text: String }
    struct Name { let y, text: String }
    /// A line, or the dot of a single minute.
    struct Line {
        let n: String
        var points, cx, cy: String?
    }

    let grid: [GridLine]
    let times: [Text]
    let lines: [Line]
    let names: [Name]

    /// Units of the view box: the plot with its margins.
    private static let (width, height) = (560.0, 200.0)
    private static let (left, right, top, bottom) = (52.0, 492.0, 16.0, 170.0)
    private static let steps = 4
    /// Distance between two names at the right edge.
    private static let nameHeight = 15.0

    /// The value of one grid line: 1, 2 or 5 times a power of ten, so that `steps` lines reach the highest value.
    static func step(for highest: Double) -> Double {
        guard highest.isFinite, highest > 0 else { return 1 }
        var power = 1.0
        while power * 10 * Double(steps) <= highest { power *= 10 }
        return [1, 2, 5, 10].map { $0 * power }.first { $0 * Double(steps) >= highest } ?? 10 * power
    }

    /// - Parameter times: times below the plot, from left to right, at equal distances.
    init(series: [Series], times: [String]) {
        let highest = series.flatMap(\.values).compactMap { $0 }.filter(\.isFinite).max() ?? 0
        let step = Self.step(for: highest)
        func y(_ value: Double) -> Double {
            Self.bottom - min(1, max(0, value / step / Double(Self.steps))) * (Self.bottom - Self.top)
        }
        grid = (0...Self.steps).map { line in
            let value = step * Double(line)
            return GridLine(y: Self.text(y(value)), ty: Self.text(y(value) + 4), value: Self.text(value))
        }
        self.times = times.enumerated().map { index, time in
            let share = times.count > 1 ? Double(index) / Double(times.count - 1) : 1
            return Text(x: Self.text(Self.left + share * (Self.right - Self.left)), text: time)
        }
        lines = series.enumerated().flatMap { index, series in
            Self.parts(of: series.values).map { part in
                let points = part.map { at, value in
                    (x: Self.text(Self.x(at, series.values.count)), y: Self.text(y(value)))
                }
                // A single minute has no line: a dot shows it.
                guard points.count > 1 else { return Line(n: "\(index + 1)", cx: points[0].x, cy: points[0].y) }
                return Line(n: "\(index + 1)", points: points.map { "\($0.x),\($0.y)" }.joined(separator: " "))
            }
        }
        names = Self.names(series) { y($0) }
    }

    /// The names right of the last values, moved apart where they would touch.
    private static func names(_ series: [Series], _ y: (Double) -> Double) -> [Name] {
        var places = series.compactMap { series -> (name: String, y: Double)? in
            guard let last = series.values.last(where: { $0 != nil }) ?? nil, last.isFinite else { return nil }
            return (series.name.isEmpty ? text(last) : series.name, y(last) + 4)
        }.sorted { $0.y > $1.y }
        for index in places.indices.dropFirst() {
            places[index].y = min(places[index].y, places[index - 1].y - nameHeight)
        }
        return places.map { Name(y: text($0.y), text: $0.name) }
    }

    private static func x(_ index: Int, _ count: Int) -> Double {
        count > 1 ? left + Double(index) / Double(count - 1) * (right - left) : right
    }

    /// Adjacent values; a gap ends a line.
    private static func parts(of values: [Double?]) -> [[(Int, Double)]] {
        var parts: [[(Int, Double)]] = []
        var isOpen = false
        for (index, value) in values.enumerated() {
            guard let value, value.isFinite else {
                isOpen = false
                continue
            }
            if isOpen { parts[parts.count - 1].append((index, value)) } else { parts.append([(index, value)]) }
            isOpen = true
        }
        return parts
    }

    /// At most one decimal.
    static func text(_ value: Double) -> String {
        let tenths = (max(-1e12, min(1e12, value)) * 10).rounded()
        return tenths.truncatingRemainder(dividingBy: 10) == 0
            ? String(Int(tenths / 10)) : String(tenths / 10)
    }
}
