import Core
import Foundation

/// A table in text, as ``TableDialect`` reads it. The first row with several fields names the columns.
struct CSVTable {
    /// Lower-case names.
    let columns: [String]
    let rows: [[String]]
    /// The number of the first of ``rows`` in the file, from 1.
    let firstRow: Int
    /// True if the file has more rows or fields than are read.
    let isCut: Bool

    static let mostBytes = 64 << 20
    private static let mostRows = 500_000
    private static let mostFields = 300
    /// Fields of all rows; a file of separators alone would take a gigabyte.
    private static let mostCells = 8_000_000
    /// Rows of one field before the columns, such as a title.
    private static let mostTitles = 4

    /// Nil if the text is too large or has no columns.
    ///
    /// - Parameter data: in an encoding of ``TableText`` other than UTF-16.
    init?(_ data: Data) {
        guard data.count <= Self.mostBytes else { return nil }
        let (parsed, isCut) = Self.parse(Array(data))
        var rows = parsed
        let titles = rows.prefix { $0.count == 1 }.count
        guard titles <= Self.mostTitles, titles < rows.count else { return nil }
        rows.removeFirst(titles)
        firstRow = titles + 2
        self.isCut = isCut
        columns = rows.removeFirst().map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        self.rows = rows
    }

    /// A field without the blanks around it; empty where the row is shorter.
    static func field(_ row: [String], _ column: Int?) -> String {
        guard let column, column < row.count else { return "" }
        return row[column].trimmingCharacters(in: .whitespaces)
    }

    /// The place of the first column with one of these lower-case names.
    func column(_ names: String...) -> Int? { column(names) }
    func column(_ names: [String]) -> Int? { names.lazy.compactMap { columns.firstIndex(of: $0) }.first }

    /// These columns, and those whose names end with a unit, such as `sodium (mg)`.
    func measured(and others: [Int?]) -> [Int] {
        let measured = columns.indices.filter { columns[$0].hasSuffix(")") }
        return Array(Set(measured + others.compactMap { $0 })).sorted()
    }

    /// How the numbers of these columns are written.
    ///
    /// - Parameters:
    ///   - isGrouped: false if the table's source separates no thousands.
    ///   - number: the number's part of a field.
    /// - Throws: ``DiaryProblem`` with the rows.
    func numbers(
        in columns: [Int], isGrouped: Bool, _ number: (String) -> String = { $0 }
    ) throws(DiaryProblem) -> NumberFormat {
        var numbers = TableNumbers()
        for (row, fields) in rows.enumerated() {
            for column in columns where column < fields.count {
                numbers.add(number(Self.field(fields, column)), at: "row \(row + firstRow)")
            }
        }
        do { return try numbers.format(isGrouped: isGrouped) } catch { throw .badFile(error.detail) }
    }

    /// The order of day and month in a column.
    ///
    /// - Throws: ``DiaryProblem`` with the rows.
    func dateOrder(in column: Int?) throws(DiaryProblem) -> DateOrder {
        guard let column else { return try DateOrder([], in: "", firstRow: firstRow) }
        let dates = rows.lazy.map { DateText(Self.field($0, column)) }
        return try DateOrder(dates, in: columns[column], firstRow: firstRow)
    }

    private static func parse(_ bytes: [UInt8]) -> (rows: [[String]], isCut: Bool) {
        let dialect = TableDialect(of: bytes)
        return bytes.withUnsafeBufferPointer { bytes in
            var (ranges, used) = dialect.rows(of: bytes, isLast: true, most: mostRows)
            if let first = ranges.first, TableDialect.isNaming(bytes[first]) { ranges.removeFirst() }
            var (rows, cells): ([[String]], Int) = ([], 0)
            for range in ranges {
                guard cells < mostCells else { return (rows, true) }
                rows.append(dialect.fields(bytes, range, most: mostFields))
                cells += rows.last?.count ?? 0
            }
            return (rows, used < bytes.count)
        }
    }
}
