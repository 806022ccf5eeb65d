/// Month names and the range of years: `models/documents/months.json`.
package struct MonthNames: DataFile {
    package static let schema = "tablesight.month-names/1"
    package static let path = "documents/months.json"
    package struct Years: Decodable { var first, last: Int }
    package struct Symbols: Decodable { var names: [String] }

    package var version: String
    package var years: Years
    /// Twelve symbols of two letters, which stand for a month behind a year of four digits alone.
    package var symbols: Symbols
    /// BCP 47 → twelve lists of names and abbreviations.
    package var months: [String: [[String]]]

    package func validate(name: String) throws(DataFileProblem) {
        try DataFileProblem.check(years.first < years.last, "years", "first must lie before last")
        try DataFileProblem.check(symbols.names.count == 12, "symbols", "\(symbols.names.count) months; give 12")
        for (language, names) in months {
            try DataFileProblem.check(names.count == 12, "months.\(language)", "\(names.count) months; give 12")
        }
    }

    package var scanner: DateScanner {
        var table: [String: Int] = [:]
        // English first: "mar" is March in most languages.
        for (_, names) in months.sorted(by: { ($0.key == "en" ? "" : $0.key) < ($1.key == "en" ? "" : $1.key) }) {
            for (index, group) in names.enumerated() {
                for name in group where table[Folding.fold(name)] == nil { table[Folding.fold(name)] = index + 1 }
            }
        }
        return DateScanner(months: table, symbols: symbols.names, years: years.first...years.last)
    }
}
