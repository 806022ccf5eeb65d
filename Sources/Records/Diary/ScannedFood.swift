import Core

/// The product number that a photo shows, with the confidence of the barcode.
package struct ScannedFood: Sendable, Hashable {
    package var gtin: GTIN
    package var confidence: Double

    /// Nil if no barcode of the photo is a product number.
    package init?(_ outcome: Outcome) {
        let codes = (outcome.readings.barcodes ?? []).compactMap { code in
            code.gtin.flatMap { GTIN($0) }.map { ($0, code.confidence) }
        }
        let known = Set((outcome.products ?? []).filter { $0.name != nil }.compactMap { GTIN($0.gtin) })
        let best = codes.max { (known.contains($0.0) ? 1 : 0, $0.1) < (known.contains($1.0) ? 1 : 0, $1.1) }
        guard let best = best ?? known.first.map({ ($0, outcome.confidence.score) }) else { return nil }
        (gtin, confidence) = best
    }
}
