import Foundation

/// What separates the fields and the rows of a table in text (RFC 4180, and what spreadsheets write instead).
package struct TableDialect: Sendable, Hashable {
    /// A comma, a semicolon or a tab, in ASCII.
    package let separator: UInt8
    /// A line feed, or a carriage return where the file has no line feed.
    package let lineEnd: UInt8
    /// True if fields in quotes may contain separators and line ends.
    package let isQuoted: Bool

    private static let quote = UInt8(ascii: "\"")
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    /// Bytes that are looked at.
    private static let mostBytes = 16_384

    /// - Parameters:
    ///   - beginning: the first bytes of the file, in UTF-8 or an encoding of one byte a letter.
    ///   - quotesTabs: false for exports of databases, which separate by tabs and write quotes as letters.
    package init(of beginning: some Collection<UInt8>, quotesTabs: Bool = true) {
        let bytes = Self.unmarked(Array(beginning.prefix(Self.mostBytes))[...])
        lineEnd = bytes.contains(UInt8(ascii: "\n")) || !bytes.contains(UInt8(ascii: "\r")) ? 0x0A : 0x0D
        separator = Self.named(bytes) ?? Self.counted(bytes, lineEnd)
        isQuoted = quotesTabs || separator != UInt8(ascii: "\t")
    }

    /// Lines that are no table.
    package static let lines = TableDialect(of: "\t".utf8, quotesTabs: false)

    /// Without a byte order mark.
    private static func unmarked(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes
    }

    /// The separator that Excel writes into a first line, `sep=;`.
    private static func named(_ bytes: ArraySlice<UInt8>) -> UInt8? {
        let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
        return isNaming(line) ? line.last : nil
    }

    /// True for the line `sep=;`, which is no row.
    package static func isNaming(_ line: some Collection<UInt8>) -> Bool {
        let line = unmarked(Array(line.prefix(8))[...])
        return line.count == 5 && line.starts(with: Array("sep=".utf8))
    }

    /// What the first line with any separator has most of, outside quotes.
    private static func counted(_ bytes: ArraySlice<UInt8>, _ lineEnd: UInt8) -> UInt8 {
        let comma = UInt8(ascii: ",")
        var counts: [UInt8: Int] = [:]
        var isInside = false
        for byte in bytes {
            if byte == lineEnd, !isInside, !counts.isEmpty { break }
            if byte == quote { isInside.toggle() }
            if !isInside, [comma, UInt8(ascii: ";"), UInt8(ascii: "\t")].contains(byte) {
                counts[byte, default: 0] += 1
            }
        }
        let commas = counts[comma] ?? 0
        let other = counts.filter { $0.key != comma }.max { ($0.value, $0.key) < ($1.value, $1.key) }
        return other.flatMap { $0.value >= commas ? $0.key : nil } ?? comma
    }

    /// The rows without their line ends, and the number of bytes that they take. Empty rows are left out.
    ///
    /// - Parameters:
    ///   - isLast: true if no bytes follow, so that the last row needs no line end.
    ///   - most: the maximum number of rows.
    package func rows(
        of bytes: UnsafeBufferPointer<UInt8>, isLast: Bool, most: Int = .max
    ) -> (rows: [Range<Int>], used: Int) {
        var rows: [Range<Int>] = []
        var begin = 0
        while begin < bytes.count, rows.count < most {
            guard let end = isQuoted ? quotedEnd(bytes, begin) : plainEnd(bytes, begin) else { break }
            let isPair = end > begin && lineEnd == 0x0A && bytes[end - 1] == 0x0D
            if end - (isPair ? 1 : 0) > begin { rows.append(begin..<(isPair ? end - 1 : end)) }
            begin = end + 1
        }
        if isLast, begin < bytes.count, rows.count < most {
            rows.append(begin..<bytes.count)
            begin = bytes.count
        }
        return (rows, begin)
    }

    private func plainEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ begin: Int) -> Int? {
        guard let base = bytes.baseAddress, let found = memchr(base + begin, Int32(lineEnd), bytes.count - begin)
        else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    private func quotedEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ begin: Int) -> Int? {
        var (isInside, isFieldBegin) = (false, true)
        var closing = -1
        var index = begin
        if begin == 0, bytes.starts(with: Self.mark) { index += Self.mark.count }
        while index < bytes.count {
            let byte = bytes[index]
            if byte == Self.quote {
                if isInside {
                    (isInside, closing) = (false, index)
                } else if isFieldBegin || closing == index - 1 {
                    // A second quote opens the field again, so a doubled one changes nothing.
                    isInside = true
                }
            } else if byte == lineEnd, !isInside {
                return index
            }
            isFieldBegin = byte == separator && !isInside
            index += 1
        }
        return nil
    }

    /// The texts of a row's fields, at most `most`.
    package func fields(_ bytes: UnsafeBufferPointer<UInt8>, _ row: Range<Int>, most: Int = .max) -> [String] {
        var row = row
        if bytes[row].starts(with: Self.mark) { row = (row.lowerBound + Self.mark.count)..<row.upperBound }
        var fields: [String] = []
        var index = row.lowerBound
        while fields.count < most {
            if isQuoted, index < row.upperBound, bytes[index] == Self.quote {
                var field: [UInt8] = []
                index = unquoted(bytes, index + 1, row.upperBound, &field)
                fields.append(TableText.string(field))
            } else {
                let begin = index
                while index < row.upperBound, bytes[index] != separator { index += 1 }
                fields.append(isQuoted ? TableText.string(bytes[begin..<index]) : whole(bytes[begin..<index]))
            }
            guard index < row.upperBound else { break }
            index += 1
        }
        return fields
    }

    /// Reads a field after its opening quote; returns the index of the next separator, or `end`.
    private func unquoted(
        _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int, _ field: inout [UInt8]
    ) -> Int {
        var (index, isInside) = (start, true)
        while index < end, isInside || bytes[index] != separator {
            let byte = bytes[index]
            if byte == Self.quote, isInside, index + 1 < end, bytes[index + 1] == Self.quote {
                field.append(byte)
                index += 1
            } else if byte == Self.quote, isInside {
                isInside = false
            } else {
                field.append(byte)
            }
            index += 1
        }
        return index
    }

    /// A field of a table without quotes. A spreadsheet that saved it encloses some fields nevertheless.
    private func whole(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        let text = TableText.string(bytes)
        guard bytes.count >= 2, bytes.first == Self.quote, bytes.last == Self.quote else { return text }
        let inner = text.dropFirst().dropLast()
        let pairs = inner.split(separator: "\"\"", omittingEmptySubsequences: false)
        return pairs.contains { $0.contains("\"") } ? text : pairs.joined(separator: "\"")
    }
}
