import Core
import Foundation
import Meals

/// A table of a scale: a column of dates and a column of weights, among others.
struct ScaleTable {
    static let format = "scale-csv"

    private let table: CSVTable
    private let weight: Int
    /// Nil if each value has its unit.
    private let unit: WeightUnit?
    private let dates: [DateText?]
    private let times: Int?
    private let isDayFirst: Bool

    /// Beginnings of the names of weights in the languages of scales.
    private static let names = ["weight", "body weight", "gewicht", "körpergewicht", "poids", "peso"]

    /// Nil if no column has the name of a weight, or none has dates.
    ///
    /// - Throws: ``ImportProblem`` if the unit, or the order of day and month, stays open.
    init?(_ table: CSVTable) throws(ImportProblem) {
        guard let weight = table.columns.firstIndex(where: { name in Self.names.contains { name.hasPrefix($0) } })
        else { return nil }
        func first(_ column: Int) -> String {
            table.rows.lazy.map { Self.field($0, column) }.first { !$0.isEmpty } ?? ""
        }
        let others = table.columns.indices.filter { $0 != weight }
        guard let date = others.first(where: { DateText(first($0)) != nil }) else { return nil }
        self.table = table
        self.weight = weight
        times = others.first { ClockText.seconds(first($0)) != nil }
        let name = table.columns[weight]
        unit = name.split { !$0.isLetter }.dropFirst().lazy.compactMap { WeightUnit(String($0)) }.first
        guard unit != nil || Self.amount(first(weight))?.unit != nil else {
            throw ImportProblem(
                detail: "the column “\(name.prefix(40))” names no unit: write kg, lb or st into its name, "
                    + "such as “Weight (kg)”")
        }
        dates = table.rows.map { DateText(Self.field($0, date)) }
        isDayFirst = try Self.isDayFirst(dates, in: table.columns[date])
    }

    /// - Throws: ``ImportProblem`` if the column fits both orders with different days, or neither.
    private static func isDayFirst(_ dates: [DateText?], in name: String) throws(ImportProblem) -> Bool {
        var (canBeDayFirst, canBeMonthFirst, differs) = (true, true, false)
        for case .open(let first, let second)? in dates.map({ $0?.order }) {
            if second > 12 { canBeDayFirst = false }
            if first > 12 { canBeMonthFirst = false }
            if first != second { differs = true }
        }
        let column = "the dates of the column “\(name.prefix(40))”"
        switch (canBeDayFirst, canBeMonthFirst) {
        case (true, true) where differs:
            throw ImportProblem(
                detail: "\(column) can be read with the day first or with the month first: write them as 2026-11-22")
        case (false, false):
            throw ImportProblem(
                detail: "\(column) have the day first in some rows and the month first in others: "
                    + "write them as 2026-11-22")
        default: return canBeDayFirst
        }
    }

    /// - Parameter zone: of times that are given in UTC.
    func weights(in zone: TimeZone) -> DailyWeights {
        var weights = DailyWeights()
        for (number, row) in table.rows.enumerated() {
            let text = Self.field(row, weight)
            // Scales write rows of other measurements too.
            guard !text.isEmpty else { continue }
            let place = "row \(number + table.firstRow)"
            guard let (amount, own) = Self.amount(text), let unit = own ?? unit else {
                weights.reject("“\(text.prefix(20))” is not a weight", place: place)
                continue
            }
            let clock = times.map { Self.field(row, $0) } ?? ""
            guard let time = dates[number]?.time(isDayFirst: isDayFirst, clock: clock, in: zone) else {
                weights.reject("the row has no date such as 2026-11-22", place: place)
                continue
            }
            weights.add(unit.kilograms(amount), on: time.day, at: time.instant, place: place)
        }
        return weights
    }

    private static func field(_ row: [String], _ column: Int) -> String {
        column < row.count ? row[column].trimmingCharacters(in: .whitespaces) : ""
    }

    /// `72.5`, `72,5` or `72.5 kg`; nil for anything else.
    private static func amount(_ text: String) -> (Decimal, unit: WeightUnit?)? {
        let letters = String(text.reversed().prefix { $0.isLetter }.reversed())
        let digits = text.dropLast(letters.count).trimmingCharacters(in: .whitespaces)
        guard let amount = WeightText.amount(digits) else { return nil }
        guard !letters.isEmpty else { return (amount, nil) }
        guard let unit = WeightUnit(letters) else { return nil }
        return (amount, unit)
    }
}

/// A date as a table writes it, perhaps with a time, before the order of day and month is known.
struct DateText {
    enum Order {
        case known(Day)
        /// Two numbers from 1 to 31 between slashes or hyphens.
        case open(first: Int, second: Int)
    }

    let order: Order
    private let year: String
    /// After the date; empty if there is no time.
    private let rest: String

    /// Nil for a text that begins with no date. With dots the day is first.
    init?(_ text: String) {
        let date = text.prefix { $0.isASCII && ($0.isNumber || "-/.".contains($0)) }
        let parts = date.split(omittingEmptySubsequences: false) { "-/.".contains($0) }
        let marks = Set(date.filter { !$0.isNumber })
        guard parts.count == 3, marks.count == 1 else { return nil }
        let rest = text.dropFirst(date.count)
        guard rest.isEmpty || " T,".contains(rest.first ?? "x") else { return nil }
        self.rest = rest.dropFirst().trimmingCharacters(in: .whitespaces)
        if parts[0].count == 4 {
            guard let day = Self.day(parts[0], ClockText.number(parts[1], 1...12), ClockText.number(parts[2], 1...31))
            else { return nil }
            (order, year) = (.known(day), String(parts[0]))
            return
        }
        guard parts[2].count == 4, let first = ClockText.number(parts[0], 1...31),
            let second = ClockText.number(parts[1], 1...31)
        else { return nil }
        year = String(parts[2])
        if marks == ["."] {
            guard let day = Self.day(parts[2], second, first) else { return nil }
            order = .known(day)
        } else {
            order = .open(first: first, second: second)
        }
    }

    /// Nil for a day that no month has, and for a time that cannot be read.
    ///
    /// - Parameters:
    ///   - clock: the time of another column, if the date has none.
    ///   - zone: of a time that ends with Z. A time with another offset keeps its day.
    func time(isDayFirst: Bool, clock: String, in zone: TimeZone) -> MeasuredTime? {
        let day: Day?
        switch order {
        case .known(let known): day = known
        case .open(let first, let second):
            day = isDayFirst ? Self.day(year, second, first) : Self.day(year, first, second)
        }
        guard let day else { return nil }
        let text = rest.isEmpty ? clock : rest
        guard !text.isEmpty else { return MeasuredTime(day: day, seconds: 0, offset: 0) }
        let sign = text.lastIndex { "+-Z".contains($0) } ?? text.endIndex
        let clock = text[..<sign].trimmingCharacters(in: .whitespaces)
        guard let seconds = ClockText.seconds(clock) else { return nil }
        guard sign < text.endIndex else { return MeasuredTime(day: day, seconds: seconds, offset: 0) }
        guard let offset = ClockText.offset(String(text[sign...])) else { return nil }
        var time = MeasuredTime(day: day, seconds: seconds, offset: offset)
        if text[sign] == "Z" { time.day = Day(of: Date(timeIntervalSince1970: Double(time.instant)), in: zone) }
        return time
    }

    private static func day(_ year: some StringProtocol, _ month: Int?, _ day: Int?) -> Day? {
        guard let month, let day else { return nil }
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return Day("\(year)-\(two(month))-\(two(day))")
    }
}
