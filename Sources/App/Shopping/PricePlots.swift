import Core
import Foods
import Foundation
import Groceries

/// A bar for each place over one axis. Positions and widths are per cent of the width, so that nothing is cut off.
struct RangePlot {
    struct Tick { let x, anchor, text: String }
    struct Bar { let from, width, middle: String }

    let axis: [Tick]
    let bars: [Bar]
}

/// Prices over time, a line for each place.
struct HistoryPlot {
    struct GridLine { let y, ty, text: String }
    struct Mark { let x, text: String }
    struct Point { let x, y: String }

    struct Line {
        let n, name, points: String
        let dots, sales: [Point]
    }

    let grid: [GridLine]
    let days: [Mark]
    let lines: [Line]
}

/// Draws the plots of prices. Coordinates are pixels of the view box, origin at the top left.
enum PricePlots {
    private static func text(_ value: Double) -> String { LinePlot.text(value) }

    /// Grid lines from the value below the lowest to the one above the highest.
    private static func grid(_ low: Double, _ high: Double, lines: Double = 4) -> [Double] {
        let step = DiaryPlots.step(high - low, lines: lines)
        let first = (low / step).rounded(.down)
        let last = max((high / step).rounded(.up), first + 1)
        return stride(from: first, through: last, by: 1).map { $0 * step }
    }

    private static func units(_ money: Money) -> Double { Double(money.parts) / 10_000 }

    private static func money(_ value: Double, _ currency: Currency) -> Money {
        Money(parts: Int64(nearest: value * 10_000), currency: currency)
    }

    // MARK: Ranges

    /// A bar for each range, from its lowest to its highest value.
    static func ranges(_ ranges: [(low: Money, total: Money, high: Money)], words: GroceryText) -> RangePlot? {
        guard let currency = ranges.first?.total.currency else { return nil }
        // A phone has room for five amounts.
        let lines = grid(ranges.map { units($0.low) }.min() ?? 0, ranges.map { units($0.high) }.max() ?? 1, lines: 3)
        let (low, high) = (lines[0], lines[lines.count - 1])
        func percent(_ value: Double) -> Double { (value - low) / (high - low) * 100 }
        return RangePlot(
            axis: lines.enumerated().map { place, line in
                .init(
                    x: text(percent(line)) + "%",
                    anchor: place == 0 ? "start" : place == lines.count - 1 ? "end" : "middle",
                    text: words.money(money(line, currency)))
            },
            bars: ranges.map { range in
                let (from, to) = (percent(units(range.low)), percent(units(range.high)))
                return .init(
                    from: text(from) + "%", width: text(to - from) + "%",
                    middle: text(percent(units(range.total))) + "%")
            })
    }

    // MARK: History

    private enum HistoryFrame {
        static let (left, right, top, bottom) = (64.0, 500.0, 16.0, 190.0)
    }

    /// The prices of one product in one currency and unit over time, a line for each place.
    ///
    /// - Parameter series: at most three, each with its days in order.
    static func history(
        _ series: [(name: String, prices: [PriceObservation])], words: GroceryText
    ) -> HistoryPlot? {
        let all = series.flatMap(\.prices)
        guard let currency = all.first?.price.currency, let first = all.map(\.date).min(),
            let last = all.map(\.date).max()
        else { return nil }
        let lines = grid(all.map { units($0.price) }.min() ?? 0, all.map { units($0.price) }.max() ?? 1)
        let (low, high) = (lines[0], lines[lines.count - 1])
        // A single day is shown in the middle.
        let days = Double(max(last.number - first.number, 1))
        func x(_ day: Day) -> Double {
            let share = first == last ? 0.5 : Double(day.number - first.number) / days
            return HistoryFrame.left + share * (HistoryFrame.right - HistoryFrame.left)
        }
        func y(_ money: Money) -> Double {
            HistoryFrame.bottom - (units(money) - low) / (high - low) * (HistoryFrame.bottom - HistoryFrame.top)
        }
        let middle = Day(number: (first.number + last.number) / 2)
        return HistoryPlot(
            grid: lines.map { value in
                let place = y(money(value, currency))
                return .init(y: text(place), ty: text(place + 4), text: words.money(money(value, currency)))
            },
            days: (first == last ? [first] : [first, middle, last]).map { .init(x: text(x($0)), text: $0.description) },
            lines: series.enumerated().map { index, one in
                HistoryPlot.Line(
                    n: "\(index + 1)", name: one.name,
                    points: one.prices.map { "\(text(x($0.date))),\(text(y($0.price)))" }.joined(separator: " "),
                    dots: one.prices.filter { !$0.isDiscounted }.map {
                        .init(x: text(x($0.date)), y: text(y($0.price)))
                    },
                    // The corner of a square.
                    sales: one.prices.filter(\.isDiscounted).map {
                        .init(x: text(x($0.date) - 4.5), y: text(y($0.price) - 4.5))
                    })
            })
    }
}
