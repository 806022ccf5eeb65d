import Core
import Foundation

/// A table of a scale: a column of dates and a column of weights, among others.
struct ScaleTable {
    static let format = "scale-csv"

    private let table: CSVTable
    private let weight: Int
    /// Nil if each value has its unit.
    private let unit: WeightUnit?
    private let dates: [DateText?]
    private let times: Int?
    private let order: DateOrder
    private let numbers: NumberFormat

    /// Beginnings of the names of weights in the languages of scales.
    private static let names = ["weight", "body weight", "gewicht", "körpergewicht", "poids", "peso"]

    /// Nil if no column has the name of a weight, or none has dates.
    ///
    /// - Throws: ``DiaryProblem`` if the unit, or the order of day and month, stays open.
    init?(_ table: CSVTable) throws(DiaryProblem) {
        guard let weight = table.columns.firstIndex(where: { name in Self.names.contains { name.hasPrefix($0) } })
        else { return nil }
        func first(_ column: Int) -> String {
            table.rows.lazy.map { CSVTable.field($0, column) }.first { !$0.isEmpty } ?? ""
        }
        let others = table.columns.indices.filter { $0 != weight }
        guard let date = others.first(where: { DateText(first($0)) != nil }) else { return nil }
        self.table = table
        self.weight = weight
        times = others.first { ClockText.seconds(first($0)) != nil }
        let name = table.columns[weight]
        unit = name.split { !$0.isLetter }.dropFirst().lazy.compactMap { WeightUnit(String($0)) }.first
        guard unit != nil || Self.parts(first(weight)).unit != nil else {
            throw .badFile(
                "the column “\(name.prefix(40))” names no unit: write kg, lb or st into its name, "
                    + "such as “Weight (kg)”")
        }
        dates = table.rows.map { DateText(CSVTable.field($0, date)) }
        order = try DateOrder(dates, in: table.columns[date], firstRow: table.firstRow)
        // No weight needs a separator of thousands.
        numbers = try table.numbers(in: [weight], isGrouped: false) { Self.parts($0).digits }
    }

    /// - Parameter zone: of times that are given in UTC.
    func weights(in zone: TimeZone) -> DailyWeights {
        var weights = DailyWeights()
        for (number, row) in table.rows.enumerated() {
            let text = CSVTable.field(row, weight)
            // Scales write rows of other measurements too.
            guard !text.isEmpty else { continue }
            let place = "row \(number + table.firstRow)"
            let parts = Self.parts(text)
            guard let amount = numbers.value(parts.digits), let unit = parts.letters.isEmpty ? unit : parts.unit else {
                weights.reject("“\(text.prefix(20))” is not a weight", place: place)
                continue
            }
            let clock = CSVTable.field(row, times)
            guard let time = dates[number]?.time(isDayFirst: order.isDayFirst, clock: clock, in: zone) else {
                weights.reject("the row has no date such as 2026-11-22", place: place)
                continue
            }
            weights.add(unit.kilograms(amount), on: time.day, at: time.instant, place: place)
        }
        return weights
    }

    /// `72.5 kg` as its number and its unit.
    private static func parts(_ text: String) -> (digits: String, letters: String, unit: WeightUnit?) {
        let letters = String(text.reversed().prefix { $0.isLetter }.reversed())
        let digits = text.dropLast(letters.count).trimmingCharacters(in: .whitespaces)
        return (digits, letters, WeightUnit(letters))
    }
}
