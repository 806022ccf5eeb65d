import Core

/// Finds the products of a photo's barcodes.
package struct ProductInterpreter: Sendable {
    private let catalogue: SampleProducts
    private let layouts: InStoreLayouts
    private let imported: (any ProductSource)?

    /// Loads the sample catalogue of `models`.
    /// - Parameter imported: a larger catalogue; the more trusted record takes precedence.
    /// - Throws: `StartupError` if a file is missing or invalid.
    package init(models: ModelFolder, imported: (any ProductSource)? = nil) throws {
        catalogue = try SampleProducts(models: models)
        layouts = try InStoreLayouts(models: models)
        self.imported = imported
    }

    /// Names and versions of the catalogues, `samples@2`.
    package var catalogueVersion: String {
        ([imported?.version, catalogue.version].compactMap(\.self).filter { !$0.isEmpty }).joined(separator: ", ")
    }

    /// One product for each number in retail codes and GS1 Digital Links, in the order of the barcodes.
    ///
    /// A code with a wrong check digit gives no product. A number in a restricted range has the reason
    /// `restrictedPrefix`, an unknown number `notInCatalogue`. No product states that an allergen is absent.
    /// `agreement` holds the cross-checks with the rest of the photo. If a valid printed number differs from the
    /// bars, or the bars may be of another number too, both products are returned, each with low confidence.
    package func products(in readings: Readings) -> [Product] {
        let crossChecks = crossChecks(readings)
        let bars = Dictionary(
            (readings.barcodes ?? []).map { ($0.text, $0.confidence) }, uniquingKeysWith: { first, _ in first })
        var seen: Set<GTIN> = []
        return crossChecks.barcodes().flatMap { code -> [Product] in
            guard let (gtin, pack) = code.named, seen.insert(gtin).inserted else { return [] }
            var product = product(gtin)
            product.pack = pack ?? (product.reason == "restrictedPrefix" ? layouts.facts(in: gtin) : nil)
            var read = code
            read.confidence = bars[code.text] ?? 0
            product.agreement = crossChecks.agreement(on: read, bars: read.confidence, record: product)
            let others = [crossChecks.contradictingNumber(code)] + crossChecks.rivals(of: code).map { $0.named?.gtin }
            return [product]
                + others.compactMap(\.self).filter { seen.insert($0).inserted }.map { number in
                    var other = self.product(number)
                    other.agreement = crossChecks.agreement(on: number, insteadOf: read, record: other)
                    return other
                }
        }
    }

    private func crossChecks(_ readings: Readings) -> CodeCrossChecks {
        CodeCrossChecks(readings) { product($0).reason == nil }
    }

    /// The codes of a photo, cross-checked against printed digits. Matching digits raise the confidence and differing
    /// digits lower it. Doubtful codes are included if printed digits confirm them.
    package func barcodes(in readings: Readings) -> [BarcodeReading] { crossChecks(readings).barcodes() }

    /// Product numbers on the photo that no catalogue has, in the order of the barcodes. Another server may know
    /// them.
    package func numbers(in readings: Readings) -> [GTIN] {
        var seen: Set<GTIN> = []
        let crossChecks = crossChecks(readings)
        return crossChecks.barcodes().flatMap { code in
            [code.named?.gtin, crossChecks.contradictingNumber(code)]
                + crossChecks.rivals(of: code).map { $0.named?.gtin }
        }.compactMap(\.self).filter {
            RestrictedPrefix($0) == nil && catalogue[$0] == nil && seen.insert($0).inserted
        }
    }

    /// The record of a number, or the reason why it has no record.
    package func product(_ gtin: GTIN) -> Product {
        guard RestrictedPrefix(gtin) == nil else { return Product(gtin: gtin.digits, reason: "restrictedPrefix") }
        return records(gtin).first ?? Product(gtin: gtin.digits, reason: Product.unknown)
    }

    /// The records of the product's number that the product was not made from. Their warnings count too: the more
    /// trusted record may be older or may state no allergens.
    package func otherRecords(of product: Product) -> [Product] {
        guard product.reason == nil, let gtin = GTIN(product.gtin) else { return [] }
        return Array(records(gtin).dropFirst())
    }

    /// All records of a number. The most trusted is first; of equal ones, that of the larger catalogue.
    private func records(_ gtin: GTIN) -> [Product] {
        let all =
            (imported?.products(gtin) ?? []) + [catalogue[gtin]?.product(gtin, asOf: catalogue.day)].compactMap(\.self)
        let weights = all.map { $0.trust?.probability ?? 0 }
        return all.indices.sorted { (-weights[$0], $0) < (-weights[$1], $1) }.map { all[$0] }
    }
}

/// A catalogue with more products than the samples, such as an imported one.
package protocol ProductSource: Sendable {
    /// The version for outcomes; empty if the catalogue is empty.
    var version: String { get }
    /// The records of this number, the preferred one first. Ages are counted to the day of the catalogue, so the result
    /// does not depend on the current date.
    func products(_ gtin: GTIN) -> [Product]
}

extension BarcodeReading {
    /// The product number and the pack facts of the code; nil for codes that do not identify products.
    fileprivate var named: (gtin: GTIN, pack: PackFacts?)? {
        func filled(_ facts: PackFacts) -> PackFacts? { facts.isEmpty ? nil : facts }
        if let link = DigitalLink(text) { return (link.gtin, filled(link.facts)) }
        // Element strings are accepted only if the symbol declares them.
        let isGS1 = isGS1 == true || format == "DataBar Expanded"
        if isGS1, let elements = ElementString(text)?.elements, let gtin = elements.gtin {
            return (gtin, filled(elements.facts))
        }
        let retail = ["EAN-", "UPC-", "ISBN-", "DataBar"].contains(where: format.hasPrefix)
        return retail ? gtin.flatMap { GTIN($0) }.map { ($0, nil) } : nil
    }
}

extension ProductRecord {
    /// The product for an outcome. Declared allergens become findings with the words of the record.
    fileprivate func product(_ gtin: GTIN, asOf day: Day) -> Product {
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
            gtin: gtin.digits, name: name, brand: brand, trust: trust, age: "P\(days)D", recorded: recorded.description,
            ingredients: ingredients,
            findings: findings(contains, .contains, containsText) + findings(mayContain, .mayContain, mayContainText))
    }
}

extension Product.Trust {
    /// Probability that a declaration from this source is correct. An expert estimate until enough corrections are
    /// counted.
    package var probability: Double {
        switch self {
        case .producer: 0.97
        case .retailer: 0.9
        case .crowd: 0.7
        }
    }
}
