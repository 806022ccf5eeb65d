import Vocabulary

/// A menu's text → the menu with findings, coverage and verdicts.
struct MenuJudge: Sendable {
    let detector: FindingDetector
    let rules: VerdictRules
    private let parser: MenuParser

    init(detector: FindingDetector, rules: VerdictRules) {
        self.detector = detector
        self.rules = rules
        parser = MenuParser(detector: detector)
    }

    func page(of reading: TextReading) -> MenuParser.Page { parser.parse(reading.lines) }

    /// How much the page looks like a menu, 0…1; below .5 it is none.
    func score(of page: MenuParser.Page) -> Double {
        let dishes = page.sections.flatMap(\.dishes).count { !$0.prices.isEmpty && !$0.name.isEmpty }
        switch (dishes, page.hasMenuHeading) {
        case (4..., _): return 0.95
        case (2..., true): return 0.9
        case (2..., false): return 0.7
        case (_, true): return page.legend.entries.isEmpty ? 0.5 : 0.7
        default: return dishes == 1 ? 0.3 : 0
        }
    }

    func menu(
        from reading: TextReading, _ page: MenuParser.Page, _ analysis: TextAnalysis, profiles: [AllergenProfile]
    ) -> Menu {
        let language = detector.language(of: analysis)
        let notes = detector.findings(
            in: ReadText(lines: page.notes.flatMap(\.cells)), language: language, includesDishes: false
        ).filter { $0.polarity == .mayContain }
        let quality = ReadText(lines: reading.lines).meanConfidence() ?? 0
        var unresolved: Set<String> = []
        let sections = page.sections.map { section in
            Menu.Section(
                title: section.title,
                items: section.dishes.map { dish in
                    let judged = judge(dish, page.legend, notes, hasNotes: !page.notes.isEmpty, language, profiles)
                    unresolved.formUnion(judged.unresolved)
                    return judged.item
                })
        }
        let coverage = Coverage(
            ocrQuality: quality.rounded(toPlaces: 4), unreadRegions: reading.unreadLines ?? 0,
            legendPresent: !page.legend.entries.isEmpty,
            unresolvedCodes: unresolved.sorted(), sourceKind: "dish")
        return Menu(
            currency: page.currency, sections: sections, legend: page.legend.entries, coverage: coverage)
    }

    /// One dish given as text; the page's legend may follow on the lines below.
    func judgement(
        ofText string: String, language: String?, profile: AllergenProfile
    ) -> TextJudgement {
        let lines = string.split(whereSeparator: \.isNewline).map(String.init)
        var legend = Legend()
        var dish = MenuParser.Dish()
        var isInLegend = false
        for (number, line) in lines.enumerated() {
            if number > 0 {
                isInLegend = isInLegend || parser.legends.isHeading(line) || parser.legends.looksLikeEntries(line)
                let entries = parser.legends.entries(in: line, isInLegend: isInLegend)
                for entry in entries { legend.bind(entry.code, to: entry.meaning) }
                if isInLegend || !entries.isEmpty { continue }
            }
            dish.description.append(line.split(separator: " ").map { Self.word(String($0)) })
        }
        detector.schemes.complete(&legend, page: string)
        let codes = DishCodes(legend: legend, everywhere: parser.everywhere)
        for index in dish.description.indices {
            let (words, found) = codes.split(dish.description[index])
            dish.description[index] = words
            dish.codes += found
        }
        let judged = judge(dish, legend, [], hasNotes: false, language, [profile], isFromPicture: false)
        return TextJudgement(findings: judged.item.findings, verdicts: judged.item.verdicts[profile.name] ?? [:])
    }

    private static func word(_ text: String) -> Word {
        Word(text: text, confidence: 1, box: Quad(x: 0, y: 0, width: 0, height: 0))
    }

    private func judge(
        _ dish: MenuParser.Dish, _ legend: Legend, _ notes: [AllergenFinding], hasNotes: Bool, _ language: String?,
        _ profiles: [AllergenProfile], isFromPicture: Bool = true
    ) -> (item: Menu.Item, unresolved: [String]) {
        let lines = ([dish.name] + dish.description).filter { !$0.isEmpty }.map(Self.line)
        let text = isFromPicture ? ReadText(lines: lines) : ReadText(lines.map(\.text).joined(separator: "\n"))
        var findings = detector.findings(in: text, language: language, includesDishes: true)
        let (coded, unresolved, declares) = codeFindings(dish.codes, legend, language ?? "und", isFromPicture)
        findings = detector.calibration.applied(
            to: FindingDetector.merged(findings + coded + notes), isDish: true)
        let confidence =
            isFromPicture ? ReadText(lines: lines + [Self.line(dish.codes.map(\.word))]).meanConfidence() ?? 0 : 1
        let silence: VerdictRules.Silence =
            if text.isEmpty {
                .meansNothing(reason: "nothingRead")
            } else if !declares {
                .meansNothing(reason: unresolved.isEmpty ? "noDeclaration" : "unresolvedCodes")
            } else if !unresolved.isEmpty {
                .meansNothing(reason: "unresolvedCodes")
            } else if hasNotes && notes.isEmpty {
                // "May contain traces of other allergens": the legend's silence is taken back.
                .meansNothing(reason: "crossContact")
            } else if min(confidence, leastSure(dish.codes, isFromPicture)) < VerdictRules.leastReadingQuality {
                .meansNothing(reason: "lowReadingQuality")
            } else {
                .speaks(for: legend.declared)
            }
        let description = dish.description.map { $0.map(\.text).joined(separator: " ") }.joined(separator: " ")
        let item = Menu.Item(
            name: dish.name.map(\.text).joined(separator: " "), description: description.isEmpty ? nil : description,
            prices: dish.prices, box: Quad(around: dish.boxes), findings: findings,
            verdicts: rules.verdicts(findings: findings, silence: silence, profiles: profiles),
            confidence: confidence.rounded(toPlaces: 4))
        return (item, unresolved)
    }

    /// The least confidence of a code: one misread letter names another allergen.
    private func leastSure(_ codes: [(code: String, word: Word)], _ isFromPicture: Bool) -> Double {
        isFromPicture ? codes.map(\.word.confidence).min() ?? 1 : 1
    }

    /// Findings of the codes behind a dish; `declares` is true where one of them declares an allergen by the page's legend.
    private func codeFindings(
        _ codes: [(code: String, word: Word)], _ legend: Legend, _ language: String, _ isFromPicture: Bool
    ) -> (findings: [AllergenFinding], unresolved: [String], declares: Bool) {
        var findings: [AllergenFinding] = []
        var unresolved: [String] = []
        var declares = false
        for (code, word) in codes {
            var bindings: [Legend.Binding] = []
            if let meaning = legend.meaning(of: code) {
                if case .allergens(let bound) = meaning { bindings = bound }
            } else if let claim = detector.lexica.claimCodes[code] {
                bindings = [Legend.Binding(allergen: claim.allergen, leaf: nil, polarity: claim.polarity)]
            } else if !detector.lexica.dietCodes.contains(code) {
                unresolved.append(code)
            }
            declares = declares || bindings.contains { $0.polarity == .contains }
            for binding in bindings {
                let confidence = isFromPicture ? word.confidence : nil
                let prior = binding.polarity == .contains ? FindingDetector.prior(of: .legendCode) : 0.5
                findings.append(
                    AllergenFinding(
                        allergen: binding.allergen, leaf: binding.leaf, polarity: binding.polarity,
                        strength: .legendCode,
                        evidence: [
                            .init(
                                text: word.text, box: isFromPicture ? word.box : nil, ocrConfidence: confidence,
                                language: language, ruleId: "legend", lexeme: code)
                        ], probability: (prior * FindingDetector.weight(of: confidence)).rounded(toPlaces: 4)))
            }
        }
        return (findings, unresolved, declares)
    }

    private static func line(_ words: [Word]) -> TextLine {
        let box = Quad(around: words.map(\.box)) ?? Quad(x: 0, y: 0, width: 0, height: 0)
        return TextLine(text: words.map(\.text).joined(separator: " "), confidence: 1, box: box, words: words)
    }
}
