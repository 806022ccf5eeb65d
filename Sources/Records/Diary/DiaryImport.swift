import Foundation
import Meals
import Portions

/// What an import read.
public struct ImportReport: Sendable, Hashable, Codable {
    /// `tablesight-json`, `tablesight-csv`, `myfitnesspal` or `cronometer`.
    public var format: String
    public var entries: Int
    public var weights: Int
    /// Rows that were left out, with the reasons of the first ones.
    public var rejected: Int
    public var reasons: [String]
}

/// Why a file cannot be imported at all.
public struct ImportProblem: Error, Sendable, Hashable {
    public var detail: String
}

extension Diary {
    /// Adds the content of a file to a diary. An entry with the id of a stored one replaces it, so importing a file twice
    /// changes nothing.
    ///
    /// - Throws: ``ImportProblem`` for an unknown format, ``DiaryProblem``.
    public func importFile(_ data: Data, into name: String) throws -> ImportReport {
        guard let person = try person(name) else { throw DiaryProblem.noDiary }
        let isJSON = data.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) } == UInt8(ascii: "{")
        if isJSON { return try importJSON(data, person) }
        guard let table = CSVTable(data) else {
            throw ImportProblem(
                detail: "the file is neither JSON nor CSV with at least two columns, or has more than 64 MiB")
        }
        let reader: any RowReader
        if table.column("kind") != nil, table.column("timestamp") != nil {
            reader = OwnRows(table)
        } else if table.column("food name") != nil, let cronometer = CronometerRows(table) {
            reader = cronometer
        } else if let summary = MyFitnessPalRows(table) {
            reader = summary
        } else {
            throw ImportProblem(
                detail: "unknown columns: use an export of Tablesight, MyFitnessPal (Nutrition Summary) or Cronometer "
                    + "(Servings)")
        }
        return try importRows(table, reader, person)
    }

    private func importJSON(_ data: Data, _ person: Person) throws -> ImportReport {
        guard let file = try? MealJSON.decode(DiaryFile.self, from: data), file.schema == DiaryFile.schemaName,
            file.entries.count <= DiaryFile.mostEntries, file.goal?.fault == nil
        else { throw ImportProblem(detail: "the JSON is not an export of a diary (\(DiaryFile.schemaName))") }
        let weights = file.weights.map { (day: $0.date, kilograms: $0.weight) }
        try Self.check(weights)
        try put(file.entries, of: person.name)
        try setWeights(weights, of: person.name)
        if person.goal == nil, let goal = file.goal {
            try save(Person(name: person.name, zone: person.zone, goal: goal))
        }
        return ImportReport(
            format: "tablesight-json", entries: file.entries.count, weights: file.weights.count, rejected: 0,
            reasons: [])
    }

    private static let mostReasons = 10

    private func importRows(_ table: CSVTable, _ reader: any RowReader, _ person: Person) throws -> ImportReport {
        var report = ImportReport(format: reader.format, entries: 0, weights: 0, rejected: 0, reasons: [])
        var entries: [MealEntry] = []
        var weights: [(day: Day, kilograms: Decimal)] = []
        var places: [String: Int] = [:]
        for (number, row) in table.rows.enumerated() {
            do throws(RowProblem) {
                switch try reader.read(row, in: person.timeZone) {
                case .skipped: continue
                case .weight(let day, let kilograms):
                    if let fault = Weight.fault(kilograms) { throw RowProblem(fault) }
                    guard day < Day.end else { throw RowProblem("the day of a weight must be from 1970 to 2099") }
                    weights.append((day, kilograms))
                case .entry(var entry):
                    if entry.id.isEmpty {
                        // Equal rows of one file are different servings; the same file again gives the same ids.
                        let key = row.joined(separator: "\u{1F}")
                        places[key, default: 0] += 1
                        entry.id = RowIdentity.id(of: key, place: places[key, default: 1])
                    }
                    if let fault = entry.food.fault ?? entry.serving.fault { throw RowProblem(fault) }
                    entries.append(entry)
                }
            } catch {
                report.rejected += 1
                if report.reasons.count < Self.mostReasons {
                    report.reasons.append("row \(number + 2): \(error.detail)")
                }
            }
        }
        try put(entries, of: person.name)
        try setWeights(weights, of: person.name)
        report.entries = entries.count
        report.weights = weights.count
        return report
    }
}

/// A stable id of an imported row.
private enum RowIdentity {
    /// FNV-1a, 64 bits; it only has to be the same for the same row of one person.
    static func id(of row: String, place: Int) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in row.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return "row-\(String(hash, radix: 16))-\(place)"
    }
}
