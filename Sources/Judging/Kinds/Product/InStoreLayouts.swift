import Core

/// How retail chains encode prices and weights in their in-store numbers. Without a layout in
/// `catalogue/in-store-layouts.json` an in-store number carries no such facts.
struct InStoreLayouts: Sendable {
    private let layouts: [Layout]

    struct Layout: Decodable, Sendable {
        enum Kind: String, Decodable { case price, kilograms }

        var name: String
        /// 13 characters: digits must match, `I` item, `V` value, `K` check digit of the value, `C` check digit of
        /// the code.
        var pattern: String
        var kind: Kind
        /// Number of decimal places of the value.
        var decimals: Int
        /// ISO 4217; only for prices.
        var currency: String?
    }

    private struct File: DataFile {
        static let schema = "tablesight.in-store-layouts/1"

        var layouts: [Layout]

        func validate(name: String) throws(DataFileProblem) {
            for (index, layout) in layouts.enumerated() {
                let values = layout.pattern.count { $0 == "V" }
                try DataFileProblem.check(
                    layout.pattern.count == 13 && layout.pattern.hasSuffix("C") && values > 0
                        && (layout.pattern.contains("VV") || values == 1)
                        && layout.pattern.dropLast().allSatisfy { "IVK0123456789".contains($0) },
                    "layouts[\(index)].pattern", "\(layout.pattern) is no pattern of 13 characters")
                try DataFileProblem.check(
                    (0...values).contains(layout.decimals), "layouts[\(index)].decimals",
                    "\(layout.decimals) of \(values) digits")
            }
        }
    }

    /// Loads the layouts; none if the file does not exist.
    /// - Throws: ``StartupError`` with the invalid layout.
    init(models: ModelFolder) throws {
        let path = "catalogue/in-store-layouts.json"
        guard try models.names(in: "catalogue", withExtension: "json").contains("in-store-layouts.json") else {
            layouts = []
            return
        }
        layouts = try models.load(File.self, from: path).layouts
    }

    /// The facts by the first matching layout; nil if no layout matches.
    func facts(in gtin: GTIN) -> PackFacts? {
        let digits = gtin.digits.dropFirst()
        guard gtin.digits.hasPrefix("0"),
            let layout = layouts.first(where: { layout in
                zip(layout.pattern, digits).allSatisfy { sign, digit in !("0"..."9").contains(sign) || sign == digit }
            })
        else { return nil }
        let value = String(zip(layout.pattern, digits).filter { $0.0 == "V" }.map(\.1))
        let text = value.dropLast(layout.decimals).drop { $0 == "0" }
        let amount =
            (text.isEmpty ? "0" : String(text)) + (layout.decimals > 0 ? "." + value.suffix(layout.decimals) : "")
        var facts = PackFacts()
        switch layout.kind {
        case .price: facts.price = PackFacts.Price(amount: amount, currency: layout.currency)
        case .kilograms: facts.kilograms = Double(amount)
        }
        return facts
    }
}
