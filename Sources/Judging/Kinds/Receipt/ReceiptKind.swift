import Allergens
import Core
import Documents

/// What was bought, where, when and for how much.
package struct ReceiptKind: PhotoKind {
    package static let domain = Outcome.Domain.receipt
    let allergens: AllergenInterpreter
    let documents: DocumentReader

    package init(_ readers: KindReaders) { (allergens, documents) = (readers.allergens, readers.documents) }

    package func evidence(on print: PagePrint) -> Features { documents.receiptEvidence(on: print.rows) }

    package func judge(_ photo: KindInput, into outcome: inout Outcome) {
        guard var receipt = photo.print.map({ documents.receipt(from: $0.rows) }) else { return }
        allergens.judge(&receipt, for: photo.profiles)
        outcome.receipt = receipt
    }

    package static func values(in outcome: Outcome) -> [NamedValue] { outcome.receipt?.values ?? [] }

    package static func claims(in outcome: Outcome) -> [Claim] {
        outcome.receipt.map { receipt in
            [Claim("receipt", min(receipt.date?.confidence ?? 0, receipt.total?.confidence ?? 0))]
        } ?? []
    }
}
