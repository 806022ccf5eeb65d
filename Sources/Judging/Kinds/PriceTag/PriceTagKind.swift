import Allergens
import Core
import Documents

/// The price of a product at a shelf.
package struct PriceTagKind: PhotoKind {
    package static let domain = Outcome.Domain.priceTag
    let allergens: AllergenInterpreter
    let documents: DocumentReader

    package init(_ readers: KindReaders) { (allergens, documents) = (readers.allergens, readers.documents) }

    package func evidence(on print: PagePrint) -> Features {
        documents.tagEvidence(on: print.rows, retailCodes: print.retailCodes)
    }

    package func judge(_ photo: KindInput, into outcome: inout Outcome) {
        guard let print = photo.print else { return }
        var tags = documents.priceTags(from: print.reading, page: print.rows, barcodes: print.barcodes)
        for index in tags.indices { allergens.judge(&tags[index], for: photo.profiles) }
        outcome.priceTag = tags.first
        outcome.priceTags = tags.count > 1 ? tags : nil
    }

    package static func values(in outcome: Outcome) -> [NamedValue] { outcome.allPriceTags.flatMap(\.values) }

    package static func claims(in outcome: Outcome) -> [Claim] {
        outcome.priceTag.map { [Claim("priceTag", $0.price?.confidence ?? 0)] } ?? []
    }
}
