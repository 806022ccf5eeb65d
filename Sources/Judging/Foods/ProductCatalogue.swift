import Core

/// The products of one catalogue file by number.
struct ProductCatalogue: Sendable {
    /// Name and version of the file, `samples@1`.
    let version: String
    /// The date of the newest record. Ages of records are counted to this day.
    let day: CalendarDay
    private let records: [GTIN: ProductRecord]

    /// Reads and checks `catalogue/samples.json`.
    /// - Throws: `StartupError` with the file, the product and the remedy.
    init(models: ModelFolder) throws {
        let path = "catalogue/samples.json"
        let file = try models.load(File.self, from: path)
        func refusal(_ what: String) -> StartupError {
            StartupError(
                .configuration, "\(models.url.appending(path: path).path): \(what); correct it or restore the file")
        }
        guard file.schema == "tablesight.catalogue/1" else {
            throw refusal("schema is \(file.schema), not tablesight.catalogue/1")
        }
        for (key, value) in [
            ("name", file.name), ("version", file.version), ("source", file.source), ("licence", file.licence),
        ] where value.isBlank { throw refusal("\(key) is empty") }
        var records: [GTIN: ProductRecord] = [:]
        for (index, record) in file.products.enumerated() {
            let place = "products[\(index)] (\(record.gtin))"
            if let fault = record.fault { throw refusal("\(place): \(fault)") }
            guard let gtin = GTIN(record.gtin), records.updateValue(record, forKey: gtin) == nil else {
                throw refusal("\(place): duplicate product")
            }
        }
        self.version = "\(file.name)@\(file.version)"
        self.records = records
        day = records.values.map(\.recorded).max { $0.number < $1.number } ?? CalendarDay(number: 0)
    }

    subscript(gtin: GTIN) -> ProductRecord? { records[gtin] }

    private struct File: Decodable {
        var schema: String
        var name: String
        var version: String
        var source: String
        var licence: String
        var products: [ProductRecord]
    }
}
