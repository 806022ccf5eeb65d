import Foundation

/// Comma-separated values (RFC 4180), with or without a byte order mark. The first row names the columns.
struct CSVTable {
    /// Lower-case names.
    let columns: [String]
    let rows: [[String]]

    static let mostBytes = 64 << 20
    private static let mostRows = 500_000
    private static let mostFields = 300

    /// Nil if the text is too large or has no columns.
    init?(_ data: Data) {
        guard data.count <= Self.mostBytes else { return nil }
        var rows = Self.parse(Array(data))
        guard !rows.isEmpty, rows[0].count > 1 else { return nil }
        columns = rows.removeFirst().map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        self.rows = rows
    }

    /// The place of the first column with one of these lower-case names.
    func column(_ names: String...) -> Int? { names.lazy.compactMap { columns.firstIndex(of: $0) }.first }

    private static func parse(_ bytes: [UInt8]) -> [[String]] {
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        let (quote, comma, line, carriage) = (
            UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: "\n"), UInt8(ascii: "\r")
        )
        var (rows, row, field): ([[String]], [String], [UInt8]) = ([], [], [])
        var isQuoted = false
        var index = bytes.startIndex
        func ended() -> String { String(decoding: field, as: UTF8.self) }
        while index < bytes.endIndex, rows.count < mostRows {
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
            } else if byte == comma {
                if row.count < mostFields { row.append(ended()) }
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
        return rows
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
