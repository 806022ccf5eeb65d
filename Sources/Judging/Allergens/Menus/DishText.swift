import Core

/// The text of a dish after word analysis: its mentions, and the claims that qualify them.
struct DishText: Sendable {
    let text: RecognizedText
    let analysis: TextAnalysis
    let mentions: [Mention]
    let qualifiers: DishQualifiers

    /// - Parameter coded: allergens that a code of the dish denies.
    init(_ text: RecognizedText, _ analysis: TextAnalysis, _ mentions: [Mention], coded: Set<Allergen> = []) {
        self.text = text
        self.analysis = analysis
        self.mentions = mentions
        qualifiers = DishQualifiers(
            analysis, mentions: mentions, contexts: ScopeFinder(text: analysis).contexts(mentions: mentions),
            coded: coded)
    }
}
