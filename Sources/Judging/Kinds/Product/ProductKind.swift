import Allergens
import Core

/// Barcodes, and the products that they name.
package struct ProductKind: PhotoKind {
    package static let domain = Outcome.Domain.barcode
    package static let isPage = false
    let allergens: AllergenInterpreter
    let foods: ProductInterpreter

    package init(_ readers: KindReaders) { (allergens, foods) = (readers.allergens, readers.foods) }

    package func isHeld(by photo: KindInput) -> Bool {
        photo.reviews.namedProduct != nil
            || photo.readings.barcodes.map { _ in !foods.barcodes(in: photo.readings).isEmpty || photo.forced == domain
            }
                ?? false
    }

    package func judge(_ photo: KindInput, into outcome: inout Outcome) {
        if photo.readings.barcodes != nil { outcome.readings.barcodes = foods.barcodes(in: photo.readings) }
        let products = named(foods.products(in: photo.readings), by: photo.reviews)
        guard !products.isEmpty else { return }
        let tags = outcome.allPriceTags
        outcome.products = judged(products, beside: outcome.label, for: photo.profiles) {
            tags.tag(of: $0)?.product?.value
        }
        // A label and a single product are the same thing, unless they disagree.
        if let label = outcome.label, outcome.products?.count == 1, outcome.products?[0].agreement?.label != .disagrees
        {
            outcome.products?[0].fromPhoto = Product.PackageReading(nutrition: label.nutrition, dates: label.dates)
        }
    }

    /// The products with the one that a person named. Bars on the photo go before a number that somebody gave it.
    private func named(_ products: [Product], by reviews: [Review]) -> [Product] {
        guard let (gtin, name) = reviews.namedProduct else { return products }
        var products = products.isEmpty ? [foods.product(gtin)] : products
        for index in products.indices where GTIN(products[index].gtin) == gtin && products[index].name == nil {
            products[index].name = name
        }
        return products
    }

    package static func claims(in outcome: Outcome) -> [Claim] {
        outcome.domains.contains(domain)
            ? [Claim("barcode", Mean.of(outcome.readings.barcodes?.map(\.confidence) ?? []))] : []
    }

    /// Judges products by their records, the label beside them, and their names elsewhere.
    ///
    /// - Parameter name: what a product is called on its price tag or on a list; nil where it has no other name.
    func judged(
        _ products: [Product], beside label: Label?, for profiles: [AllergenProfile], named name: (Product) -> String?
    ) -> [Product] {
        products.map { product in
            var product = withWarnings(product)
            var verdicts = allergens.verdicts(
                on: product, beside: foods.otherRecords(of: product).compactMap(\.ingredients), profiles: profiles)
            // A label and a single product are the same thing, unless the label disagrees.
            if let label, products.count == 1, product.agreement?.label != .disagrees {
                let contradictions = Product.Contradiction.all(record: verdicts, label: label.verdicts)
                product.contradictions = contradictions.isEmpty ? nil : contradictions
                verdicts.mergeWarnings(from: label.verdicts)
            }
            if let name = name(product) {
                verdicts.mergeWarnings(
                    from: allergens.verdicts(
                        onName: name, isAlone: product.ingredients == nil, profiles: profiles))
            }
            product.verdicts = verdicts
            return product
        }
    }

    /// Adds findings from the text of the record, and the warnings of other records of its number.
    private func withWarnings(_ product: Product) -> Product {
        var product = product
        product.findings = recordFindings(product)
        for other in foods.otherRecords(of: product) {
            product.findings.addWarnings(
                of: recordFindings(other).filter { [.contains, .mayContain, .likely].contains($0.polarity) })
        }
        return product
    }

    /// What a record declares, and what its ingredient text and its name say besides.
    private func recordFindings(_ record: Product) -> [AllergenFinding] {
        var findings = record.findings
        if let ingredients = record.ingredients {
            findings.addWarnings(of: allergens.productFindings(ingredients: ingredients, declared: []))
        }
        if let name = record.name {
            findings.addWarnings(of: allergens.findings(inName: name, isAlone: record.ingredients == nil))
        }
        return findings
    }
}

extension [AllergenFinding] {
    /// Adds what is not said yet: an allergen that is contained, or said in the same way, is known.
    fileprivate mutating func addWarnings(of others: [AllergenFinding]) {
        let own = self
        self += others.filter { finding in
            !own.contains { $0.allergen == finding.allergen && [.contains, finding.polarity].contains($0.polarity) }
        }
    }
}
