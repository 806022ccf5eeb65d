import Core

/// The products of one block of a file.
struct ParsedBlock: Sendable {
    var products: [CatalogueProduct] = []
    var rejected: [RejectionReason: Int] = [:]
    var examples: [RejectionReason: String] = [:]
    /// Start of the next block, in bytes of the uncompressed file.
    var offset = 0
    /// Bytes of the file on disk that were read.
    var consumed = 0
}

/// Parses blocks of records to products.
///
/// Unchecked `Sendable`: one thread owns it. The import creates it and hands it to the thread of `ParsedBlocks`.
final class BlockParser: @unchecked Sendable {
    private let format: ImportFormat
    private let reading: RecordReading
    private let records: JSONRecordReader
    private let header: SeparatedHeader?
    /// Records of the first block that are no products.
    private var headRecords: Int

    /// - Parameters:
    ///   - header: of a separated file.
    ///   - isResumed: true if the file is read from the middle.
    init(format: ImportFormat, header: SeparatedHeader?, isResumed: Bool) {
        self.format = format
        reading = RecordReading(format: format, numbers: header?.numbers)
        records = JSONRecordReader(format.keys)
        self.header = header
        headRecords = isResumed ? 0 : header?.records ?? 0
    }

    func next(from source: RecordSource) throws -> ParsedBlock? {
        guard let (bytes, all) = try source.next() else { return nil }
        let records = all.dropFirst(headRecords)
        headRecords = 0
        var block = ParsedBlock()
        block.offset = source.offset
        block.consumed = source.consumed
        block.products.reserveCapacity(records.count)
        bytes.withUnsafeBufferPointer { bytes in
            for record in records {
                guard let texts = texts(bytes, record) else { continue }
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

    /// Nil for a bracket around a list.
    private func texts(_ bytes: UnsafeBufferPointer<UInt8>, _ record: Range<Int>) -> Result<ImportTexts, Malformed>? {
        if let header { return .success(header.texts(bytes, record)) }
        if record.count < 40, Self.isBracket(bytes[record]) { return nil }
        return records.texts(bytes, record).map { .success($0) } ?? .failure(Malformed())
    }

    /// True for `{"BrandedFoods": [` and `]}`, the first and last lines of USDA's file.
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
