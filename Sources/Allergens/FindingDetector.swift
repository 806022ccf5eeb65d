import Vocabulary

/// Text → findings with their evidence.
struct FindingDetector: Sendable {
    let lexicons: [LexiconIndex]

    /// How sure a finding is by what it rests on, before the reader's confidence is counted in. Set by judgement and not
    /// calibrated yet: they order the findings and keep a guess apart from a statement.
    static func prior(of strength: AllergenFinding.Strength) -> Double {
        switch strength {
        case .declared: 0.99
        case .legendCode: 0.98
        case .ingredient: 0.97
        case .dishKnowledge: 0.7
        case .fuzzy: 0.6
        }
    }

    /// How the reader's confidence weighs on a finding: a word read badly still names something in half of the cases.
    /// Not calibrated yet.
    static func weight(of confidence: Double?) -> Double { 0.5 + 0.5 * min(1, max(0, confidence ?? 1)) }

    /// The language's lexicon first; a code that no lexicon has is left out.
    func ordered(for language: String?) -> [LexiconIndex] {
        guard let language else { return lexicons }
        return lexicons.filter { $0.lexicon.language == language } + lexicons.filter { $0.lexicon.language != language }
    }

    /// The lexicon language that most of the words belong to; nil where fewer than a quarter are known.
    func guessLanguage(of tokens: [Token]) -> String? {
        let words = tokens.filter { !$0.isNumber && $0.text.count > 1 }
        guard !words.isEmpty else { return nil }
        let scores = lexicons.map { index in
            (
                index.lexicon.language, words.count { index.knows($0.text) },
                words.count { index.functionWords.contains($0.text) }
            )
        }
        guard let best = scores.max(by: { ($0.1, $0.2) < ($1.1, $1.2) }), Double(best.1) >= 0.25 * Double(words.count)
        else { return nil }
        return best.0
    }

    /// Findings of a span of text.
    /// - Parameter includesDishes: whether names of dishes count; on a label the list itself says what is inside.
    func findings(
        in text: ReadText, range: Range<Int>? = nil, language: String? = nil, includesDishes: Bool
    ) -> [AllergenFinding] {
        let tokens = Folding.tokens(of: text.characters, in: range)
        guard !tokens.isEmpty else { return [] }
        let spoken =
            language.flatMap { code in lexicons.contains { $0.lexicon.language == code } ? code : nil }
            ?? guessLanguage(of: tokens)
        let order = ordered(for: spoken)
        let compoundLanguages = Set(spoken.map { [$0] } ?? lexicons.map(\.lexicon.language))
        let mentions = MentionFinder(lexicons: order, compoundLanguages: compoundLanguages).mentions(in: tokens)
        let contexts = ScopeFinder(lexicons: order).contexts(of: tokens, in: text.characters, mentions: mentions)
        var findings: [AllergenFinding] = []
        for mention in mentions {
            let context = contexts[mention.tokens.lowerBound]
            for meaning in mention.meanings where includesDishes || meaning.kind != .dish {
                findings.append(finding(mention, meaning, context, text))
            }
        }
        return Self.merged(findings)
    }

    private func finding(
        _ mention: Mention, _ meaning: Mention.Meaning, _ context: MentionContext, _ text: ReadText
    ) -> AllergenFinding {
        var polarity: AllergenFinding.Polarity = .contains
        var strength: AllergenFinding.Strength = .ingredient
        var rule = mention.way.rawValue
        var prior: Double?
        switch context {
        case .free: (polarity, strength, rule, prior) = (.freeClaim, .declared, "negation", 0.9)
        case .option: (polarity, strength, rule, prior) = (.option, .declared, "option", 0.5)
        case .precaution: (polarity, strength, rule, prior) = (.mayContain, .declared, "precaution", 0.5)
        case .declared: (strength, rule) = (.declared, "declaration")
        case .plain: break
        }
        if mention.way == .fuzzy {
            strength = .fuzzy
            rule = "fuzzy"
            if polarity == .contains { polarity = .likely }
        } else if meaning.kind == .dish, polarity == .contains {
            (polarity, strength, rule, prior) = (.likely, .dishKnowledge, "dish", meaning.probability)
        }
        let confidence = text.confidence(of: mention.range)
        let evidence = AllergenFinding.Evidence(
            text: text.text(in: mention.range), box: text.box(of: mention.range), ocrConfidence: confidence,
            language: mention.language, ruleId: rule, lexeme: mention.lexeme, editDistance: mention.editDistance)
        let probability = (prior ?? Self.prior(of: strength)) * Self.weight(of: confidence)
        return AllergenFinding(
            allergen: meaning.allergen, leaf: meaning.leaf, polarity: polarity, strength: strength,
            evidence: [evidence],
            probability: probability.rounded(toPlaces: 4))
    }

    /// One finding for each statement, with all its evidence; the most probable words give its probability.
    static func merged(_ findings: [AllergenFinding]) -> [AllergenFinding] {
        var result: [AllergenFinding] = []
        for finding in findings {
            if let index = result.firstIndex(where: {
                $0.allergen == finding.allergen && $0.leaf == finding.leaf && $0.polarity == finding.polarity
                    && $0.strength == finding.strength
            }) {
                for evidence in finding.evidence where !result[index].evidence.contains(evidence) {
                    result[index].evidence.append(evidence)
                }
                result[index].probability = max(result[index].probability, finding.probability)
            } else {
                result.append(finding)
            }
        }
        return result
    }
}
