import Core
import Presentation

extension PriceTagKind {
    package static func lines(of outcome: Outcome, in text: OutcomeText) -> [String] {
        outcome.allPriceTags.flatMap(DocumentText(text.common).lines)
    }
}
