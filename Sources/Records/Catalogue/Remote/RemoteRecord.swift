import Foundation
import Core

/// One product of a server's answer, with Open Food Facts' field names.
struct RemoteRecord {
    /// JSON of the product alone, as cached.
    let text: String
    let product: CatalogueProduct

    /// Nil if the JSON has no valid product number or no name.
    init?(_ text: String) {
        let reader = JSONRecordReader(ImportFormat.offJSONL.keys)
        guard let texts = reader.texts(of: text),
            case .product(let product) = RecordReading(format: .offJSONL, numbers: nil).verdict(on: texts)
        else {
            return nil
        }
        self.text = text
        self.product = product
    }

    private init?(_ object: Any?) {
        guard let object = object as? [String: Any],
            let data = try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys])
        else { return nil }
        self.init(String(decoding: data, as: UTF8.self))
    }

    /// The result of `GET /api/v2/product/{code}`.
    enum Verdict {
        case known(RemoteRecord)
        case unknown
        case garbled
    }

    /// - Parameter gtin: the requested number; an answer with another number is rejected.
    static func verdict(_ body: Data, on gtin: GTIN) -> Verdict {
        guard let answer = try? JSONSerialization.jsonObject(with: body) as? [String: Any] else { return .garbled }
        if (answer["status"] as? NSNumber)?.intValue == 0 { return .unknown }
        guard let record = RemoteRecord(answer["product"]), record.product.digits == gtin.digits else {
            // A record without a name is treated as unknown, because another request gives the same answer.
            return (answer["product"] as? [String: Any]).map { isNameless($0, gtin) } == true ? .unknown : .garbled
        }
        return .known(record)
    }

    private static func isNameless(_ product: [String: Any], _ gtin: GTIN) -> Bool {
        let names = ["product_name", "abbreviated_product_name", "generic_name"].compactMap { product[$0] as? String }
        return (product["code"] as? String).flatMap { try? GTIN(ofAnyLength: $0) } == gtin
            && names.allSatisfy { $0.allSatisfy(\.isWhitespace) }
    }

    /// The valid products of a search answer; nil if the answer is malformed.
    static func list(_ body: Data) -> [RemoteRecord]? {
        guard let answer = try? JSONSerialization.jsonObject(with: body) as? [String: Any],
            let products = answer["products"] as? [Any]
        else { return nil }
        return products.compactMap { RemoteRecord($0) }
    }
}
