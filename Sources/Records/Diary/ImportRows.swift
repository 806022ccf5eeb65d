import Core
import Foundation
import Foods

struct RowProblem: Error {
    var detail: String

    init(_ detail: String) { self.detail = detail }
}

enum ImportedRow {
    case entry(MealEntry)
    case weight(Day, Decimal)
    /// A row that is no entry, such as a sum.
    case skipped
}

protocol RowReader {
    var format: String { get }
    /// Columns of figures, and of texts that begin with one.
    var figures: [Int] { get }
    var dates: Int? { get }
    /// False if the format separates no thousands.
    var isGrouped: Bool { get }
    func read(_ row: TableRow) throws(RowProblem) -> ImportedRow
}

/// One row, and how its table writes numbers and dates.
struct TableRow {
    let fields: [String]
    let numbers: NumberFormat
    let order: DateOrder
    let zone: TimeZone

    func text(_ column: Int?) -> String { CSVTable.field(fields, column) }

    /// Nil for an empty field.
    func number(_ column: Int?, _ name: String) throws(RowProblem) -> Decimal? {
        let text = text(column)
        guard !text.isEmpty else { return nil }
        guard let value = numbers.value(text), value < 1_000_000
        else { throw RowProblem("\(name) “\(text.prefix(20))” is not a number of 0 or more") }
        return value
    }

    /// When a field says that something was, without a time at the beginning of the day.
    func time(_ column: Int?) throws(RowProblem) -> MeasuredTime {
        let text = text(column)
        guard let time = DateText(text)?.time(isDayFirst: order.isDayFirst, clock: "", in: zone) else {
            throw RowProblem("“\(text.prefix(30))” is not a date such as 2026-11-22")
        }
        return time
    }

    /// Seconds since the day began: `8:30 AM`, `08:30`, or the usual hour of a meal.
    func seconds(_ column: Int?, _ meal: Meal) -> Double {
        let usual: [Meal: Double] = [.breakfast: 8, .lunch: 12.5, .dinner: 19, .snack: 16]
        return ClockText.seconds(text(column)).map(Double.init) ?? (usual[meal] ?? 12) * 3600
    }

    /// Grams of an amount such as `80,00 g`; nil for other amounts.
    func grams(_ text: String) -> Decimal? {
        guard let (_, rest) = WrittenNumber.prefix(of: text),
            let amount = numbers.value(String(text.dropLast(rest.count)))
        else { return nil }
        let measured = ServingText.serving("\(amount)\(rest)")
        return measured?.dimension == .mass ? measured?.value : nil
    }
}

extension RowReader {
    func meal(_ text: String) -> Meal {
        let name = text.lowercased()
        return Meal.allCases.first { name.hasPrefix($0.rawValue) } ?? .snack
    }

    /// A food with the figures of the logged amount.
    ///
    /// - Parameter columns: of the energy, of protein, carbohydrate and fat.
    func food(
        _ name: String, _ label: String, grams: Decimal?, _ row: TableRow, _ columns: [Int?], prefix: String
    ) throws(RowProblem) -> Food {
        var figures: [Decimal?] = []
        let names = ["calories", "protein", "carbs", "fat"]
        for (column, name) in zip(columns, names) { figures.append(try row.number(column, name)) }
        guard let calories = figures[0] else { throw RowProblem("the energy is missing") }
        var food = Food(
            id: "\(prefix):\(name.prefix(80))", name: String(name.prefix(200)), calories: calories,
            defaultServing: Serving(sizeLabel: label, grams: grams, multiplier: 1), source: .userCreated)
        food.setMacros(figures[1], figures[2], figures[3])
        return food
    }
}

/// Rows of other programs, by the names that their columns have there.
struct ForeignRows: RowReader {
    let format: String
    let figures: [Int]
    var dates: Int? { columns["date"] }
    let isGrouped = true
    private let columns: [String: Int]

    private static let formats: [(format: String, names: [String: [String]])] = [
        // Cronometer's Servings: one row for each food.
        (
            "cronometer",
            [
                "date": ["day", "date"], "food": ["food name"], "calories": ["energy (kcal)"], "time": ["time"],
                "meal": ["group"], "amount": ["amount"], "protein": ["protein (g)"],
                "carbs": ["carbs (g)", "net carbs (g)"], "fat": ["fat (g)"],
            ]
        ),
        // MyFitnessPal's Nutrition Summary: one row for each meal of a day.
        (
            "myfitnesspal",
            [
                "date": ["date"], "meal": ["meal"], "calories": ["calories"], "protein": ["protein (g)", "protein"],
                "carbs": ["carbohydrates (g)", "carbohydrates", "carbs (g)"], "fat": ["fat (g)", "fat"],
            ]
        ),
    ]
    private static let figureNames = ["calories", "protein", "carbs", "fat"]

    init?(_ table: CSVTable) {
        let known = Self.formats.lazy.map { ($0.format, $0.names.compactMapValues { table.column($0) }) }
        let complete = known.first { format, columns in
            let isOfFoods = format == "cronometer"
            return ["date", isOfFoods ? "food" : "meal", "calories"].allSatisfy { columns[$0] != nil }
        }
        guard let (format, columns) = complete else { return nil }
        (self.format, self.columns) = (format, columns)
        figures = table.measured(and: (["amount"] + Self.figureNames).map { columns[$0] })
    }

    func read(_ row: TableRow) throws(RowProblem) -> ImportedRow {
        func text(_ column: String) -> String { row.text(columns[column]) }
        let isOfFoods = columns["food"] != nil
        if !isOfFoods, ["total", "totals"].contains(text("date").lowercased()) { return .skipped }
        let day = try row.time(dates).day
        let meal = self.meal(text("meal"))
        let name = isOfFoods ? text("food") : "\(text("meal").isEmpty ? "Meal" : text("meal")) (MyFitnessPal)"
        guard !name.isEmpty else { throw RowProblem("the food has no name") }
        let label = !isOfFoods ? "1 meal" : text("amount").isEmpty ? "1 serving" : String(text("amount").prefix(100))
        let food = try food(
            name, label, grams: isOfFoods ? row.grams(label) : nil, row, Self.figureNames.map { columns[$0] },
            prefix: isOfFoods ? format : "mfp")
        return .entry(
            MealEntry(
                id: "", food: food, serving: food.defaultServing, meal: meal,
                timestamp: day.start(in: row.zone) + row.seconds(columns["time"], meal), zone: row.zone.identifier))
    }
}

struct OwnRows: RowReader {
    let format = "tablesight-csv"
    let figures: [Int]
    /// The export separates no thousands; a spreadsheet adds separators only where a person asks for them.
    let isGrouped = false
    private let columns: [String: Int]

    init(_ table: CSVTable) {
        columns = Dictionary(
            table.columns.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
        figures = ["grams", "calories", "protein", "carbs", "fat", "weight"].compactMap { [columns] in columns[$0] }
    }

    var dates: Int? { columns["day"] }

    func read(_ row: TableRow) throws(RowProblem) -> ImportedRow {
        // The export marks texts that a spreadsheet would run as a formula.
        func value(_ name: String) -> String { CSVLine.original(row.text(columns[name])) }
        func figure(_ name: String) throws(RowProblem) -> Decimal? { try row.number(columns[name], name) }
        if value("kind") == "weight" {
            guard let kilograms = try figure("weight") else { throw RowProblem("the weight is missing") }
            return .weight(try row.time(columns["day"]).day, kilograms)
        }
        let label = value("serving").isEmpty ? "1 serving" : value("serving")
        var food = try food(
            value("food"), label, grams: try figure("grams"), row,
            ["calories", "protein", "carbs", "fat"].map { columns[$0] }, prefix: "own")
        food.brand = value("brand").isEmpty ? nil : value("brand")
        food.barcode = value("barcode").isEmpty ? nil : value("barcode")
        let named = value("zone")
        return .entry(
            MealEntry(
                id: value("id"), food: food, serving: food.defaultServing, meal: meal(value("meal")),
                timestamp: try timestamp(row),
                zone: TimeZone(identifier: named) == nil ? row.zone.identifier : named))
    }

    /// The export writes times in UTC; a spreadsheet may save `28.09.2026 06:14:00` for `2026-09-28T06:14:00Z`.
    private func timestamp(_ row: TableRow) throws(RowProblem) -> Date {
        let text = row.text(columns["timestamp"])
        if let date = try? Date(text, strategy: .iso8601) { return date }
        guard text.contains(":"), let time = try? row.time(columns["timestamp"]) else {
            throw RowProblem("“\(text.prefix(30))” is not a time such as 2026-11-22T08:00:00Z")
        }
        return Date(timeIntervalSince1970: Double(time.instant))
    }
}
