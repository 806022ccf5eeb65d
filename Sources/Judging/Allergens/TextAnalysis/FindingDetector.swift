import Core

/// Detects findings and their evidence in text.
struct FindingDetector: Sendable {
    let lexiconIndex: LexiconIndex
    /// Learned models of the usual allergens of dishes, by language.
    var dishes: [String: DishModel] = [:]
    /// Code schemes that many restaurants share.
    var schemes = LegendSchemes()
    var calibration = Calibration()
    /// The personal words of the profiles.
    var personal = PersonalWords()
    /// The derivatives that any law exempts.
    var exemptions = ExemptionFinder()

    /// How much kitchens differ.
    var houses = HouseParameters()

    /// Minimum probability that a dish contains an allergen. Lower values would raise too many false warnings. Without
    /// calibration the value is a strength, and the fit needs the weak ones too.
    var minimumDishProbability: Double { calibration.isEmpty ? 0.02 : 0.4 }

    /// Prior strength of a finding by its kind of evidence, before recognition confidence. A calibration table maps
    /// the strength to a probability.
    static func prior(of strength: AllergenFinding.Strength) -> Double {
        switch strength {
        case .declared: 0.99
        case .legendCode: 0.98
        case .ingredient: 0.97
        case .dishKnowledge: 0.7
        case .fuzzy: 0.6
        }
    }

    /// Factor from recognition confidence. A word with confidence 0 still counts half.
    static func weight(of confidence: Double?) -> Double { 0.5 + 0.5 * min(1, max(0, confidence ?? 1)) }

    func analyse(_ text: RecognizedText, range: Range<Int>? = nil, language: String?) -> TextAnalysis {
        TextAnalysis(text, range: range, language: lexiconIndex.number(of: language), lexiconIndex: lexiconIndex)
    }

    /// The lexicon language of most words; nil if fewer than a quarter of the words are known.
    func language(of analysis: TextAnalysis) -> String? {
        guard let number = analysis.language else { return nil }
        let words = analysis.tokens.indices.filter {
            !analysis.tokens[$0].isNumber && analysis.tokens[$0].text.count > 1
        }
        let known = words.count { analysis.isKnown($0, in: 1 << UInt32(number)) }
        return known * 4 >= words.count ? lexiconIndex.lexicons[number].language : nil
    }

    /// Findings of a text. Names of dishes do not count.
    func findings(in text: RecognizedText, language: String? = nil) -> [AllergenFinding] {
        let analysis = analyse(text, language: language)
        guard !analysis.tokens.isEmpty else { return [] }
        let mentions = MentionFinder(text: analysis).mentions() + personal.mentions(in: analysis)
        return findings(in: text, analysis, mentions, qualifiers: nil) { _ in .whole }
    }

    /// Findings of a dish, with its usual allergens.
    /// - Parameters:
    ///   - habit: the habit of the dish's kitchen; nil if nothing is known about it.
    ///   - coded: allergens that a code of the dish denies.
    func dishFindings(
        in text: RecognizedText, language: String?, habit: HouseHabit? = nil, coded: Set<Allergen> = []
    ) -> DishFindings {
        let (named, dish) = dish(text, language: language, coded: coded)
        guard !dish.analysis.tokens.isEmpty else { return DishFindings() }
        return DishKnowledge(detector: self).added(to: named, dish, habit: habit)
    }

    /// The findings of a dish's words, before dish knowledge, and the words.
    func dish(
        _ text: RecognizedText, language: String?, coded: Set<Allergen> = []
    ) -> (findings: [AllergenFinding], text: DishText) {
        let analysis = analyse(text, language: language)
        let mentions = MentionFinder(text: analysis).mentions() + personal.mentions(in: analysis)
        let dish = DishText(text, analysis, mentions, coded: coded)
        let found = findings(in: text, analysis, mentions, qualifiers: dish.qualifiers) { _ in .whole }
        return (found, dish)
    }

    /// The evidence weight of a text range.
    enum Weight: Sendable {
        case whole
        /// Text before a list may be a name or advertisement. It makes an allergen likely and declares nothing.
        case title
        case none
    }

    /// Findings of a label.
    func findings(
        in text: RecognizedText, _ analysis: TextAnalysis, weight: (Int) -> Weight
    ) -> [AllergenFinding] {
        let finder = MentionFinder(text: analysis)
        let named = finder.mentions()
        let mentions = named + finder.homographs(beside: named) + personal.mentions(in: analysis)
        return findings(in: text, analysis, mentions, qualifiers: nil, weight: weight)
    }

    /// - Parameter qualifiers: the claims of a dish; nil for a label.
    func findings(
        in text: RecognizedText, _ analysis: TextAnalysis, _ mentions: [Mention], qualifiers: DishQualifiers?,
        weight: (Int) -> Weight
    ) -> [AllergenFinding] {
        guard !mentions.isEmpty else { return [] }
        let includesDishes = qualifiers != nil
        let scopes = ScopeFinder(text: analysis)
        let contexts = qualifiers?.contexts ?? scopes.contexts(mentions: mentions)
        // What a food is usually made of is less than what its packet says of all allergens.
        lazy var isClaimedFree = scopes.claimsNoAllergens(beside: mentions)
        let qualifiers = qualifiers ?? DishQualifiers()
        var findings: [AllergenFinding] = []
        for mention in mentions where !mention.meanings.isEmpty {
            let weight = weight(mention.tokens.lowerBound)
            if case .none = weight { continue }
            let context = contexts[mention.tokens.lowerBound]
            if context == .advisory { continue }
            // Names of dishes use all words of a language, so a misread short word is only a guess.
            if includesDishes, mention.method == .fuzzy, !mention.isSure || mention.range.count < 6 { continue }
            // "okra" is a word of its own, and no misread "okara".
            if !includesDishes, mention.method == .fuzzy, analysis.isEveryday(mention.tokens.lowerBound) { continue }
            for meaning in mention.meanings where includesDishes || countsOnLabels(meaning, of: mention) {
                if !includesDishes, mention.method == .fuzzy, meaning.kind != .ingredient, meaning.kind != .declaration
                {
                    continue
                }
                let isStatement = [.precaution, .declared].contains(context)
                if meaning.kind == .homograph,
                    !MentionFinder(text: analysis).isWhole(mention, isStatement: isStatement)
                {
                    continue
                }
                var finding = finding(mention, meaning, context, text, isDish: includesDishes)
                if let exemption = exemptions.exemption(of: meaning.allergen, at: mention.tokens, in: analysis) {
                    for index in finding.evidence.indices { finding.evidence[index].exemption = exemption }
                }
                if qualifiers.isLowered(mention, meaning.allergen), [.contains, .likely].contains(finding.polarity) {
                    (finding.polarity, finding.strength) = (.likely, .dishKnowledge)
                    finding.probability = min(finding.probability, qualifiers.remainder(of: mention))
                } else if qualifiers.replaced.contains(meaning.allergen), finding.strength == .dishKnowledge {
                    finding.probability = min(finding.probability, DishQualifiers.remainder)
                }
                if !includesDishes, [.composite, .dish].contains(meaning.kind), context == .plain, isClaimedFree {
                    (finding.polarity, finding.strength) = (.likely, .dishKnowledge)
                    finding.probability = min(finding.probability, DishQualifiers.remainder)
                }
                if case .title = weight, finding.polarity == .contains {
                    finding.polarity = .likely
                    finding.probability *= 0.6
                }
                findings.append(finding)
            }
        }
        return Self.merged(findings)
    }

    /// On a package a dish is an ingredient that usually has the allergen: "waffles". A word that its language also lists as
    /// an ingredient is that ingredient: "flakes" of salt, "Püree" of fruit.
    private func countsOnLabels(_ meaning: Mention.Meaning, of mention: Mention) -> Bool {
        guard meaning.kind == .dish else { return true }
        guard meaning.probability ?? 0 >= VerdictRules.minimumLikelihood else { return false }
        guard let head = mention.lexeme.split(separator: "+").last, let id = lexiconIndex.trie.id(of: String(head))
        else {
            return true
        }
        let meanings = lexiconIndex.trie.single(id)
        return !meanings.contains { $0.role == .neutral && Int($0.lexicon) == mention.lexicon }
    }

    private func finding(
        _ mention: Mention, _ meaning: Mention.Meaning, _ context: MentionContext, _ text: RecognizedText,
        isDish: Bool
    ) -> AllergenFinding {
        var polarity: AllergenFinding.Polarity = .contains
        var strength: AllergenFinding.Strength = .ingredient
        var rule = mention.method.rawValue
        var prior: Double?
        switch context {
        case .free: (polarity, strength, rule, prior) = (.freeClaim, .declared, "negation", 0.9)
        case .option: (polarity, strength, rule, prior) = (.option, .declared, "option", 0.5)
        case .precaution: (polarity, strength, rule, prior) = (.mayContain, .declared, "precaution", 0.95)
        case .declared: (strength, rule) = (.declared, "declaration")
        case .plain, .advisory: break
        }
        if mention.method == .fuzzy, meaning.kind == .dish || meaning.kind == .composite {
            let hint = 0.85 * (meaning.kind == .dish ? meaning.probability ?? 0 : 1)
            if polarity == .contains { (polarity, strength, rule, prior) = (.likely, .dishKnowledge, "dish", hint) }
        } else if mention.method == .fuzzy {
            strength = .fuzzy
            rule = "fuzzy"
            if polarity == .contains, !mention.isSure { polarity = .likely }
            if polarity == .contains { prior = 0.85 }
        } else if meaning.kind == .dish, polarity == .contains {
            (polarity, strength, rule, prior) = (.likely, .dishKnowledge, "dish", meaning.probability)
        } else if meaning.kind == .homograph, polarity == .contains {
            (polarity, strength, rule, prior) = (.likely, .dishKnowledge, "homograph", 0.6)
        }
        if meaning.kind == .composite, polarity == .contains {
            // A kitchen may vary a dish. On a package the composite's own ingredients decide, and a list's composite is a
            // usual recipe: "meatballs" need no eggs.
            if isDish || meaning.isListed {
                (polarity, strength, rule, prior) = (.likely, .dishKnowledge, "dish", 0.85)
            }
            if !isDish, listsItsParts(mention, text) { (polarity, prior) = (.likely, 0.4) }
        }
        let confidence = text.confidence(of: mention.range)
        let evidence = AllergenFinding.Evidence(
            text: text.text(in: mention.range), box: text.box(of: mention.range), ocrConfidence: confidence,
            language: lexiconIndex.lexicons[mention.lexicon].language, ruleId: rule, lexeme: mention.lexeme,
            editDistance: mention.editDistance)
        let probability = (prior ?? Self.prior(of: strength)) * Self.weight(of: confidence)
        return AllergenFinding(
            allergen: meaning.allergen, leaf: meaning.leaf, polarity: polarity, strength: strength,
            evidence: [evidence],
            probability: probability.rounded(toPlaces: 4))
    }

    /// True if a parenthesis with ingredients follows the words: "soy sauce (water, soybeans, salt)".
    private func listsItsParts(_ mention: Mention, _ text: RecognizedText) -> Bool {
        let rest = text.characters[mention.range.upperBound...].prefix(24)
        // "soy sauce powder (…)", "mayonnaise 12 % (…)"; "(12 %)" is a share and lists nothing.
        guard let open = rest.firstIndex(where: { "([{".unicodeScalars.contains($0) }),
            !rest[..<open].contains(where: { ",;.:)".unicodeScalars.contains($0) })
        else { return false }
        let inside = text.characters[(open + 1)...].prefix { !")]}".unicodeScalars.contains($0) }
        return inside.contains(where: \.properties.isAlphabetic)
    }

    /// What makes two findings the same statement.
    private struct Statement: Hashable {
        var allergen: Allergen
        var leaf: String?
        var polarity: AllergenFinding.Polarity
        var strength: AllergenFinding.Strength
    }

    /// Merges findings with the same statement. The evidence is combined, and the maximum probability counts.
    static func merged(_ findings: [AllergenFinding]) -> [AllergenFinding] {
        var result: [AllergenFinding] = []
        var places: [Statement: Int] = [:]
        var known: [Set<AllergenFinding.Evidence>] = []
        for finding in findings {
            let statement = Statement(
                allergen: finding.allergen, leaf: finding.leaf, polarity: finding.polarity, strength: finding.strength)
            if let index = places[statement] {
                AnalysisSteps.take(finding.evidence.count)
                for evidence in finding.evidence where known[index].insert(evidence).inserted {
                    result[index].evidence.append(evidence)
                }
                result[index].probability = max(result[index].probability, finding.probability)
            } else {
                places[statement] = result.count
                known.append(Set(finding.evidence))
                result.append(finding)
            }
        }
        return result
    }
}
