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
        let text = RecognizedText(string)
        let analysis = detector.analyse(text, language: language)
        let findings = detector.findings(in: text, analysis, includesDishes: true) { _ in .whole }
        let (features, hints) = DishKnowledge(detector: detector).sample(findings, analysis)
        return DishSample(
            buckets: features.entries.map(\.bucket), values: features.entries.map(\.value), hints: hints,
            named: Set(findings.filter { $0.polarity == .contains }.map(\.allergen)))
    }
}
