import Core
import Documents

/// What was bought, where, when and for how much.
package struct ReceiptKind: PhotoKind {
    package static let domain = Outcome.Domain.receipt
    let documents: DocumentReader

    package init(_ readers: KindReaders) { documents = readers.documents }

    package func evidence(on print: PagePrint) -> Features { documents.receiptEvidence(on: print.rows) }

    package func judge(_ photo: JudgedPhoto, into outcome: inout Outcome) {
        outcome.receipt = photo.print.map { documents.receipt(from: $0.rows) }
    }

    package static func confidence(in outcome: Outcome) -> Double? {
        outcome.receipt.map { receipt in
            Mean.of([receipt.merchant, receipt.date, receipt.total].map { $0?.confidence ?? 0 })
        }
    }
}
