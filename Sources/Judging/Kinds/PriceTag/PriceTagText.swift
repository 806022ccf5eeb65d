import Core

extension PriceTagKind {
    package static func lines(of outcome: Outcome, in text: OutcomeText) -> [String] {
        outcome.allPriceTags.flatMap(text.lines)
    }
}

extension OutcomeText {
    /// A price tag, with what the product's name warns of.
    package func lines(of tag: PriceTag) -> [String] {
        DocumentText(common).lines(of: tag) + verdicts(tag.verdicts ?? [:])
    }
}
