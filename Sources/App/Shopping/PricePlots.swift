import HTTP
import Core
import Baskets
import Foundation
import Groceries
import Meals

/// A bar for each place. Numbers are text, as SVG wants it.
struct RangePlot {
    struct GridLine { let x, text: String }
    struct Bar { let name, ty, y, y2, cy, from, to, width, cx: String }

    let height, bottom, label: String
    let grid: [GridLine]
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
    private static func grid(_ low: Double, _ high: Double) -> [Double] {
        let step = DiaryPlots.step(high - low, lines: 4)
        let first = (low / step).rounded(.down)
        let last = max((high / step).rounded(.up), first + 1)
        return stride(from: first, through: last, by: 1).map { $0 * step }
    }

    private static func units(_ money: Money) -> Double { Double(money.parts) / 10_000 }

    private static func money(_ value: Double, _ currency: Currency) -> Money {
        Money(parts: Int64(nearest: value * 10_000), currency: currency)
    }

    // MARK: Ranges

    private enum RangeFrame {
        static let (left, right, top, row) = (170.0, 570.0, 14.0, 44.0)
        static let longestName = 19
    }

    /// A bar for each place, from the lowest to the highest total.
    static func ranges(
        _ places: [(name: String, low: Money, total: Money, high: Money)], words: GroceryText
    ) -> RangePlot? {
        guard let currency = places.first?.total.currency else { return nil }
        let lines = grid(places.map { units($0.low) }.min() ?? 0, places.map { units($0.high) }.max() ?? 1)
        let (low, high) = (lines[0], lines[lines.count - 1])
        func x(_ value: Double) -> Double {
            RangeFrame.left + (value - low) / (high - low) * (RangeFrame.right - RangeFrame.left)
        }
        let bottom = RangeFrame.top + Double(places.count) * RangeFrame.row
        let bars = places.enumerated().map { place, one in
            let y = RangeFrame.top + (Double(place) + 0.5) * RangeFrame.row
            let (from, to) = (x(units(one.low)), x(units(one.high)))
            let name =
                one.name.count > RangeFrame.longestName
                ? one.name.prefix(RangeFrame.longestName - 1) + "…" : one.name[...]
            return RangePlot.Bar(
                name: String(name), ty: text(y + 5), y: text(y - 9), y2: text(y + 9), cy: text(y), from: text(from),
                to: text(to), width: text(to - from), cx: text(x(units(one.total))))
        }
        return RangePlot(
            height: text(bottom + 26), bottom: text(bottom), label: text(bottom + 20),
            grid: lines.map { .init(x: text(x($0)), text: words.money(money($0, currency))) }, bars: bars)
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
