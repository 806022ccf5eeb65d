import Core
import CSimdjson
import Glibc

/// Extracts the imported fields of JSON objects, without decoding the others: a record has hundreds, an import needs
/// twenty.
///
/// Not `Sendable`: one thread uses a reader.
final class JSONRecordReader {
    private let reader: OpaquePointer?
    private var found = [cjson_text](repeating: cjson_text(), count: ImportField.allCases.count)

    /// Bytes that must be readable after every record.
    static let padding = cjson_padding()

    /// - Parameter keys: the source's names of the fields.
    init(_ keys: [(String, ImportField)]) {
        let names = keys.map { strdup($0.0) }
        defer { names.forEach { free($0) } }
        let fields = keys.map { Int32($0.1.rawValue) }
        reader = cjson_reader_create(names.map { UnsafePointer($0) }, fields, keys.count, ImportField.allCases.count)
    }

    deinit { cjson_reader_destroy(reader) }

    /// Nil if the range is not a complete JSON object.
    ///
    /// - Parameter bytes: hold at least ``padding`` bytes after the range.
    func texts(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> ImportTexts? {
        guard range.upperBound + Self.padding <= bytes.count else { return nil }
        if let texts = texts(UnsafeBufferPointer(rebasing: bytes[range])) { return texts }
        // A record of an old export may hold bytes that are not UTF-8: they become U+FFFD.
        let text = String(decoding: bytes[range], as: UTF8.self)
        guard text.utf8.count != range.count else { return nil }
        return texts(of: text)
    }

    /// Nil if the text is not a complete JSON object.
    func texts(of text: String) -> ImportTexts? {
        let padded = Array(text.utf8) + [UInt8](repeating: 0x20, count: Self.padding)
        return padded.withUnsafeBufferPointer { texts(UnsafeBufferPointer(rebasing: $0.dropLast(Self.padding))) }
    }

    private func texts(_ record: UnsafeBufferPointer<UInt8>) -> ImportTexts? {
        guard let reader else { return nil }
        let isComplete = record.withMemoryRebound(to: CChar.self) {
            cjson_read(reader, $0.baseAddress, $0.count, &found)
        }
        guard isComplete else { return nil }
        var texts = ImportTexts()
        for field in ImportField.allCases {
            let text = found[field.rawValue]
            guard let start = text.bytes else { continue }
            let bytes = UnsafeRawBufferPointer(start: start, count: text.length)
            texts[field] = String(decoding: bytes, as: UTF8.self)
        }
        return texts
    }
}

/// How a table of products is written: its dialect, the positions of the wanted columns, and its numbers.
struct SeparatedHeader {
    let dialect: TableDialect
    let numbers: NumberFormat
    /// Records before the first product.
    let records: Int
    private let fields: [ImportField?]

    /// Reads the first records of a file.
    ///
    /// - Returns: nil if the file has no column of product codes; no row is a product without a code.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, _ records: [Range<Int>], _ dialect: TableDialect, _ format: ImportFormat)
    {
        let isNamed = records.first.map { TableDialect.isNaming(bytes[$0]) } == true
        let rows = records.dropFirst(isNamed ? 1 : 0)
        guard let names = rows.first.map({ dialect.fields(bytes, $0) }) else { return nil }
        let known = Dictionary(format.keys, uniquingKeysWith: { first, _ in first })
        let fields = names.map { known[$0] }
        guard fields.contains(.code) else { return nil }
        var numbers = TableNumbers()
        for record in rows.dropFirst() {
            for (field, text) in zip(fields, dialect.fields(bytes, record)) where field?.isFigure == true {
                numbers.add(text, at: "")
            }
        }
        (self.dialect, self.numbers, self.fields) = (dialect, numbers.prevailing, fields)
        self.records = isNamed ? 2 : 1
    }

    func texts(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> ImportTexts {
        var texts = ImportTexts()
        for (field, column) in zip(fields, dialect.fields(bytes, range)) {
            if let field, !column.isEmpty, texts[field]?.isEmpty ?? true { texts[field] = column }
        }
        return texts
    }
}
