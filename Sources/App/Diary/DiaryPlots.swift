import Core
import Diary
import Foundation
import Foods

/// A line of a plot's grid with its figure.
struct GridLine { let y, ty, text: String }

/// Bars of seven days. Across, coordinates are shares of the width, so that text keeps its size on every screen; down, they are
/// pixels from the top.
struct WeekPlot {
    struct Bar {
        let x, y, height, middle, label, text, ty: String
        let isOver, isShown: Bool
        /// False for a day that is over and does not count.
        let isCounted: Bool
    }

    /// The line of the goal and the band around it.
    struct Goal { let y, band, height: String }

    let width: String
    let bars: [Bar]
    let goal: Goal?
}

/// The middle line and the range of a projection. The curves lie in a box of 1000 by 190 that is stretched
/// to the width; other coordinates as in ``WeekPlot``.
struct ProjectionPlot {
    struct End { let y, text: String }
    struct Mark {
        let x, text, anchor: String
        let isStrong: Bool
    }

    /// The goal's weight, with rings where the range reaches it.
    struct Target {
        struct Ring { let x, radius: String }

        let y, ty, text: String
        let rings: [Ring]
    }

    let lines: [GridLine]
    let range, middle: String
    let high, low: End
    let marks: [Mark]
    let target: Target?
}

enum DiaryPlots {
    private static func text(_ value: Double) -> String {
        let tenths = Int(nearest: value * 10)
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }

    // MARK: Ring

    /// Length of the arc of a ring with radius 70 for a share of the goal, at most the whole ring.
    static func arc(_ share: Double) -> String { text(min(max(share, 0), 1) * 2 * Double.pi * 70) }

    // MARK: Week

    private enum WeekFrame {
        static let (top, bottom) = (24.0, 176.0)
        /// Shares of the width.
        static let (day, bar) = (100 / 7.0, 9.7)
    }

    /// Bars of seven days with the goal and the band around it.
    ///
    /// - Parameters:
    ///   - days: calories and the label below the bar; `isOver` is false for today and later days.
    ///   - goal: kilocalories; nil draws no line.
    static func week(
        _ days: [(label: String, calories: Decimal, isOver: Bool, isCounted: Bool)], goal: Decimal?, figures: FigureText
    ) -> WeekPlot {
        let tolerance = WeekSummary.tolerance.double
        let top = max(days.map { $0.calories.double }.max() ?? 0, (goal?.double ?? 0) + tolerance, 500)
        func y(_ calories: Double) -> Double {
            WeekFrame.bottom - calories / top * (WeekFrame.bottom - WeekFrame.top)
        }
        return WeekPlot(
            width: text(WeekFrame.bar),
            bars: days.enumerated().map { place, day in
                let middle = (Double(place) + 0.5) * WeekFrame.day
                let height = WeekFrame.bottom - y(day.calories.double)
                return WeekPlot.Bar(
                    x: text(middle - WeekFrame.bar / 2), y: text(WeekFrame.bottom - height), height: text(height),
                    middle: text(middle), label: day.label, text: figures.whole(day.calories),
                    ty: text(WeekFrame.bottom - height - 6), isOver: day.isOver, isShown: day.calories > 0,
                    isCounted: day.isCounted)
            },
            goal: (goal?.double).map { goal in
                WeekPlot.Goal(
                    y: text(y(goal)), band: text(y(goal + tolerance)),
                    height: text(y(goal - tolerance) - y(goal + tolerance)))
            })
    }

    private static func grid(
        from bottom: Double, through top: Double, by step: Double, _ y: (Double) -> Double,
        _ figure: (Double) -> String
    ) -> [GridLine] {
        stride(from: bottom, through: top, by: step).map {
            GridLine(y: text(y($0)), ty: text(y($0) + 4), text: figure($0))
        }
    }

    // MARK: Projection

    private enum FanFrame {
        static let (top, bottom) = (12.0, 162.0)
        /// Shares of the width.
        static let (left, right) = (10.0, 85.0)
    }

    /// Nil for a projection of less than a week.
    ///
    /// - Parameter day: names a day from now, 0 for now.
    static func projection(_ projection: Projection, figures: FigureText, day: (Int) -> String) -> ProjectionPlot? {
        let points = projection.points
        guard let last = points.last, last.week > 0 else { return nil }
        let days = Double(last.week * 7)
        // A target far outside would press the range into a line.
        let target = projection.target.flatMap { target in
            target.earliest.map { Double($0) <= days } == true ? target : nil
        }
        let low = min(points.map(\.weight.low).min() ?? 0, target?.weight ?? .infinity)
        let high = max(points.map(\.weight.high).max() ?? 0, target?.weight ?? 0)
        let step = Self.step(max(high - low, 1), lines: 4)
        let (bottom, top) = ((low / step).rounded(.down) * step, (high / step).rounded(.up) * step)
        func y(_ weight: Double) -> Double {
            FanFrame.bottom - (weight - bottom) / max(top - bottom, step) * (FanFrame.bottom - FanFrame.top)
        }
        func x(_ day: Double) -> String { text(FanFrame.left + day / days * (FanFrame.right - FanFrame.left)) }
        func point(_ week: Int, _ weight: Double) -> String {
            "\(text(Double(week) / Double(last.week) * 1000)),\(text(y(weight)))"
        }
        var (upper, lower) = (y(last.weight.high), y(last.weight.low))
        if lower - upper < 16 { (upper, lower) = (upper - 8 + (lower - upper) / 2, lower + 8 - (lower - upper) / 2) }
        let likely = target?.likely.flatMap { Double($0) < days * 0.8 && Double($0) > days * 0.2 ? $0 : nil }
        let marked = likely.map { [0, $0, last.week * 7] } ?? [0, 1, 2, 3].map { last.week * $0 / 3 * 7 }
        return ProjectionPlot(
            lines: grid(from: bottom, through: top + step / 2, by: step, y, figures.one),
            range: (points.map { point($0.week, $0.weight.high) }
                + points.reversed().map { point($0.week, $0.weight.low) }).joined(separator: " "),
            middle: points.map { point($0.week, $0.weight.mid) }.joined(separator: " "),
            high: .init(y: text(upper + 4), text: figures.one(last.weight.high)),
            low: .init(y: text(lower + 4), text: figures.one(last.weight.low)),
            marks: marked.map { at in
                .init(
                    x: x(Double(at)), text: day(at), anchor: at == 0 ? "start" : "middle",
                    isStrong: at == likely)
            },
            target: target.map { target in
                .init(
                    y: text(y(target.weight)), ty: text(y(target.weight) - 5), text: figures.one(target.weight),
                    rings: [(target.earliest, "4"), (target.likely, "6"), (target.latest, "4")].compactMap {
                        at, radius in
                        at.flatMap { Double($0) <= days ? .init(x: x(Double($0)), radius: radius) : nil }
                    })
            })
    }

    /// The distance of grid lines: 1, 2 or 5 times a power of ten, so that there are at most `lines` of them.
    static func step(_ range: Double, lines: Double) -> Double {
        let rough = max(range, 0.1) / lines
        let power = pow(10, log10(rough).rounded(.down))
        let factor = [1.0, 2, 5].first { $0 * power >= rough } ?? 10
        return factor * power
    }
}
