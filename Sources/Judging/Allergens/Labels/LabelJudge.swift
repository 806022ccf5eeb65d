import Core

/// Interprets the text of a label as findings, coverage and verdicts.
struct LabelJudge: Sendable {
    let detector: FindingDetector
    let rules: VerdictRules

    /// The interpretation of a label's text that does not depend on a profile.
    struct Reading: Sendable {
        var findings: [AllergenFinding]
        var silence: VerdictRules.Silence
        var list: LabelParser.IngredientList?
        var quality: Double
        /// Recognised words that are in no lexicon.
        var unclear: [String]
    }

    func label(
        from reading: TextReading, _ text: ReadText, _ analysis: TextAnalysis, _ layout: LabelParser.Layout,
        profiles: [AllergenProfile]
    ) -> Label {
        let isForeign =
            !reading.languages.isEmpty
            && !reading.languages.contains { detector.lexica.number(of: $0).map(detector.lexica.isComplete) == true }
        return label(text, read(text, analysis, layout, isForeign: isForeign), profiles, sourceKind: "label")
    }

    /// Interprets ingredient text without an image, such as a catalogue record.
    func label(
        ofText string: String, language: String?, sourceKind: String, profiles: [AllergenProfile]
    ) -> Label {
        let text = ReadText(string)
        return label(text, reading(of: text, language: language), profiles, sourceKind: sourceKind)
    }

    /// Interprets a text without an image.
    func reading(of text: ReadText, language: String?) -> Reading {
        let analysis = detector.analyse(text, language: language)
        let isNamed = language.map { !["", "und"].contains($0) } ?? false
        let named = detector.lexica.number(of: language)
        let isForeign =
            isNamed && named.map(detector.lexica.isComplete) != true
            || analysis.language.map(detector.lexica.isComplete) != true
        return read(text, analysis, LabelParser().parse(analysis, isPlain: true), isForeign: isForeign)
    }

    private func read(
        _ text: ReadText, _ analysis: TextAnalysis, _ layout: LabelParser.Layout, isForeign: Bool
    ) -> Reading {
        let named = detector.findings(in: text, analysis, includesDishes: false) { layout.weights[$0] }
        let findings = detector.calibration.applied(to: named, isDish: false)
        let best = layout.lists.min { rank($0) < rank($1) }
        let quality = text.meanConfidence() ?? (text.isEmpty ? 0 : 1)
        return Reading(
            findings: findings, silence: silence(of: text, analysis, layout, best, isForeign: isForeign), list: best,
            quality: quality,
            unclear: analysis.corrections.keys.sorted().map { text.text(in: analysis.tokens[$0].range) })
    }

    private func label(
        _ text: ReadText, _ reading: Reading, _ profiles: [AllergenProfile], sourceKind: String
    ) -> Label {
        let coverage = Coverage(
            ocrQuality: reading.quality.rounded(toPlaces: 4), unreadRegions: text.unreadLines,
            unknownIngredientRatio: (reading.list?.unknownRatio ?? 1).rounded(toPlaces: 4), sourceKind: sourceKind)
        let ingredients = reading.list.map { list in
            IngredientTree(text: text, lexica: detector.lexica).parse(list.range)
        }
        return Label(
            ingredients: ingredients ?? [], findings: reading.findings,
            verdicts: rules.verdicts(findings: reading.findings, silence: reading.silence, profiles: profiles),
            coverage: coverage)
    }

    /// Rank of a list: a complete list with many known ingredients ranks highest.
    private func rank(_ list: LabelParser.IngredientList) -> Double {
        list.unknownRatio + (list.isEndSeen ? 0 : 1) + (list.total == 0 ? 2 : 0)
    }

    private func silence(
        of text: ReadText, _ analysis: TextAnalysis, _ layout: LabelParser.Layout, _ list: LabelParser.IngredientList?,
        isForeign: Bool
    ) -> VerdictRules.Silence {
        if text.isEmpty { return .meansNothing(reason: "nothingRead") }
        if text.unreadLines > 0 { return .meansNothing(reason: "unreadRegion") }
        if isForeign { return .meansNothing(reason: "languageNotSupported") }
        guard let list, list.total > 0 else { return .meansNothing(reason: "noIngredientList") }
        let quality = text.isFromPicture ? text.meanConfidence(of: list.range) ?? 0 : 1
        if quality < VerdictRules.leastReadingQuality { return .meansNothing(reason: "lowReadingQuality") }
        if list.unknownRatio > VerdictRules.mostUnknownIngredients {
            return .meansNothing(reason: "unknownIngredients")
        }
        if !list.isEndSeen { return .meansNothing(reason: "listCutOff") }
        var words = 0
        var misread = 0
        var suspects: UInt64 = 0
        var wideSuspects: UInt64 = 0
        for index in analysis.tokens.indices {
            if case .none = layout.weights[index] { continue }
            words += 1
            guard let correction = analysis.corrections[index] else { continue }
            suspects |= correction.suspects
            wideSuspects |= correction.wideSuspects
            if !correction.ids.isEmpty || !correction.parts.isEmpty { misread += 1 }
        }
        // Many near misses of known words show poor recognition. Other words may then be unrecognisable.
        if words > 0, misread >= 3, Double(misread) > VerdictRules.mostMisreadWords * Double(words) {
            return .meansNothing(reason: "lowReadingQuality")
        }
        // In a short list a single misread word is enough for doubt.
        let isDoubtful = Double(misread) > VerdictRules.fewMisreadWords * Double(words) || words < 8
        suspects = isDoubtful ? wideSuspects : suspects
        return .speaks(for: Set(Allergen.allCases), except: suspects)
    }
}
