import Foundation

/// Comma-separated values (RFC 4180), with or without a byte order mark; also with semicolons or tabs, as spreadsheets
/// write them where a comma is the decimal sign. The first row with several fields names the columns.
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

    /// The place of the first column with one of these lower-case names.
    func column(_ names: String...) -> Int? { names.lazy.compactMap { columns.firstIndex(of: $0) }.first }

    private static func parse(_ bytes: [UInt8]) -> (rows: [[String]], isCut: Bool) {
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        let (quote, line, carriage) = (UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        let separator = separator(of: bytes)
        var cells = 0
        var (rows, row, field): ([[String]], [String], [UInt8]) = ([], [], [])
        var isQuoted = false
        var index = bytes.startIndex
        func ended() -> String { String(decoding: field, as: UTF8.self) }
        while index < bytes.endIndex, rows.count < mostRows, cells < mostCells {
            let byte = bytes[index]
            index += 1
            if isQuoted {
                guard byte == quote else {
                    field.append(byte)
                    continue
                }
                if index < bytes.endIndex, bytes[index] == quote {
                    field.append(quote)
                    index += 1
                } else {
                    isQuoted = false
                }
            } else if byte == quote, field.isEmpty {
                isQuoted = true
            } else if byte == separator {
                if row.count < mostFields {
                    row.append(ended())
                    cells += 1
                }
                field.removeAll(keepingCapacity: true)
            } else if byte == line {
                row.append(ended())
                if row != [""] { rows.append(row) }
                (row, field) = ([], [])
            } else if byte != carriage {
                field.append(byte)
            }
        }
        if !field.isEmpty || !row.isEmpty {
            row.append(ended())
            rows.append(row)
        }
        return (rows, index < bytes.endIndex)
    }

    /// A comma, a semicolon or a tab: what the first line with any of them has most of, outside quotes.
    private static func separator(of bytes: ArraySlice<UInt8>) -> UInt8 {
        let comma = UInt8(ascii: ",")
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in bytes.prefix(16_384) {
            if byte == UInt8(ascii: "\n"), !isQuoted, !counts.isEmpty { break }
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted, [comma, UInt8(ascii: ";"), UInt8(ascii: "\t")].contains(byte) {
                counts[byte, default: 0] += 1
            }
        }
        let commas = counts[comma] ?? 0
        let other = counts.filter { $0.key != comma }.max { ($0.value, $0.key) < ($1.value, $1.key) }
        return other.flatMap { $0.value >= commas ? $0.key : nil } ?? comma
    }

    /// A row as a line. Texts that a spreadsheet would run as a formula get an apostrophe.
    static func line(_ fields: [String]) -> String {
        fields.map { field in
            let text = "=+-@\t".contains(field.first ?? " ") && Decimal(string: field) == nil ? "'" + field : field
            guard text.contains(where: { [",", "\"", "\n", "\r", "\r\n"].contains($0) }) else { return text }
            return "\"" + text.replacing("\"", with: "\"\"") + "\""
        }.joined(separator: ",") + "\r\n"
    }
}
