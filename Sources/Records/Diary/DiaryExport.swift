import Core
import Foundation
import Foods

/// Everything of one diary, as a file.
package struct DiaryFile: Sendable, Codable {
    package struct Weight: Sendable, Codable {
        package var date: Day
        /// Kilograms.
        package var weight: Decimal
    }

    /// `tablesight.diary/1`.
    package var schema: String
    package var person: String
    package var zone: String
    package var goal: UserGoal?
    package var weights: [Weight]
    package var entries: [MealEntry]
    /// Foods that the person marked; nil in files of earlier versions.
    package var favourites: [FavouriteFood]?
    /// Days of which the person says that nothing is missing; nil in files of earlier versions.
    package var closed: [Day]?

    package static let schemaName = "tablesight.diary/1"
    static let mostEntries = 500_000
}

extension Diary {
    package func exported(_ name: String) throws -> DiaryFile {
        guard let person = try person(name) else { throw DiaryProblem.noDiary }
        return DiaryFile(
            schema: DiaryFile.schemaName, person: name, zone: person.zone, goal: person.goal,
            weights: try weights(of: name).map { .init(date: $0.day, weight: $0.kilograms) },
            entries: try entries(of: name, from: Day(number: 0), to: Day(number: 100_000)),
            favourites: try favourites(of: name), closed: try closedDays(of: name).sorted())
    }

    /// One row for each entry and each weight, with the columns of ``csvColumns``.
    package func exportedCSV(_ name: String) throws -> Data {
        let file = try exported(name)
        var text = CSVLine.text(Self.csvColumns)
        let clock = Date.ISO8601FormatStyle(timeZone: .gmt)
        for entry in file.entries {
            let totals = entry.totals
            // What the food does not state is empty, never 0.
            let macros = MacroTotals.Macro.allCases.map { macro in
                if case .exact(let grams) = totals.known(macro) { "\(grams)" } else { "" }
            }
            text += CSVLine.text(
                [
                    "entry", entry.id, entry.day?.description ?? "", entry.timestamp.formatted(clock), entry.zone,
                    entry.meal.rawValue, entry.food.name, entry.food.brand ?? "", entry.food.barcode ?? "",
                    entry.serving.sizeLabel, entry.serving.grams.map { "\($0)" } ?? "", "\(totals.calories)",
                ] + macros + [""])
        }
        for weight in file.weights {
            var fields = Array(repeating: "", count: Self.csvColumns.count)
            (fields[0], fields[2], fields[15]) = ("weight", "\(weight.date)", "\(weight.weight)")
            text += CSVLine.text(fields)
        }
        return Data(text.utf8)
    }

    static let csvColumns = [
        "kind", "id", "day", "timestamp", "zone", "meal", "food", "brand", "barcode", "serving", "grams", "calories",
        "protein", "carbs", "fat", "weight",
    ]
}
