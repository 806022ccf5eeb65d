import Foods
import Core
import Foundation
import GRDB

/// One price as Open Prices spells it, in its API (`/api/v1/prices`) and its JSON lines.
struct OpenPrice: Codable {
    var id: Int64?
    var type: String?
    var productCode: String?
    var productName: String?
    var categoryTag: String?
    var price: Decimal?
    var priceIsDiscounted: Bool?
    /// `KILOGRAM` or `UNIT`; only for categories.
    var pricePer: String?
    var currency: String?
    var date: String?
    var locationOsmId: Int64?
    var locationOsmType: String?
    var locationId: Int64?
    var location: Location?
    var product: Product?
    var proof: Proof?
    var owner: String?

    struct Location: Codable {
        var id: Int64?
        /// The identity of a place that is not on the map, in files that Tablesight wrote.
        var uid: String?
        var osmId: Int64?
        var osmType: String?
        var osmName: String?
        var osmDisplayName: String?
        var osmAddressPostcode: String?
        var osmAddressCity: String?
        var osmAddressCountry: String?
        var osmLat: Double?
        var osmLon: Double?
    }

    struct Product: Codable {
        var code: String?
        var productName: String?
        var brands: String?
        var productQuantity: Decimal?
        var productQuantityUnit: String?
        var imageUrl: String?
    }

    struct Proof: Codable {
        /// `PRICE_TAG`, `RECEIPT`, `GDPR_REQUEST` or `SHOP_IMPORT`.
        var type: String?
    }

    static let decoder: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }()

    static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()
}

package struct PriceImportReport: Sendable, Hashable, Codable {
    package var imported: Int
    /// Imported before.
    package var known: Int
    /// Outliers, which wait in review.
    package var waiting: Int
    package var rejected: Int
    /// The first reasons, with the number of the line or of the object.
    package var reasons: [String]
}

extension Groceries {
    private static let mostBytes = 4 << 30
    private static let mostReasons = 10
    private static let batch = 2000
    /// A longer row is no price. Rows are decoded one by one, so a file of any size takes little memory.
    private static let mostRowBytes = 1 << 20

    /// Imports prices in Open Prices' format: JSON lines, a JSON array, or a page of its API (`{"items": […]}`).
    /// Importing a file twice changes nothing.
    ///
    /// - Throws: ``GroceryProblem/bad(_:)`` for a file of another form.
    package func importOpenPrices(_ file: URL) throws -> PriceImportReport {
        guard let data = try? Data(contentsOf: file, options: .mappedIfSafe), data.count <= Self.mostBytes else {
            throw GroceryProblem.bad("cannot read \(file.path), or it has more than 4 GiB")
        }
        return try importOpenPrices(data)
    }

    package func importOpenPrices(_ data: Data) throws -> PriceImportReport {
        var report = PriceImportReport(imported: 0, known: 0, waiting: 0, rejected: 0, reasons: [])
        var batch: [(Int, Result<OpenPrice, GroceryProblem>)] = []
        func flush() throws {
            let rows = batch
            batch = []
            guard !rows.isEmpty else { return }
            try store.write { database in for (number, row) in rows { self.add(database, number, row, &report) } }
        }
        func add(_ number: Int, _ json: Data) throws {
            let row = json.count <= Self.mostRowBytes ? try? OpenPrice.decoder.decode(OpenPrice.self, from: json) : nil
            batch.append((number, row.map { .success($0) } ?? .failure(.bad("it is not a price in JSON"))))
            if batch.count == Self.batch { try flush() }
        }
        var number = 0
        if let rows = JSONRows(data) {
            for row in rows {
                number += 1
                try add(number, row)
            }
        } else {
            guard data.first(where: { !JSONRows.blank.contains($0) }) == UInt8(ascii: "{") else {
                throw GroceryProblem.bad("the file is not JSON or JSON lines of Open Prices")
            }
            var start = data.startIndex
            while start < data.endIndex {
                let end = data[start...].firstIndex(of: 0x0A) ?? data.endIndex
                number += 1
                let line = data[start..<end]
                start = end < data.endIndex ? end + 1 : end
                guard !line.allSatisfy(JSONRows.blank.contains) else { continue }
                try add(number, Data(line))
            }
        }
        try flush()
        return report
    }

    private func add(
        _ database: Database, _ number: Int, _ row: Result<OpenPrice, GroceryProblem>, _ report: inout PriceImportReport
    ) {
        do {
            // A savepoint: a row that is refused leaves no product or place behind.
            try database.inSavepoint {
                switch try self.record(database, try self.price(database, try row.get()), isChecked: false) {
                case .accepted: report.imported += 1
                case .waiting: report.waiting += 1
                case .known: report.known += 1
                }
                return .commit
            }
        } catch {
            report.rejected += 1
            if report.reasons.count < Self.mostReasons {
                let reason = (error as? GroceryProblem)?.message ?? "\(error)"
                report.reasons.append("row \(number): \(reason)")
            }
        }
    }

    private func price(_ database: Database, _ row: OpenPrice) throws -> NewPrice {
        guard let currency = row.currency.flatMap({ Currency($0) }) else {
            throw GroceryProblem.bad("it has no currency")
        }
        guard let amount = row.price, let money = Money(price: amount, currency: currency) else {
            throw GroceryProblem.bad("its price is not above 0, or has more than four decimals")
        }
        guard let day = row.date.flatMap({ Day(String($0.prefix(10))) }) else {
            throw GroceryProblem.bad("it has no date")
        }
        let product = try Self.productID(database, try Self.product(row), by: nil)
        let place = try self.placeID(database, try Self.place(row), by: nil)
        let per: PriceUnit = row.productCode == nil && row.pricePer == "KILOGRAM" ? .kilogram : .piece
        let price = NewPrice(
            product: product, place: place, price: money, per: per, isDiscounted: row.priceIsDiscounted ?? false,
            date: day, proof: row.proof?.type == "RECEIPT" || row.proof?.type == "PRICE_TAG" ? .imported : .typed,
            contributor: nil, confidence: 1,
            source: row.id.map { "openprices:\($0)" }
                ?? "openprices:\(product)/\(place)/\(day)/\(money.digits)\(currency)/\(per.rawValue)")
        try check(price)
        return price
    }

    private static func product(_ row: OpenPrice) throws(GroceryProblem) -> NewProduct {
        if let code = row.productCode, !code.isEmpty {
            guard let gtin = try? GTIN(ofAnyLength: code), RestrictedPrefix(gtin) == nil else {
                throw .bad("\(code.prefix(30)) is not a product number of world-wide use")
            }
            let quantity = row.product?.productQuantity.map { "\($0) \(row.product?.productQuantityUnit ?? "g")" }
            let name = [row.product?.productName, row.productName].compactMap { $0 }.first { !$0.isEmpty }
            return NewProduct(
                gtin: gtin.digits, name: name.map { String($0.prefix(200)) } ?? gtin.normalised,
                brand: row.product?.brands.map { String($0.prefix(200)) }, quantity: quantity,
                image: row.product?.imageUrl.flatMap { try? RemoteImages.address($0).absoluteString })
        }
        guard let category = row.categoryTag, !category.isEmpty else {
            throw .bad("it has neither product nor category")
        }
        return NewProduct(category: category)
    }

    private static func place(_ row: OpenPrice) throws(GroceryProblem) -> NewPlace {
        let location = row.location
        let (id, type) = (row.locationOsmId ?? location?.osmId, row.locationOsmType ?? location?.osmType)
        let own = row.locationId ?? location?.id
        let named = location?.uid.flatMap { $0.hasPrefix("osm:") ? nil : $0 }
        let numbered = id.map { "osm:\(type ?? "NODE"):\($0)" } ?? own.map { "openprices:location:\($0)" }
        guard let uid = numbered ?? named else { throw .bad("it has no place") }
        func short(_ text: String?) -> String? { text.map { String($0.prefix(200)) } }
        return NewPlace(
            uid: uid, name: short(location?.osmName) ?? short(location?.osmDisplayName) ?? uid,
            city: short(location?.osmAddressCity), postcode: short(location?.osmAddressPostcode),
            country: short(location?.osmAddressCountry), latitude: location?.osmLat, longitude: location?.osmLon)
    }

    // MARK: Export

    /// Accepted prices as JSON lines in Open Prices' format.
    ///
    /// - Parameters:
    ///   - person: only this person's; nil for all.
    ///   - write: receives whole lines.
    /// - Returns: the number of prices.
    package func exportOpenPrices(by person: String? = nil, to write: (Data) throws -> Void) throws -> Int {
        try store.read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT price.*, product.gtin, product.category, product.name, product.brand,
                        place.uid, place.name AS placeName, place.city, place.postcode, place.country,
                        place.latitude, place.longitude
                    FROM grocery_price AS price JOIN grocery_product AS product ON product.id = price.product
                    JOIN grocery_place AS place ON place.id = price.place
                    WHERE isRejected = 0 AND (?1 IS NULL OR contributor = ?1) ORDER BY price.id
                    """, arguments: [person])
            var (count, lines) = (0, Data())
            while let row = try rows.next() {
                lines += try OpenPrice.encoder.encode(Self.openPrice(row, isOwn: person != nil)) + [0x0A]
                count += 1
                if lines.count > 1 << 20 {
                    try write(lines)
                    lines = Data()
                }
            }
            if !lines.isEmpty { try write(lines) }
            return count
        }
    }

    private static func openPrice(_ row: Row, isOwn: Bool) -> OpenPrice {
        let gtin = (row["gtin"] as Int64?).flatMap { GTIN(number: $0)?.normalised }
        let uid = (row["uid"] as String).split(separator: ":").map(String.init)
        let isMap = uid.count == 3 && uid[0] == "osm"
        let per = PriceUnit(rawValue: row["per"]) ?? .piece
        // Open Prices knows kilograms and units; 100 g are a tenth of a kilogram.
        let parts = (row["amount"] as Int64) * (per == .hundredGrams ? 10 : 1)
        var price = OpenPrice()
        price.id = row["id"]
        price.type = gtin == nil ? "CATEGORY" : "PRODUCT"
        price.productCode = gtin
        price.productName = row["name"]
        price.categoryTag = gtin == nil ? row["category"] : nil
        price.price = Decimal(parts) / 10_000
        price.priceIsDiscounted = row["isDiscounted"]
        price.pricePer = gtin == nil ? (per == .kilogram || per == .hundredGrams ? "KILOGRAM" : "UNIT") : nil
        price.currency = row["currency"]
        price.date = Day(number: row["day"]).description
        price.locationOsmId = isMap ? Int64(uid[2]) : nil
        price.locationOsmType = isMap ? uid[1] : nil
        price.location = OpenPrice.Location(
            uid: isMap ? nil : row["uid"], osmId: price.locationOsmId, osmType: price.locationOsmType,
            osmName: row["placeName"],
            osmAddressPostcode: row["postcode"], osmAddressCity: row["city"], osmAddressCountry: row["country"],
            osmLat: row["latitude"], osmLon: row["longitude"])
        price.proof =
            switch PriceProof(rawValue: row["proof"]) {
            case .receipt: .init(type: "RECEIPT")
            case .priceTag: .init(type: "PRICE_TAG")
            case .typed, .imported, nil: nil
            }
        price.owner = isOwn ? row["contributor"] : nil
        return price
    }
}
