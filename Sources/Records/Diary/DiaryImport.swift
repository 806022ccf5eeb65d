import Core
import Foundation
import Foods

package struct ImportReport: Sendable, Hashable, Codable {
    /// `tablesight-json`, `tablesight-csv`, `myfitnesspal`, `cronometer`, `apple-health` or `scale-csv`.
    package var format: String
    /// Entries that are new or differ from what the diary had.
    package var entries: Int
    /// Weights that are new or differ from what the diary had.
    package var weights: Int
    /// Entries and weights that the diary had already.
    package var unchanged = 0
    /// Days of the file that kept the weight that they had.
    package var kept = 0
    /// Measurements of a day of which the file has an earlier one.
    package var repeats = 0
    /// Rows that were left out, with the reasons of the first ones.
    package var rejected: Int
    package var reasons: [String]

    /// True for a file of a scale or a health app.
    package var isOfWeights: Bool { [HealthExport.format, ScaleTable.format].contains(format) }
}

extension ImportReport {
    /// Stores what a file has, and counts what the diary had not.
    fileprivate mutating func store(
        _ new: [MealEntry], _ measured: [(day: Day, kilograms: Decimal)], in diary: Diary, of person: String
    ) throws {
        entries = try diary.put(new, of: person)
        weights = try diary.setWeights(measured, of: person)
        unchanged = new.count + measured.count - entries - weights
    }
}

extension Diary {
    /// Maximum bytes of a file that is read as a whole: JSON and tables. In memory a table takes about six times as much.
    package static let mostWholeBytes = 16 << 20

    /// Adds the content of a file to a diary. An entry with the id of a stored one replaces it, so importing a file twice
    /// changes nothing. Weights of scales and health apps are stored for days that have none.
    ///
    /// Apple Health's export is read in parts and may have any size; other formats are read as a whole.
    func importFile(in source: ImportSource, into name: String, mostWholeBytes: Int = .max) throws -> ImportReport {
        var source = source
        guard let person = try person(name) else { throw DiaryProblem.noDiary }
        if TableText.isUTF16(source.beginning) {
            let text = TableText.utf8(fromUTF16: try source.all(upTo: CSVTable.mostBytes))
            guard text.first != UInt8(ascii: "<") else {
                throw DiaryProblem.badFile("the file is not in UTF-8: save it as UTF-8")
            }
            source = ImportSource(text)
        }
        switch try ImportKind(source.beginning) {
        case .xml: return try addWeights(try HealthExport.weights(&source), HealthExport.format, person)
        case .json: return try importJSON(try source.all(upTo: mostWholeBytes), person)
        case .table: break
        }
        guard let table = CSVTable(try source.all(upTo: min(mostWholeBytes, CSVTable.mostBytes))) else {
            throw DiaryProblem.badFile("the file is neither JSON nor XML nor CSV with at least two columns")
        }
        guard !table.isCut else {
            throw DiaryProblem.badFile("the table has more than 500,000 rows or 8 million fields: divide it")
        }
        let reader: any RowReader
        if table.column("kind") != nil, table.column("timestamp") != nil {
            reader = OwnRows(table)
        } else if let foreign = ForeignRows(table) {
            reader = foreign
        } else if let scale = try ScaleTable(table) {
            return try addWeights(scale.weights(in: person.timeZone), ScaleTable.format, person)
        } else {
            throw DiaryProblem.badFile(
                "unknown columns: use an export of Tablesight, MyFitnessPal (Nutrition Summary) or Cronometer "
                    + "(Servings), or a table with a column of dates and a column “Weight (kg)”")
        }
        return try importRows(table, reader, person)
    }

    /// Stored weights stay: people may have typed or corrected them.
    private func addWeights(_ read: DailyWeights, _ format: String, _ person: Person) throws -> ImportReport {
        let weights = read.days.map { (day: $0.key, kilograms: $0.value.kilograms) }.sorted { $0.day < $1.day }
        let added = try setWeights(weights, of: person.name, keepsStored: true)
        return ImportReport(
            format: format, entries: 0, weights: added, kept: weights.count - added, repeats: read.repeats,
            rejected: read.rejected, reasons: read.reasons)
    }

    private func importJSON(_ data: Data, _ person: Person) throws -> ImportReport {
        guard let file = try? JSONCoding.decode(DiaryFile.self, from: data), file.schema == DiaryFile.schemaName,
            file.entries.count <= DiaryFile.mostEntries, file.goal?.fault == nil
        else { throw DiaryProblem.badFile("the JSON is not an export of a diary (\(DiaryFile.schemaName))") }
        let weights = file.weights.map { (day: $0.date, kilograms: $0.weight) }
        try Self.check(weights)
        var report = ImportReport(format: "tablesight-json", entries: 0, weights: 0, rejected: 0, reasons: [])
        try report.store(file.entries, weights, in: self, of: person.name)
        for day in (file.closed ?? []).prefix(Self.mostClosed) { try setClosed(true, day, of: person.name) }
        for favourite in (file.favourites ?? []).prefix(Self.mostFavourites) {
            try setFavourite(favourite.food, favourite.serving, of: person.name)
        }
        if person.goal == nil, let goal = file.goal {
            try save(Person(name: person.name, zone: person.zone, goal: goal))
        }
        return report
    }

    /// A hundred years.
    private static let mostClosed = 36_525
    private static let mostReasons = 10

    private func importRows(_ table: CSVTable, _ reader: any RowReader, _ person: Person) throws -> ImportReport {
        var report = ImportReport(format: reader.format, entries: 0, weights: 0, rejected: 0, reasons: [])
        var entries: [MealEntry] = []
        var weights: [(day: Day, kilograms: Decimal)] = []
        var places: [String: Int] = [:]
        let numbers = try table.numbers(in: reader.figures, isGrouped: reader.isGrouped) { text in
            WrittenNumber.prefix(of: text).map { String(text.dropLast($0.rest.count)) } ?? text
        }
        let order = try table.dateOrder(in: reader.dates)
        for (number, row) in table.rows.enumerated() {
            do throws(RowProblem) {
                switch try reader.read(TableRow(fields: row, numbers: numbers, order: order, zone: person.timeZone)) {
                case .skipped: continue
                case .weight(let day, let kilograms):
                    if let fault = Weight.fault(kilograms, on: day) { throw RowProblem(fault) }
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
                    report.reasons.append("row \(number + table.firstRow): \(error.detail)")
                }
            }
        }
        try report.store(entries, weights, in: self, of: person.name)
        return report
    }
}

/// What the first bytes of a file say about its format.
private enum ImportKind {
    case json, xml, table

    /// - Throws: ``DiaryProblem`` for files that have to be unpacked or saved in another way.
    init(_ beginning: [UInt8]) throws(DiaryProblem) {
        if beginning.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
            throw DiaryProblem.badFile(
                "this is a ZIP file: unpack it, and choose the file export.xml in it", isArchive: true)
        }
        if beginning.starts(with: [0x1F, 0x8B]) {
            throw DiaryProblem.badFile(
                "this is a compressed file: unpack it, and choose the file in it", isArchive: true)
        }
        let first = beginning.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        switch first {
        case UInt8(ascii: "{"): self = .json
        case UInt8(ascii: "<"): self = .xml
        default: self = .table
        }
    }
}

private enum RowIdentity {
    /// FNV-1a, 64 bits; it only has to be the same for the same row of one person.
    static func id(of row: String, place: Int) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in row.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return "row-\(String(hash, radix: 16))-\(place)"
    }
}
