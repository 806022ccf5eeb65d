import Core

/// Interprets the text of a label as findings, coverage and verdicts.
struct LabelJudge: Sendable {
    let detector: FindingDetector
    let rules: VerdictRules

    /// The interpretation of a label's text that does not depend on a profile.
    struct Reading: Sendable {
        var findings: [AllergenFinding]
        var absenceClaim: VerdictRules.AbsenceClaim
        var list: LabelParser.IngredientList?
        var quality: Double
        /// Recognised words that are in no lexicon.
        var unclear: [String]
    }

    func label(
        from reading: TextReading, _ text: RecognizedText, _ analysis: TextAnalysis, _ layout: LabelParser.Layout,
        profiles: [AllergenProfile]
    ) -> Label {
        let isForeign =
            !reading.languages.isEmpty
            && !reading.languages.contains {
                detector.lexiconIndex.number(of: $0).map(detector.lexiconIndex.isComplete) == true
            }
        return label(text, read(text, analysis, layout, isForeign: isForeign), profiles, sourceKind: "label")
    }

    /// Interprets ingredient text without an image, such as a catalogue record.
    func label(
        ofText string: String, language: String?, sourceKind: String, profiles: [AllergenProfile]
    ) -> Label {
        let text = RecognizedText(string)
        return label(text, reading(of: text, language: language), profiles, sourceKind: sourceKind)
    }

    /// Interprets a text without an image.
    func reading(of text: RecognizedText, language: String?) -> Reading {
        let analysis = detector.analyse(text, language: language)
        let isNamed = language.map { !["", "und"].contains($0) } ?? false
        let named = detector.lexiconIndex.number(of: language)
        let isForeign =
            isNamed && named.map(detector.lexiconIndex.isComplete) != true
            || analysis.language.map(detector.lexiconIndex.isComplete) != true
        return read(text, analysis, LabelParser().parse(analysis, isPlain: true), isForeign: isForeign)
    }

    private func read(
        _ text: RecognizedText, _ analysis: TextAnalysis, _ layout: LabelParser.Layout, isForeign: Bool
    ) -> Reading {
        let named = detector.findings(in: text, analysis) { layout.weights[$0] }
        let findings = detector.calibration.applied(to: named, isDish: false)
        let best = layout.lists.min { rank($0) < rank($1) }
        let quality = text.meanConfidence() ?? (text.isEmpty ? 0 : 1)
        return Reading(
            findings: findings, absenceClaim: absenceClaim(of: text, analysis, layout, best, isForeign: isForeign),
            list: best,
            quality: quality,
            unclear: analysis.corrections.keys.sorted().map { text.text(in: analysis.tokens[$0].range) })
    }

    private func label(
        _ text: RecognizedText, _ reading: Reading, _ profiles: [AllergenProfile], sourceKind: String
    ) -> Label {
        let coverage = Coverage(
            ocrQuality: reading.quality.rounded(toPlaces: 4), unreadRegions: text.unreadLines,
            unknownIngredientRatio: (reading.list?.unknownRatio ?? 1).rounded(toPlaces: 4), sourceKind: sourceKind)
        let ingredients = reading.list.map { list in
            IngredientTree(text: text, lexiconIndex: detector.lexiconIndex).parse(list.range)
        }
        return Label(
            ingredients: ingredients ?? [], findings: reading.findings,
            verdicts: rules.verdicts(
                findings: reading.findings, absenceClaim: reading.absenceClaim, profiles: profiles),
            coverage: coverage)
    }

    /// Rank of a list: a complete list with many known ingredients ranks highest.
    private func rank(_ list: LabelParser.IngredientList) -> Double {
        list.unknownRatio + (list.isEndSeen ? 0 : 1) + (list.total == 0 ? 2 : 0)
    }

    private func absenceClaim(
        of text: RecognizedText, _ analysis: TextAnalysis, _ layout: LabelParser.Layout,
        _ list: LabelParser.IngredientList?,
        isForeign: Bool
    ) -> VerdictRules.AbsenceClaim {
        if text.hasUnreadScript { return .unsupported(reason: "unreadScript") }
        if text.isEmpty { return .unsupported(reason: "nothingRead") }
        if text.unreadLines > 0 { return .unsupported(reason: "unreadRegion") }
        if isForeign { return .unsupported(reason: "languageNotSupported") }
        guard let list, list.total > 0 else { return .unsupported(reason: "noIngredientList") }
        let quality = text.isFromPicture ? text.meanConfidence(of: list.range) ?? 0 : 1
        if quality < VerdictRules.minimumReadingQuality { return .unsupported(reason: "lowReadingQuality") }
        if list.unknownRatio > VerdictRules.maximumUnknownIngredients {
            return .unsupported(reason: "unknownIngredients")
        }
        if !list.isEndSeen { return .unsupported(reason: "listCutOff") }
        var words = 0
        var misread = 0
        var suspects: UInt64 = 0
        var wideSuspects: UInt64 = 0
        for index in analysis.tokens.indices {
            if case .none = layout.weights[index] { continue }
            words += 1
            guard let correction = analysis.corrections[index] ?? analysis.suspicions[index] else { continue }
            suspects |= correction.suspects
            wideSuspects |= correction.wideSuspects
            if correction.insideSuspects & ~suspects != 0, !analysis.isEveryday(index) {
                suspects |= correction.insideSuspects
                wideSuspects |= correction.insideSuspects
            }
            guard analysis.corrections[index] != nil else { continue }
            if !correction.ids.isEmpty || !correction.parts.isEmpty { misread += 1 }
        }
        // Many near misses of known words show poor recognition. Other words may then be unrecognisable.
        if words > 0, misread >= 3, Double(misread) > VerdictRules.maximumMisreadWords * Double(words) {
            return .unsupported(reason: "lowReadingQuality")
        }
        // In a short list a single misread word is enough for doubt.
        let isDoubtful = Double(misread) > VerdictRules.doubtfulMisreadWords * Double(words) || words < 8
        suspects = isDoubtful ? wideSuspects : suspects
        let declared = analysis.language.flatMap { detector.lexiconIndex.lexicons[$0].declares } ?? Allergen.eu14
        return .supported(for: Set(declared), except: suspects)
    }
}
