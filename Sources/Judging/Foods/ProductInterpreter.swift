import Core

/// Finds the products that a photo's barcodes name.
public struct ProductInterpreter: Sendable {
    private let catalogue: ProductCatalogue
    private let layouts: InStoreLayouts
    private let imported: (any ProductSource)?

    /// Loads the catalogue of `models`.
    /// - Parameter imported: a larger catalogue beside it; the record that is trusted more stands.
    /// - Throws: `StartupError` where a file is missing or wrong.
    public init(models: ModelFolder, imported: (any ProductSource)? = nil) throws {
        catalogue = try ProductCatalogue(models: models)
        layouts = try InStoreLayouts(models: models)
        self.imported = imported
    }

    /// The catalogues' names and versions, `samples@1`.
    public var catalogueVersion: String {
        ([imported?.version, catalogue.version].compactMap(\.self).filter { !$0.isEmpty }).joined(separator: ", ")
    }

    /// One product for each number that retail codes and GS1 Digital Links in QR codes name, in the order of the barcodes.
    ///
    /// A code whose check digit is wrong names nothing and is not looked up. A number that no product can have comes back
    /// with the reason `restrictedPrefix`, one that the catalogue lacks with `notInCatalogue`.
    /// Nothing here says that an allergen is absent. What else on the photo speaks for the number stands in `agreement`.
    /// Where a valid number is printed at bars that say another one, both products come, each with that disagreement.
    public func products(in readings: Readings) -> [Product] {
        let witnesses = CodeWitnesses(readings)
        let bars = Dictionary(
            (readings.barcodes ?? []).map { ($0.text, $0.confidence) }, uniquingKeysWith: { first, _ in first })
        var seen: Set<GTIN> = []
        return witnesses.barcodes(readings).flatMap { code -> [Product] in
            guard let (gtin, pack) = code.named, seen.insert(gtin).inserted else { return [] }
            var product = product(gtin)
            product.pack = pack ?? (product.reason == "restrictedPrefix" ? layouts.facts(in: gtin) : nil)
            product.agreement = witnesses.agreement(on: code, bars: bars[code.text] ?? 0, record: product)
            guard let printed = witnesses.disputed(code), seen.insert(printed).inserted else { return [product] }
            var other = self.product(printed)
            other.agreement = witnesses.agreement(onPrintBeside: code, record: other)
            return [product, other]
        }
    }

    /// The codes of a photo after the print beside them was heard: with more confidence where it says the same, with less
    /// where it says something else; and those that the bars alone did not prove where print does.
    public func barcodes(in readings: Readings) -> [BarcodeReading] { CodeWitnesses(readings).barcodes(readings) }

    /// The numbers that a photo's codes give to products and no catalogue of `models` has, in the order of the barcodes:
    /// what another server may be asked for.
    public func numbers(in readings: Readings) -> [GTIN] {
        var seen: Set<GTIN> = []
        let witnesses = CodeWitnesses(readings)
        return witnesses.barcodes(readings).flatMap { code in
            [code.named?.gtin, witnesses.disputed(code)].compactMap(\.self)
        }.filter {
            RestrictedPrefix($0) == nil && catalogue[$0] == nil && seen.insert($0).inserted
        }
    }

    private func product(_ gtin: GTIN) -> Product {
        guard RestrictedPrefix(gtin) == nil else { return Product(gtin: gtin.digits, reason: "restrictedPrefix") }
        // The word that is trusted more stands; of two alike, the larger catalogue's.
        let known = [
            imported?.product(gtin), catalogue[gtin]?.product(gtin, asOf: catalogue.day),
        ].compactMap(\.self)
        let weight = { (product: Product) in product.trust?.probability ?? 0 }
        guard let most = known.map(weight).max(), let product = known.first(where: { weight($0) == most }) else {
            return Product(gtin: gtin.digits, reason: "notInCatalogue")
        }
        return product
    }
}

/// A catalogue that knows more products than the samples, such as an imported one.
public protocol ProductSource: Sendable {
    /// As outcomes carry it; empty where it knows nothing.
    var version: String { get }
    /// Nil where it has no record of this number. The same on every day: ages are counted to the day of the catalogue.
    func product(_ gtin: GTIN) -> Product?
}

extension BarcodeReading {
    /// The number that the code gives to a product and what it says of the pack; nil for codes that are for other things
    /// than selling.
    fileprivate var named: (gtin: GTIN, pack: PackFacts?)? {
        func filled(_ facts: PackFacts) -> PackFacts? { facts.isEmpty ? nil : facts }
        if let link = DigitalLink(text) { return (link.gtin, filled(link.facts)) }
        // Element strings are believed where the symbol itself promises them.
        let isGS1 = isGS1 == true || format == "DataBar Expanded"
        if isGS1, let elements = ElementString(text)?.elements, let gtin = elements.gtin {
            return (gtin, filled(elements.facts))
        }
        let retail = ["EAN-", "UPC-", "ISBN-", "DataBar"].contains(where: format.hasPrefix)
        return retail ? gtin.flatMap { GTIN($0) }.map { ($0, nil) } : nil
    }
}

extension ProductRecord {
    /// What an outcome says of the product: the declared allergens as findings, each with the record's own words.
    fileprivate func product(_ gtin: GTIN, asOf day: CalendarDay) -> Product {
        func findings(_ allergens: [Allergen], _ polarity: AllergenFinding.Polarity, _ words: String?)
            -> [AllergenFinding]
        {
            allergens.map {
                AllergenFinding(
                    allergen: $0, polarity: polarity, strength: .declared,
                    evidence: [.init(text: words ?? "", language: language, ruleId: "catalogue", lexeme: $0.rawValue)],
                    probability: trust.probability)
            }
        }
        let days = max(0, day.number - recorded.number)
        return Product(
            gtin: gtin.digits, name: name, brand: brand, trust: trust, age: "P\(days)D", recorded: recorded.text,
            ingredients: ingredients,
            findings: findings(contains, .contains, containsText) + findings(mayContain, .mayContain, mayContainText))
    }
}

extension Product.Trust {
    /// Probability that what such a record declares holds. Set by judgement, to be replaced once corrections are counted.
    public var probability: Double {
        switch self {
        case .producer: 0.97
        case .retailer: 0.9
        case .crowd: 0.7
        }
    }
}
