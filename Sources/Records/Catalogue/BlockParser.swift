import Core

/// What one block of a file came to.
struct ParsedBlock: Sendable {
    var products: [CatalogueProduct] = []
    var rejected: [RejectionReason: Int] = [:]
    var examples: [RejectionReason: String] = [:]
    /// Where the next block begins.
    var offset = 0
    /// Bytes of the file on disk that were used so far.
    var consumed = 0
}

/// Turns blocks of records into products.
///
/// Unchecked: only the thread of `ParsedBlocks` uses it once an import has begun.
final class BlockParser: @unchecked Sendable {
    private let format: ImportFormat
    private let reading: RecordReading
    private let keys: JSONRecord.Keys
    private var header: SeparatedHeader?

    /// - Parameter header: the first line of a separated file that is read from the middle.
    init(format: ImportFormat, header: [UInt8]?) {
        self.format = format
        reading = RecordReading(format: format)
        keys = JSONRecord.Keys(format.keys)
        self.header = header?.withUnsafeBufferPointer { [keys = format.keys] in
            SeparatedHeader($0, 0..<$0.count, keys: keys)
        }
    }

    /// - Throws: ``StartupError`` where a separated file's header names no code, or the file is damaged.
    func next(from source: RecordSource) throws -> ParsedBlock? {
        guard let (bytes, records) = try source.next() else { return nil }
        var block = ParsedBlock()
        block.offset = source.offset
        block.consumed = source.consumed
        block.products.reserveCapacity(records.count)
        try bytes.withUnsafeBufferPointer { bytes in
            for record in records {
                guard let texts = try texts(bytes, record) else { continue }
                switch texts {
                case .failure: reject(.malformed, bytes, record, &block)
                case .success(let texts):
                    switch reading.verdict(on: texts) {
                    case .product(let product): block.products.append(product)
                    case .rejected(let reason): reject(reason, bytes, record, &block)
                    }
                }
            }
        }
        return block
    }

    private struct Malformed: Error {}

    /// Nil for a line that is no record: a header, or the brackets around a list.
    private func texts(_ bytes: UnsafeBufferPointer<UInt8>, _ record: Range<Int>) throws -> Result<
        ImportTexts, Malformed
    >? {
        if format.isJSON {
            if record.count < 40, Self.isBracket(bytes[record]) { return nil }
            return JSONRecord(bytes, record, keys: keys).map { .success($0.texts) } ?? .failure(Malformed())
        }
        guard let header else {
            guard let header = SeparatedHeader(bytes, record, keys: format.keys) else {
                throw StartupError(
                    .badInput,
                    "the first line names no column of codes: this is no \(format.rawValue) file, try --format")
            }
            self.header = header
            return nil
        }
        return .success(header.texts(bytes, record))
    }

    /// `{"BrandedFoods": [` and `]}`, as USDA's file begins and ends.
    private static func isBracket(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let text = String(decoding: line, as: UTF8.self).filter { !$0.isWhitespace }
        return text == "]" || text == "]}" || text == "[" || text.hasSuffix("\":[")
    }

    private func reject(
        _ reason: RejectionReason, _ bytes: UnsafeBufferPointer<UInt8>, _ record: Range<Int>, _ block: inout ParsedBlock
    ) {
        block.rejected[reason, default: 0] += 1
        if block.examples[reason] == nil {
            block.examples[reason] = String(decoding: bytes[record].prefix(120), as: UTF8.self)
        }
    }
}
