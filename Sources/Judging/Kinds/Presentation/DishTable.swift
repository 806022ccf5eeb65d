import Core

/// The dishes of menus as comma-separated values, for spreadsheets.
///
/// One row for each dish, person and allergen; a dish without verdicts has one row. Keys are those of outcomes.
package enum DishTable {
    /// The line of the columns' names.
    package static let heading = CSVLine.text([
        "photo", "section", "dish", "description", "prices", "currency", "person", "allergen", "verdict", "risk",
        "probability",
    ])

    /// The rows of a photo in the order of the page, then of people's names and of the law; empty without a menu.
    package static func rows(of outcome: Outcome) -> String {
        guard let menu = outcome.menu else { return "" }
        var text = ""
        for section in menu.sections {
            for dish in section.items {
                let prices = dish.prices.map { [$0.label, $0.amount].compactMap(\.self).joined(separator: " ") }
                let about = [
                    outcome.source.path, section.title ?? "", dish.name, dish.description ?? "",
                    prices.joined(separator: "; "), menu.currency ?? "",
                ]
                let verdicts = Self.verdicts(on: dish)
                text += (verdicts.isEmpty ? [["", "", "", "", ""]] : verdicts).map { CSVLine.text(about + $0) }.joined()
            }
        }
        return text
    }

    /// Person, allergen, verdict, risk and probability (0…1).
    private static func verdicts(on dish: Menu.Item) -> [[String]] {
        dish.verdicts.sorted { $0.key < $1.key }.flatMap { person, verdicts in
            Allergen.allCases.compactMap { allergen in
                verdicts[allergen].map {
                    [person, allergen.rawValue, $0.verdict.rawValue, $0.risk.rawValue, "\($0.probability)"]
                }
            }
        }
    }
}
