import Core

extension AllergenInterpreter {
    /// The verdicts of each person for a product record, by the same rules as for labels and menus.
    ///
    /// A crowdsourced record proves the allergens it names but supports no absence claim. A record that may belong to
    /// another product supports no absence claim either.
    ///
    /// - Parameters:
    ///   - product: with its findings, and with `agreement` if a photo shows it.
    ///   - others: the ingredient texts of other records of its number. People's own words are looked for in
    ///     them too, and in the name.
    public func verdicts(
        on product: Product, beside others: [String] = [], profiles: [AllergenProfile]
    ) -> Verdicts {
        let (labels, _) = judges(for: profiles)
        let language = product.findings.lazy.flatMap(\.evidence).map(\.language).first { $0 != "und" }
        let record = product.ingredients.map { labels.reading(of: RecognizedText($0), language: language) }
        let hasWords = profiles.contains { $0.words?.isEmpty == false }
        let texts = others + [product.name].compactMap(\.self)
        let more = hasWords ? texts.map { labels.reading(of: RecognizedText($0), language: nil) } : []
        let identity = product.agreement?.confidence ?? 1
        let isDoubtful = product.agreement?.printedDigits == .disagrees || Confidence(identity).level < .medium
        let readings = [record].compactMap(\.self) + more
        var findings = product.findings + readings.flatMap(\.findings).filter { $0.allergen == .personal }
        for index in findings.indices {
            findings[index].probability = (findings[index].probability * identity).rounded(toPlaces: 4)
            if isDoubtful, findings[index].polarity == .contains { findings[index].polarity = .likely }
        }
        return rules.verdicts(
            findings: findings, absenceClaim: absenceClaim(of: product, record, isDoubtful: isDoubtful),
            profiles: profiles)
    }

    private func absenceClaim(
        of product: Product, _ record: LabelJudge.Reading?, isDoubtful: Bool
    ) -> VerdictRules.AbsenceClaim {
        if product.agreement?.printedDigits == .disagrees { return .unsupported(reason: "codesDisagree") }
        if product.name == nil { return .unsupported(reason: product.reason ?? "notInCatalogue") }
        if isDoubtful { return .unsupported(reason: "uncertainCode") }
        if product.trust == nil || product.trust == .crowd { return .unsupported(reason: "crowdRecord") }
        return record?.absenceClaim ?? .unsupported(reason: "noIngredientList")
    }
}
