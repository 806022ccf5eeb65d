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
        photo.readings.barcodes.map { _ in !foods.barcodes(in: photo.readings).isEmpty || photo.forced == domain }
            ?? false
    }

    package func judge(_ photo: KindInput, into outcome: inout Outcome) {
        outcome.readings.barcodes = foods.barcodes(in: photo.readings)
        let products = foods.products(in: photo.readings)
        guard !products.isEmpty else { return }
        outcome.products = judged(products, beside: outcome.label, for: photo.profiles)
        // A label and a single product are the same thing, unless they disagree.
        if let label = outcome.label, outcome.products?.count == 1, outcome.products?[0].agreement?.label != .disagrees
        {
            outcome.products?[0].fromPhoto = Product.PackageReading(nutrition: label.nutrition, dates: label.dates)
        }
    }

    package static func claims(in outcome: Outcome) -> [Claim] {
        outcome.domains.contains(domain)
            ? [Claim("barcode", Mean.of(outcome.readings.barcodes?.map(\.confidence) ?? []))] : []
    }

    /// Judges products by their records and the label beside them.
    func judged(_ products: [Product], beside label: Label?, for profiles: [AllergenProfile]) -> [Product] {
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
            product.verdicts = verdicts
            return product
        }
    }

    /// Adds findings from the ingredient text of the record, and the warnings of other records of its number.
    private func withWarnings(_ product: Product) -> Product {
        var product = product
        product.findings = recordFindings(product)
        for other in foods.otherRecords(of: product) {
            product.findings += recordFindings(other).filter { finding in
                [.contains, .mayContain, .likely].contains(finding.polarity)
                    && !product.findings.contains {
                        $0.allergen == finding.allergen && [.contains, finding.polarity].contains($0.polarity)
                    }
            }
        }
        return product
    }

    /// What a record declares, and what only its ingredient text names.
    private func recordFindings(_ record: Product) -> [AllergenFinding] {
        guard let ingredients = record.ingredients else { return record.findings }
        let declared = Set(record.findings.map(\.allergen))
        return record.findings
            + allergens.productFindings(ingredients: ingredients, declared: [])
            .filter { !declared.contains($0.allergen) }
    }
}
