/// The products of the sample catalogue, `models/catalogue/samples.json`, by number.
package struct SampleProducts: Sendable {
    package static let schema = "tablesight.catalogue/1"

    /// Name and version of the file, `samples@2`.
    package let version: String
    /// The date of the newest record. Ages of records are counted to this day.
    package let day: Day
    /// In the order of the file.
    package let all: [ProductRecord]
    private let records: [GTIN: ProductRecord]

    /// Reads and checks the file.
    /// - Throws: `StartupError` with the file, the product and the remedy.
    package init(models: ModelFolder) throws {
        let file = try models.load(File.self, from: "catalogue/samples.json")
        version = "\(file.name)@\(file.version)"
        all = file.products
        records = Dictionary(
            file.products.compactMap { record in GTIN(record.gtin).map { ($0, record) } },
            uniquingKeysWith: { first, _ in first })
        day = records.values.map(\.recorded).max { $0.number < $1.number } ?? Day(number: 0)
    }

    package subscript(gtin: GTIN) -> ProductRecord? { records[gtin] }

    private struct File: DataFile {
        static let schema = SampleProducts.schema

        var name: String
        var version: String
        var products: [ProductRecord]

        func validate(name: String) throws(DataFileProblem) {
            try DataFileProblem.check(!self.name.isBlank, "name", "empty")
            var known: Set<GTIN> = []
            for (index, record) in products.enumerated() {
                let place = "products[\(index)] (\(record.gtin))"
                if let fault = record.fault { throw DataFileProblem(place, fault) }
                guard let gtin = GTIN(record.gtin), known.insert(gtin).inserted else {
                    throw DataFileProblem(place, "duplicate product")
                }
            }
        }
    }
}
