import Vocabulary

/// A label's text → the label with findings, coverage and verdicts.
struct LabelJudge: Sendable {
    let lexicons: [LexiconIndex]
    let detector: FindingDetector

    /// - Parameter isForced: whether a person said that this is a label.
    /// - Returns: nil where the text is no label.
    func label(from reading: TextReading, profiles: [AllergenProfile], isForced: Bool) -> Label? {
        let text = ReadText(lines: reading.lines)
        let layout = LabelParser(lexicons: lexicons).parse(text)
        guard isForced || !layout.lists.isEmpty || layout.hasStatement else { return nil }
        let isForeign =
            !reading.languages.isEmpty
            && !reading.languages.contains { code in
                lexicons.contains { code.hasPrefix($0.lexicon.language) }
            }
        return label(text, layout, profiles: profiles, sourceKind: "label", isForeign: isForeign)
    }

    /// Ingredient text without a picture: a catalogue's record, or text on stdin.
    func label(
        ofText string: String, language: String?, sourceKind: String, profiles: [AllergenProfile]
    ) -> Label {
        let text = ReadText(string)
        let parser = LabelParser(lexicons: lexicons)
        var layout = parser.parse(text)
        let known = language.flatMap { code in lexicons.first { code.hasPrefix($0.lexicon.language) }?.lexicon.language
        }
        let isSpoken = language.map { !["", "und"].contains($0) } ?? false
        if layout.lists.isEmpty, !text.isEmpty {
            let guess = known ?? detector.guessLanguage(of: Folding.tokens(of: text.characters))
            layout.lists = guess.flatMap { parser.list(of: text, language: $0) }.map { [$0] } ?? []
            layout.readable = layout.readable.map { ($0.range, $0.language ?? guess) }
        }
        return label(text, layout, profiles: profiles, sourceKind: sourceKind, isForeign: isSpoken && known == nil)
    }

    private func label(
        _ text: ReadText, _ layout: LabelParser.Layout, profiles: [AllergenProfile], sourceKind: String, isForeign: Bool
    ) -> Label {
        let findings = FindingDetector.merged(
            layout.readable.flatMap {
                detector.findings(in: text, range: $0.range, language: $0.language, includesDishes: false)
            })
        let best = layout.lists.min { rank($0) < rank($1) }
        let quality = text.meanConfidence() ?? (text.isEmpty ? 0 : 1)
        let silence = silence(of: text, best, isForeign: isForeign)
        let coverage = Coverage(
            ocrQuality: quality.rounded(toPlaces: 4),
            unknownIngredientRatio: (best?.unknownRatio ?? 1).rounded(toPlaces: 4), sourceKind: sourceKind)
        return Label(
            ingredients: best?.ingredients ?? [], findings: findings,
            verdicts: VerdictRules.verdicts(findings: findings, silence: silence, profiles: profiles),
            coverage: coverage)
    }

    /// The list that says most: seen to its end, and known best.
    private func rank(_ list: LabelParser.IngredientList) -> Double {
        list.unknownRatio + (list.isEndSeen ? 0 : 1) + (list.ingredients.isEmpty ? 2 : 0)
    }

    private func silence(
        of text: ReadText, _ list: LabelParser.IngredientList?, isForeign: Bool
    ) -> VerdictRules.Silence {
        if text.isEmpty { return .meansNothing(reason: "nothingRead") }
        if isForeign { return .meansNothing(reason: "languageNotSupported") }
        guard let list, !list.ingredients.isEmpty else { return .meansNothing(reason: "noIngredientList") }
        let quality = text.isFromPicture ? text.meanConfidence(of: list.range) ?? 0 : 1
        if quality < VerdictRules.leastReadingQuality { return .meansNothing(reason: "lowReadingQuality") }
        if list.unknownRatio > VerdictRules.mostUnknownIngredients {
            return .meansNothing(reason: "unknownIngredients")
        }
        if !list.isEndSeen { return .meansNothing(reason: "listCutOff") }
        return .speaks(for: Set(Allergen.allCases))
    }
}
