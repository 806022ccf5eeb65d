import Core

/// What training needs of a dish: the words as the program sees them, and what the lexicon already says.
public struct DishSample: Sendable, Hashable {
    public var buckets: [UInt16]
    public var values: [Float]
    /// Probability of each allergen by the lexicon's dishes and composites.
    public var hints: [Allergen: Double]
    /// Allergens that the words name.
    public var named: Set<Allergen>
}

extension AllergenInterpreter {
    /// - Parameter language: BCP 47; nil or `und` if unknown.
    public func dishSample(ofText string: String, language: String?) -> DishSample {
        let (findings, text) = detector.dish(RecognizedText(string), language: language)
        let (features, hints) = DishKnowledge(detector: detector).sample(findings, text)
        return DishSample(
            buckets: features.entries.map(\.bucket), values: features.entries.map(\.value), hints: hints,
            named: Set(findings.filter { $0.polarity == .contains }.map(\.allergen)))
    }
}
