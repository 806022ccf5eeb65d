import HTTP
import Core
import Diary
import Foundation
import Meals
import WeightProjection

/// A line of a plot's grid with its figure.
struct GridLine { let y, ty, text: String }

/// Bars of seven days. Coordinates are pixels of the view box, origin at the top left.
struct WeekPlot {
    struct Bar {
        let x, y, height, middle, label, text, ty: String
        let isOver, isShown, isInside: Bool
    }

    /// The line of the goal and the band around it.
    struct Goal { let y, band, height: String }

    let lines: [GridLine]
    let bars: [Bar]
    let goal: Goal?
}

/// The middle line and the range of a projection.
struct ProjectionPlot {
    struct End { let y, text: String }
    struct Mark { let x, text, anchor: String }

    let lines: [GridLine]
    let range, middle: String
    let high, low: End
    let marks: [Mark]
}

/// Makes the plots of the diary.
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
        static let (left, right, top, bottom) = (46.0, 640.0, 20.0, 210.0)
        static let (barWidth, barGap) = (50.0, 83.0)
    }

    /// Bars of seven days with the goal and the band around it.
    ///
    /// - Parameters:
    ///   - days: calories and the label below the bar; `isOver` is false for today and later days.
    ///   - goal: kilocalories; nil draws no line.
    static func week(
        _ days: [(label: String, calories: Decimal, isOver: Bool)], goal: Decimal?, figures: FigureText
    ) -> WeekPlot {
        let most = max(days.map { $0.calories.double }.max() ?? 0, (goal?.double ?? 0) + 200, 500)
        let step = Self.step(most, lines: 5)
        let top = (most / step).rounded(.up) * step
        func y(_ calories: Double) -> Double {
            WeekFrame.bottom - calories / top * (WeekFrame.bottom - WeekFrame.top)
        }
        let tolerance = WeekSummary.tolerance.double
        return WeekPlot(
            lines: grid(from: 0, through: top, by: step, y, figures.whole),
            bars: days.enumerated().map { place, day in
                let x = WeekFrame.left + 16 + Double(place) * WeekFrame.barGap
                let height = WeekFrame.bottom - y(day.calories.double)
                return WeekPlot.Bar(
                    x: text(x), y: text(WeekFrame.bottom - height), height: text(height),
                    middle: text(x + WeekFrame.barWidth / 2), label: day.label, text: figures.whole(day.calories),
                    // A short bar has its figure above it.
                    ty: text(height > 30 ? WeekFrame.bottom - 8 : WeekFrame.bottom - height - 6), isOver: day.isOver,
                    isShown: day.calories > 0, isInside: height > 30 && day.isOver)
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
        static let (left, right, top, bottom) = (34.0, 358.0, 16.0, 184.0)
    }

    /// Nil for a projection of less than a week.
    static func projection(_ projection: Projection, figures: FigureText, weeks: (Int) -> String) -> ProjectionPlot? {
        let points = projection.points
        guard let last = points.last, last.week > 0 else { return nil }
        let low = points.map(\.weight.low).min() ?? 0
        let high = points.map(\.weight.high).max() ?? 0
        let step = Self.step(max(high - low, 1), lines: 4)
        let (bottom, top) = ((low / step).rounded(.down) * step, (high / step).rounded(.up) * step)
        func y(_ weight: Double) -> Double {
            FanFrame.bottom - (weight - bottom) / max(top - bottom, step) * (FanFrame.bottom - FanFrame.top)
        }
        func x(_ week: Int) -> Double {
            FanFrame.left + Double(week) / Double(last.week) * (FanFrame.right - FanFrame.left)
        }
        func point(_ week: Int, _ weight: Double) -> String { "\(text(x(week))),\(text(y(weight)))" }
        var (upper, lower) = (y(last.weight.high), y(last.weight.low))
        if lower - upper < 16 { (upper, lower) = (upper - 8 + (lower - upper) / 2, lower + 8 - (lower - upper) / 2) }
        let marks = [0, last.week / 3, last.week * 2 / 3, last.week]
        return ProjectionPlot(
            lines: grid(from: bottom, through: top + step / 2, by: step, y, figures.one),
            range: (points.map { point($0.week, $0.weight.high) }
                + points.reversed().map { point($0.week, $0.weight.low) }).joined(separator: " "),
            middle: points.map { point($0.week, $0.weight.mid) }.joined(separator: " "),
            high: .init(y: text(upper + 4), text: figures.one(last.weight.high)),
            low: .init(y: text(lower + 4), text: figures.one(last.weight.low)),
            marks: marks.enumerated().map { place, week in
                .init(x: text(x(week)), text: weeks(week), anchor: place == 0 ? "start" : "middle")
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
