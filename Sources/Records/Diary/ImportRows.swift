import Core
import Foundation
import Meals

/// Why a row is left out.
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

/// Reads the rows of one format.
protocol RowReader {
    var format: String { get }
    func read(_ row: [String], in zone: TimeZone) throws(RowProblem) -> ImportedRow
}

extension RowReader {
    func text(_ row: [String], _ column: Int?) -> String {
        guard let column, column < row.count else { return "" }
        return row[column].trimmingCharacters(in: .whitespaces)
    }

    /// Nil for an empty field.
    func number(_ row: [String], _ column: Int?, _ name: String) throws(RowProblem) -> Decimal? {
        let text = text(row, column)
        guard !text.isEmpty else { return nil }
        // Exports write a point; a comma separates thousands.
        guard let value = Decimal(string: text.replacing(",", with: ""), locale: nil), value >= 0, value < 1_000_000,
            text.allSatisfy({ $0.isNumber || ".,".contains($0) })
        else { throw RowProblem("\(name) “\(text.prefix(20))” is not a number of 0 or more") }
        return value
    }

    /// `2026-09-28` or `09/28/2026`.
    func day(_ text: String) throws(RowProblem) -> Day {
        if let day = Day(text) { return day }
        let parts = text.split(separator: "/").map(String.init)
        func two(_ part: String) -> String { part.count == 1 ? "0" + part : part }
        if parts.count == 3, let day = Day("\(parts[2])-\(two(parts[0]))-\(two(parts[1]))") { return day }
        throw RowProblem("“\(text.prefix(20))” is not a date such as 2026-11-22")
    }

    /// `8:30 AM`, `08:30`, or the usual hour of a meal.
    func seconds(_ text: String, _ meal: Meal) -> Double {
        let usual: [Meal: Double] = [.breakfast: 8, .lunch: 12.5, .dinner: 19, .snack: 16]
        let parts = text.split { $0 == " " || $0 == ":" }.map { $0.uppercased() }
        guard parts.count >= 2, var hour = Int(parts[0]), let minute = Int(parts[1]), (0...23).contains(hour),
            (0...59).contains(minute)
        else { return (usual[meal] ?? 12) * 3600 }
        if parts.last == "PM", hour < 12 { hour += 12 }
        if parts.last == "AM", hour == 12 { hour = 0 }
        return Double(hour * 3600 + minute * 60)
    }

    func meal(_ text: String) -> Meal {
        let name = text.lowercased()
        return Meal.allCases.first { name.hasPrefix($0.rawValue) } ?? .snack
    }

    /// A food with the figures of the logged amount.
    func food(
        _ name: String, _ label: String, grams: Decimal?, _ figures: [(String, Decimal?)], prefix: String
    ) throws(RowProblem) -> Food {
        guard let calories = figures[0].1 else { throw RowProblem("the energy is missing") }
        let missing = figures.dropFirst().filter { $0.1 == nil }.map(\.0)
        return Food(
            id: "\(prefix):\(name.prefix(80))", name: String(name.prefix(200)), calories: calories,
            protein: figures[1].1 ?? 0, carbs: figures[2].1 ?? 0, fat: figures[3].1 ?? 0,
            defaultServing: Serving(sizeLabel: label, grams: grams, multiplier: 1), source: .userCreated,
            unknown: missing.isEmpty ? nil : missing)
    }
}

/// MyFitnessPal's Nutrition Summary: one row for each meal of a day.
struct MyFitnessPalRows: RowReader {
    let format = "myfitnesspal"
    private let date, meal, calories: Int
    private let protein, carbs, fat: Int?

    init?(_ table: CSVTable) {
        guard let date = table.column("date"), let meal = table.column("meal"), let calories = table.column("calories")
        else { return nil }
        (self.date, self.meal, self.calories) = (date, meal, calories)
        protein = table.column("protein (g)", "protein")
        carbs = table.column("carbohydrates (g)", "carbohydrates", "carbs (g)")
        fat = table.column("fat (g)", "fat")
    }

    func read(_ row: [String], in zone: TimeZone) throws(RowProblem) -> ImportedRow {
        if ["total", "totals"].contains(text(row, date).lowercased()) { return .skipped }
        let day = try day(text(row, date))
        let name = text(row, meal).isEmpty ? "Meal" : text(row, meal)
        let meal = self.meal(name)
        let food = try food(
            "\(name) (MyFitnessPal)", "1 meal", grams: nil,
            [
                ("calories", try number(row, calories, "calories")), ("protein", try number(row, protein, "protein")),
                ("carbs", try number(row, carbs, "carbohydrates")), ("fat", try number(row, fat, "fat")),
            ], prefix: "mfp")
        return .entry(
            MealEntry(
                id: "", food: food, serving: food.defaultServing, meal: meal,
                timestamp: day.start(in: zone) + seconds("", meal), zone: zone.identifier))
    }
}

/// Cronometer's Servings: one row for each food.
struct CronometerRows: RowReader {
    let format = "cronometer"
    private let date, name, calories: Int
    private let time, group, amount, protein, carbs, fat: Int?

    init?(_ table: CSVTable) {
        guard let date = table.column("day", "date"), let name = table.column("food name"),
            let calories = table.column("energy (kcal)")
        else { return nil }
        (self.date, self.name, self.calories) = (date, name, calories)
        (time, group, amount) = (table.column("time"), table.column("group"), table.column("amount"))
        protein = table.column("protein (g)")
        carbs = table.column("carbs (g)", "net carbs (g)")
        fat = table.column("fat (g)")
    }

    func read(_ row: [String], in zone: TimeZone) throws(RowProblem) -> ImportedRow {
        let day = try day(text(row, date))
        let meal = self.meal(text(row, group))
        let name = text(row, name)
        guard !name.isEmpty else { throw RowProblem("the food has no name") }
        let label = text(row, amount).isEmpty ? "1 serving" : String(text(row, amount).prefix(100))
        let measured = ServingText.serving(label)
        let food = try food(
            name, label, grams: measured?.dimension == .mass ? measured?.value : nil,
            [
                ("calories", try number(row, calories, "energy")), ("protein", try number(row, protein, "protein")),
                ("carbs", try number(row, carbs, "carbs")), ("fat", try number(row, fat, "fat")),
            ], prefix: "cronometer")
        return .entry(
            MealEntry(
                id: "", food: food, serving: food.defaultServing, meal: meal,
                timestamp: day.start(in: zone) + seconds(text(row, time), meal), zone: zone.identifier))
    }
}

/// Tablesight's own export.
struct OwnRows: RowReader {
    let format = "tablesight-csv"
    private let columns: [String: Int]

    init(_ table: CSVTable) {
        columns = Dictionary(
            table.columns.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }

    func read(_ row: [String], in zone: TimeZone) throws(RowProblem) -> ImportedRow {
        // The export marks texts that a spreadsheet would run as a formula.
        func value(_ name: String) -> String {
            let text = text(row, columns[name])
            return text.hasPrefix("'") && "=+-@".contains(text.dropFirst().first ?? " ")
                ? String(text.dropFirst()) : text
        }
        func figure(_ name: String) throws(RowProblem) -> Decimal? { try number(row, columns[name], name) }
        if value("kind") == "weight" {
            guard let kilograms = try figure("weight") else { throw RowProblem("the weight is missing") }
            return .weight(try day(value("day")), kilograms)
        }
        guard let timestamp = try? Date(value("timestamp"), strategy: .iso8601) else {
            throw RowProblem("“\(value("timestamp").prefix(30))” is not a time such as 2026-11-22T08:00:00Z")
        }
        let label = value("serving").isEmpty ? "1 serving" : value("serving")
        var food = try food(
            value("food"), label, grams: try figure("grams"),
            [
                ("calories", try figure("calories")), ("protein", try figure("protein")),
                ("carbs", try figure("carbs")), ("fat", try figure("fat")),
            ], prefix: "own")
        food.brand = value("brand").isEmpty ? nil : value("brand")
        food.barcode = value("barcode").isEmpty ? nil : value("barcode")
        let named = value("zone")
        return .entry(
            MealEntry(
                id: value("id"), food: food, serving: food.defaultServing, meal: meal(value("meal")),
                timestamp: timestamp, zone: TimeZone(identifier: named) == nil ? zone.identifier : named))
    }
}
