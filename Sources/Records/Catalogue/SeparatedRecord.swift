import Core

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
