/// Positions of the wanted columns of a separated file, from its header.
struct SeparatedHeader {
    let separator: UInt8
    private let fields: [ImportField?]

    /// Nil if the header has no code column; no row is a product without a code.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, keys: [(String, ImportField)]) {
        // Spreadsheets write a byte order mark.
        let isMarked = range.count > 3 && bytes[range.lowerBound] == 0xEF && bytes[range.lowerBound + 1] == 0xBB
        let range = isMarked ? (range.lowerBound + 3)..<range.upperBound : range
        separator = bytes[range].contains(UInt8(ascii: "\t")) ? UInt8(ascii: "\t") : UInt8(ascii: ",")
        let names = SeparatedRecord.columns(bytes, range, separator: separator)
        let known = Dictionary(keys, uniquingKeysWith: { first, _ in first })
        fields = names.map { known[$0] }
        guard fields.contains(.code) else { return nil }
    }

    func texts(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> ImportTexts {
        var texts = ImportTexts()
        for (field, column) in zip(fields, SeparatedRecord.columns(bytes, range, separator: separator)) {
            if let field, !column.isEmpty, texts[field]?.isEmpty ?? true { texts[field] = column }
        }
        return texts
    }
}

/// One row of a separated file.
enum SeparatedRecord {
    /// The columns of the row. Tab-separated rows have no quotes; comma-separated rows follow RFC 4180.
    static func columns(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, separator: UInt8) -> [String] {
        if separator == UInt8(ascii: "\t") {
            return bytes[range].split(separator: separator, omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
        }
        var columns: [String] = []
        var column: [UInt8] = []
        var isInside = false
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                if isInside, index + 1 < range.upperBound, bytes[index + 1] == byte {
                    column.append(byte)
                    index += 1
                } else {
                    isInside.toggle()
                }
            } else if byte == separator, !isInside {
                columns.append(String(decoding: column, as: UTF8.self))
                column = []
            } else {
                column.append(byte)
            }
            index += 1
        }
        return columns + [String(decoding: column, as: UTF8.self)]
    }
}
