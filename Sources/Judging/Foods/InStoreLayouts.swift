import Core

/// How shops of one chain or country write prices and weights into their own numbers. Nothing is assumed: without a layout
/// in `catalogue/in-store-layouts.json` such a number says nothing.
struct InStoreLayouts: Sendable {
    private let layouts: [Layout]

    struct Layout: Decodable, Sendable {
        enum Kind: String, Decodable { case price, kilograms }

        var name: String
        /// 13 signs: digits that must match, `I` item, `V` value, `K` a check digit of the value, `C` the code's check digit.
        var pattern: String
        var kind: Kind
        /// Digits of the value after the decimal point.
        var decimals: Int
        /// ISO 4217, of prices.
        var currency: String?
    }

    private struct File: Decodable {
        var schema: String
        var layouts: [Layout]
    }

    /// Without that file there are none.
    /// - Throws: ``StartupError`` that says which layout is wrong.
    init(models: ModelFolder) throws {
        let path = "catalogue/in-store-layouts.json"
        guard try models.names(in: "catalogue", withExtension: "json").contains("in-store-layouts.json") else {
            layouts = []
            return
        }
        let file = try models.load(File.self, from: path)
        func refusal(_ what: String) -> StartupError {
            StartupError(.configuration, "\(models.url.appending(path: path).path): \(what); correct it")
        }
        guard file.schema == "tablesight.in-store-layouts/1" else {
            throw refusal("schema is \(file.schema), not tablesight.in-store-layouts/1")
        }
        for layout in file.layouts {
            let values = layout.pattern.count { $0 == "V" }
            guard layout.pattern.count == 13, layout.pattern.hasSuffix("C"), values > 0,
                layout.pattern.contains("VV") || values == 1,
                layout.pattern.dropLast().allSatisfy({ "IVK0123456789".contains($0) }),
                (0...values).contains(layout.decimals)
            else {
                throw refusal(
                    "layout \(layout.name): pattern \(layout.pattern) with \(layout.decimals) decimals is none")
            }
        }
        layouts = file.layouts
    }

    /// What the first layout that fits says of the pack; nil where none does.
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
