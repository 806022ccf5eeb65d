import Core

/// The text of a dish after word analysis: its mentions, and the claims that qualify them.
struct DishText: Sendable {
    let text: RecognizedText
    let analysis: TextAnalysis
    let mentions: [Mention]
    let qualifiers: DishQualifiers

    init(_ text: RecognizedText, _ analysis: TextAnalysis, _ mentions: [Mention]) {
        self.text = text
        self.analysis = analysis
        self.mentions = mentions
        qualifiers = DishQualifiers(
            analysis, mentions: mentions, contexts: ScopeFinder(text: analysis).contexts(mentions: mentions))
    }
}
