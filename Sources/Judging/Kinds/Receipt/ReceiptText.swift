import Core
import Presentation

extension ReceiptKind {
    package static func lines(of outcome: Outcome, in text: OutcomeText) -> [String] {
        outcome.receipt.map(DocumentText(text.common).lines) ?? []
    }
}
