import Documents
import Core

/// Interprets the text of a menu as findings, coverage and verdicts.
struct MenuJudge: Sendable {
    let detector: FindingDetector
    let rules: VerdictRules
    let reader: MenuReader

    /// Minimum layout confidence of a page for absence claims. Below it a line may have been lost.
    static let minimumLayoutConfidence = 0.3
    /// Minimum probability that an unassigned line belongs to a dish. Such a line counts for the nearest dish.
    static let minimumLooseLineProbability = 0.2
    /// Minimum probability that an unassigned line is part of a dish, for people to be asked what it says.
    static let minimumLostLineProbability = 0.5
    /// Minimum calibrated probability that a line was read right; below it people are asked what it says.
    static let minimumLineConfidence = 0.3

    /// Share of a page's print above which dishes may be missing whatever the layout says.
    static let largestUnreadShare = 1.0 / 3
    /// The layout confidence of such a page at most: low.
    static let unreadConfidence = 0.6

    /// Number of days with dishes that make a page a menu as a heading does.
    static let leastDays = 3

    /// Minimum confidence of each word of a dish, for an allergen to be unlikely in it.
    static let minimumWordConfidence = 0.6

    /// Minimum probability that a text is the heading above a dish, for its allergens to be likely in the dish.
    static let minimumHeadingCertainty = 0.6

    /// The same judge with another detector of the same lexicons.
    func with(_ detector: FindingDetector) -> MenuJudge {
        MenuJudge(detector: detector, rules: rules, reader: reader)
    }

    /// A menu layout with its legend.
    struct Page: Sendable {
        var menu: MenuPage
        var legend: Legend
        /// Lines that apply to the whole page.
        var notes: [[Word]]
        var hasHeading: Bool
    }

    func page(of print: PrintedPage) -> Page {
        var layout = reader.layout(of: print)
        var legend = MenuLegend(layout, detector: detector)
        // "1,7" may be a price until the legend is known.
        if let explained = print.explaining(legend.legend.codes, behind: legend.headingsOfCodes) {
            layout = reader.layout(of: explained)
            legend = MenuLegend(layout, detector: detector)
        }
        let menu = reader.page(layout, fixed: legend.roles)
        // A card of a week needs no other heading.
        let hasHeading = menu.days >= Self.leastDays || layout.texts.contains { isMenuHeading($0.tokens) }
        return Page(menu: menu, legend: legend.legend, notes: legend.notes, hasHeading: hasHeading)
    }

    private func isMenuHeading(_ tokens: [Token]) -> Bool {
        // "Menu 2" is a heading as "Menu" is.
        let words = tokens.count > 1 && tokens[tokens.count - 1].isNumber ? Array(tokens.dropLast()) : tokens
        guard (1...5).contains(words.count) else { return false }
        let lexiconIndex = detector.lexiconIndex
        let tokens = lexiconIndex.numbered(words)
        return lexiconIndex.phrases(at: 0, of: tokens).contains {
            $0.length == tokens.count && lexiconIndex.trie.roles[Int($0.node)] & Lexeme.Role.menuHeading.bit != 0
        }
    }

    /// - Parameters:
    ///   - house: dishes of the same kitchen with known allergens.
    ///   - reading: the lines of the page.
    ///   - reviews: what people said of its dishes, oldest first.
    func menu(
        from text: RecognizedText, _ page: Page, _ analysis: TextAnalysis, profiles: [AllergenProfile],
        house: [DeclaredDish] = [], reading: TextReading, reviews: [Review] = []
    ) -> Menu {
        let language = detector.language(of: analysis)
        var confidence = Confidence(reader.confidence(in: page.menu))
        if Self.unreadShare(of: reading) >= Self.largestUnreadShare {
            confidence = Confidence(min(confidence.score, Self.unreadConfidence))
        }
        let printed = page.menu.sections.flatMap(\.dishes)
        let codes = DishCodes(
            legend: page.legend, detector.lexiconIndex, of: printed)
        var context = PageContext(codes: codes, language: language, profiles: profiles)
        context.hasNotes = !page.notes.isEmpty
        context.notes = detector.findings(
            in: RecognizedText(rows: page.notes), language: language
        ).filter { $0.polarity == .mayContain }
        context.lines = reading.lines
        context.isLayoutUnsure = confidence.score < Self.minimumLayoutConfidence
        let loose = unassignedFindings(page.menu, language)
        context.unassigned = Set(loose.joined().map(\.allergen))
        let texts = printed.map(codes.text)
        context.habit = HouseObserver(detector: detector).habit(
            of: texts, by: page.legend, and: house, language: language)
        var unresolved: Set<String> = []
        var dishes: [ReadDish] = []
        let titles = page.menu.sections.enumerated().map { number, section in
            let heading = headingFindings(section.title, language)
            for dish in section.dishes {
                let isSure = dish.headingCertainty >= Self.minimumHeadingCertainty
                let nearby = loose[dishes.count] + (isSure ? heading : [])
                let judged = judge(texts[dishes.count], context, nearby: nearby)
                unresolved.formUnion(judged.unresolved)
                dishes.append(ReadDish(own: judged.item, printed: dish, nearby: nearby, section: number))
            }
            let title = section.title.joined().map(\.text).joined(separator: " ")
            return title.isEmpty ? nil : title
        }
        var corrections = DishCorrections(
            dishes, titles: titles, unread: unreadLines(page.menu, dishes, reading, context))
        corrections.take(reviews)
        let coverage = Coverage(
            ocrQuality: (text.meanConfidence() ?? 0).rounded(toPlaces: 4),
            unreadRegions: text.unreadLines, legendPresent: !page.legend.entries.isEmpty,
            unresolvedCodes: unresolved.sorted(), sourceKind: "dish")
        var menu = Menu(
            currency: page.menu.currency, sections: [], legend: page.legend.entries, coverage: coverage,
            confidence: confidence)
        corrections.write(into: &menu) { item($0, context) }
        let unclear = Set((menu.unread ?? []).compactMap(\.dish))
        for section in menu.sections.indices {
            for (place, item) in menu.sections[section].items.enumerated()
            where unclear.contains(item.corrected?.system?.name ?? item.name) {
                menu.sections[section].items[place].verdicts = item.verdicts.doubted
            }
        }
        let decided = menu.kitchenDecides(for: profiles.map(\.name))
        menu.kitchenDecides = decided.isEmpty ? nil : decided
        return menu
    }

    /// The findings and notes that apply to every dish of a page.
    struct PageContext {
        var codes: DishCodes
        var legend: Legend { codes.legend }
        var language: String?
        var profiles: [AllergenProfile]
        var notes: [AllergenFinding] = []
        var hasNotes = false
        var isLayoutUnsure = false
        /// Allergens in lines that may belong to any dish.
        var unassigned: Set<Allergen> = []
        var isFromPicture = true
        /// The habit of the kitchen, from the dishes that it declares.
        var habit: HouseHabit?
        /// The lines of the page.
        var lines: [TextLine] = []
    }

    /// Findings in unassigned lines, by the nearest dish. The dish may contain them; they declare nothing.
    private func unassignedFindings(_ page: MenuPage, _ language: String?) -> [[AllergenFinding]] {
        let count = page.sections.reduce(0) { $0 + $1.dishes.count }
        var result = [[AllergenFinding]](repeating: [], count: count)
        for line in page.loose where line.doubt >= Self.minimumLooseLineProbability {
            guard let dish = line.nearestDish, result.indices.contains(dish), !line.words.isEmpty else { continue }
            let text = RecognizedText(rows: [line.words])
            for var finding in detector.findings(in: text, language: language)
            where finding.polarity == .contains || finding.polarity == .likely {
                finding.polarity = .mayContain
                finding.probability = (finding.probability * line.doubt).rounded(toPlaces: 4)
                for index in finding.evidence.indices { finding.evidence[index].ruleId = "unassignedLine" }
                result[dish].append(finding)
            }
        }
        return result
    }

    /// An allergen in a heading is likely in the dishes below it.
    private func headingFindings(_ title: [[Word]], _ language: String?) -> [AllergenFinding] {
        guard !title.joined().isEmpty else { return [] }
        let text = RecognizedText(rows: title)
        return detector.findings(in: text, language: language).compactMap { finding in
            guard finding.polarity == .contains else { return nil }
            var finding = finding
            finding.polarity = .likely
            finding.strength = .dishKnowledge
            finding.probability = min(finding.probability, FindingDetector.prior(of: .dishKnowledge))
            for index in finding.evidence.indices { finding.evidence[index].ruleId = "heading" }
            return finding
        }
    }

    /// Judges one dish given as text. The lines below may hold the page's legend.
    /// - Parameter house: dishes of the same kitchen with known allergens.
    func item(
        ofText string: String, language: String?, profiles: [AllergenProfile], house: [DeclaredDish] = []
    ) -> Menu.Item {
        let legends = LegendParser(detector: detector)
        let lines = string.split(whereSeparator: \.isNewline).map(String.init)
        var legend = Legend()
        var printed: [[Word]] = []
        var isInLegend = false
        for (number, line) in lines.enumerated() {
            if number > 0 {
                isInLegend = isInLegend || legends.isHeading(line) || legends.looksLikeEntries(line)
                let entries = legends.entries(in: line, isInLegend: isInLegend)
                for entry in entries { legend.bind(entry.code, to: entry.meaning) }
                if isInLegend || !entries.isEmpty { continue }
            }
            printed.append(line.split(separator: " ").map { Self.word(String($0)) })
        }
        detector.schemes.complete(&legend, page: string)
        let codes = DishCodes(legend: legend, detector.lexiconIndex)
        var context = PageContext(codes: codes, language: language, profiles: profiles)
        context.isFromPicture = false
        context.habit = HouseObserver(detector: detector).habit(of: house, language: language)
        return judge(codes.text([], printed), context, nearby: []).item
    }

    private static func word(_ text: String) -> Word {
        Word(text: text, confidence: 1, box: Quad(x: 0, y: 0, width: 0, height: 0))
    }

    func judge(
        _ dish: DishWords, _ context: PageContext, nearby: [AllergenFinding]
    ) -> (item: Menu.Item, unresolved: [String]) {
        let (legend, language) = (context.legend, context.language)
        let rows = ([dish.name] + dish.description).filter { !$0.isEmpty }
        let text =
            context.isFromPicture
            ? RecognizedText(rows: rows)
            : RecognizedText(rows.map { $0.map(\.text).joined(separator: " ") }.joined(separator: "\n"))
        let (coded, unresolved, declares) = codeFindings(dish.codes, legend, language ?? "und", context.isFromPicture)
        // A habit says nothing new of a dish that declares its allergens, and must not weaken what its name hints at.
        let known = detector.dishFindings(
            in: text, language: language, habit: declares ? nil : context.habit,
            coded: Set(coded.filter { $0.polarity == .freeClaim }.map(\.allergen)))
        var findings = known.findings
        let own = Set((findings + coded).map(\.allergen))
        findings = detector.calibration.applied(
            to: FindingDetector.merged(
                findings + coded + context.notes + nearby.filter { !own.contains($0.allergen) }), isDish: true)
        let confidence =
            context.isFromPicture ? text.appending(dish.codes.map(\.word)).meanConfidence() ?? 0 : 1
        let absenceClaim: VerdictRules.AbsenceClaim =
            if text.isEmpty {
                .unsupported(reason: "nothingRead")
            } else if !declares {
                .unsupported(reason: unresolved.isEmpty ? AllergenVerdict.noDeclaration : "unresolvedCodes")
            } else if !unresolved.isEmpty {
                .unsupported(reason: "unresolvedCodes")
            } else if context.hasNotes && context.notes.isEmpty {
                // "May contain traces of other allergens" retracts the absence claim of the legend.
                .unsupported(reason: "crossContact")
            } else if min(confidence, lowestConfidence(dish.codes, context.isFromPicture))
                < VerdictRules.minimumReadingQuality
            {
                .unsupported(reason: "lowReadingQuality")
            } else if context.isLayoutUnsure || !dish.areCodesSure {
                .unsupported(reason: "layoutUnsure")
            } else {
                .supported(for: legend.declared.subtracting(context.unassigned))
            }
        // A word or code that was lost or misread may have named the allergen, so what is badly read only raises.
        let lowest = context.isFromPicture ? rows.joined().map(\.confidence).min() ?? 0 : 1
        let isDoubtful =
            confidence < VerdictRules.minimumReadingQuality || lowest < Self.minimumWordConfidence
            || context.isLayoutUnsure || !declares && !legend.entries.isEmpty
            || context.hasNotes && context.notes.isEmpty
        let seldom = known.seldom.filter {
            $0.probability >= AllergenVerdict.askFirst || !isDoubtful && !context.unassigned.contains($0.allergen)
        }
        let description = Self.joined(dish.description)
        let item = Menu.Item(
            name: dish.name.map(\.text).joined(separator: " "), description: description.isEmpty ? nil : description,
            prices: dish.prices, box: Quad(around: dish.boxes), findings: findings,
            verdicts: rules.verdicts(
                findings: findings, seldom: seldom, absenceClaim: absenceClaim, profiles: context.profiles),
            confidence: confidence.rounded(toPlaces: 4))
        return (item, unresolved)
    }

    /// Lines as one text. A word that the print divided, "überba-" and "cken", is whole again; "Jäger-" before a short word is
    /// not: "Jäger- oder Balkanwurst".
    private static func joined(_ lines: [[Word]]) -> String {
        lines.reduce(into: "") { text, line in
            let next = line.map(\.text).joined(separator: " ")
            if text.hasSuffix("-"), text.dropLast().last?.isLowercase == true, next.first?.isLowercase == true,
                let first = line.first, first.text.count > longestJoiner
            {
                text.removeLast()
                text += next
            } else {
                text += text.isEmpty ? next : " " + next
            }
        }
    }

    /// "oder", "und", "bis".
    private static let longestJoiner = 4

    /// The lowest confidence of the codes. One misread letter would name another allergen.
    private func lowestConfidence(_ codes: [PrintedCode], _ isFromPicture: Bool) -> Double {
        isFromPicture ? codes.map(\.word.confidence).min() ?? 1 : 1
    }

    /// Findings from the codes of a dish. `declares` is true if a code declares an allergen by the page's legend.
    func codeFindings(
        _ codes: [PrintedCode], _ legend: Legend, _ language: String, _ isFromPicture: Bool
    ) -> (findings: [AllergenFinding], unresolved: [String], declares: Bool) {
        var findings: [AllergenFinding] = []
        var unresolved: [String] = []
        var declares = false
        for (code, word) in codes {
            var bindings: [Legend.Binding] = []
            if let meaning = legend.meaning(of: code) {
                if case .allergens(let bound) = meaning { bindings = bound }
            } else if let claim = detector.lexiconIndex.claimCodes[code] {
                bindings = [Legend.Binding(allergen: claim.allergen, leaf: nil, polarity: claim.polarity)]
            } else if !detector.lexiconIndex.dietCodes.contains(code) {
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
}
