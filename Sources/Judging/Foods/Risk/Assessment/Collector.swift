import Core

/// Collects the ingredients of one product and numbers their citations.
struct Collector {
    private let risk: RiskInterpreter
    private let circumstances: RiskInterpreter.Circumstances
    private let rules: LevelRules
    private let unread: Set<String>
    private let index: SubjectIndex
    private let reader: String

    private var found: [Found] = []
    private var names: Set<String> = []
    private var scalars: [Unicode.Scalar] = []
    private var items: [(IngredientList.Item, [SubjectFinder.Mention])] = []
    /// Document → its number in the output, and the documents in that order.
    private var numbers: [Int: Int] = [:]
    private var documents: [Int] = []
    /// The subjects of each additive found.
    private var namedAdditives: Set<Set<String>> = []
    private var hasSweetener = false
    private var isProhibited = false

    /// An ingredient and the list that it belongs to.
    private struct Found {
        enum Group { case high, moderate, low, noLevel, noEvidence, notRead }
        var group: Group
        var ingredient: IngredientAssessment.Ingredient
        var isAdditive: Bool
    }

    init(_ risk: RiskInterpreter, _ circumstances: RiskInterpreter.Circumstances, unread: Set<String> = []) {
        self.risk = risk
        self.circumstances = circumstances
        self.unread = unread
        index = risk.release.index
        rules = LevelRules(
            jurisdiction: circumstances.jurisdiction, date: circumstances.date ?? risk.release.date)
        reader = SentencesFile.languages.contains(circumstances.reader) ? circumstances.reader : "en"
    }

    mutating func add(_ text: String) {
        let list = IngredientList.items(of: text, language: circumstances.language, index: index)
        let finder = SubjectFinder(index: index, language: circumstances.language)
        scalars = list.scalars
        for item in list.items {
            let mentions = item.isClass ? [] : finder.mentions(in: item)
            items.append((item, mentions))
            for mention in mentions { add(mention, in: item, isOnly: mentions.count == 1) }
        }
    }

    // MARK: One ingredient

    private mutating func add(_ mention: SubjectFinder.Mention, in item: IngredientList.Item, isOnly: Bool) {
        let name = displayed(mention.range)
        guard !name.isEmpty, names.insert(Folding.fold(name)).inserted else { return }
        let entries = mention.entries.filter { !index.entries[$0].isAdditive || index.counts($0, mention, item) }
        var ingredient = IngredientAssessment.Ingredient(
            name: name, risk: risk.release.nothing(.evidence, on: entries.map { index.entries[$0] }, language: reader),
            percent: isOnly ? item.percent : nil)
        ingredient.subjects = entries.map { index.entries[$0].id }
        // "sodium benzoate (E211)" is one ingredient with two names.
        if !entries.isEmpty, entries.allSatisfy({ index.entries[$0].isAdditive }) {
            guard namedAdditives.insert(Set(ingredient.subjects)).inserted else { return }
        }
        hasSweetener = hasSweetener || entries.contains { index.entries[$0].isNonNutritiveSweetener }
        let isAdditive = entries.contains { index.entries[$0].isAdditive }
        guard !entries.isEmpty, !isUnread(item) else {
            let isUnclear = isUnread(item) || mention.isNearlyKnown
            if isUnclear {
                ingredient.risk = Self.notRead(reader)
                ingredient.subjects = []
            }
            found.append(
                Found(group: isUnclear ? .notRead : .noEvidence, ingredient: ingredient, isAdditive: false))
            return
        }
        let records = shownRecords(of: entries)
        let result = rules.result(for: records)
        isProhibited = isProhibited || result.isProhibited
        fill(&ingredient, records, result)
        addOverview(of: entries, to: &ingredient)
        let group: Found.Group =
            switch result.level {
            case .high: .high
            case .moderate: .moderate
            case .low: .low
            case nil: records.isEmpty ? .noEvidence : .noLevel
            }
        found.append(Found(group: group, ingredient: ingredient, isAdditive: isAdditive))
    }

    private func isUnread(_ item: IngredientList.Item) -> Bool {
        !unread.isEmpty && item.words.contains { $0.text.utf8.count >= 3 && unread.contains($0.text) }
    }

    /// The records that may be shown: the user's jurisdiction first, then the newest.
    private func shownRecords(of entries: [Int]) -> [EvidenceRelease.Record] {
        var numbers = entries.first.map { risk.release.shownRecords(of: index.entries[$0].id) } ?? []
        if entries.count > 1 {
            // Numbers of records rise from the newest to the oldest.
            let others = entries.dropFirst().flatMap { risk.release.shownRecords(of: index.entries[$0].id) }
            numbers = Set(numbers).union(others).sorted()
        }
        let records = numbers.map { risk.release.shownRecord($0) }
        guard let jurisdiction = circumstances.jurisdiction else { return records }
        return records.filter { $0.statement.jurisdiction == jurisdiction }
            + records.filter { $0.statement.jurisdiction != jurisdiction }
    }

    private static let aboutHealth: Set<String> = [
        "guidance-value", "risk-assessment", "exposure", "dose-response", "intake-guideline", "hazard-classification",
        "label-warning", "study",
    ]

    private mutating func fill(
        _ ingredient: inout IngredientAssessment.Ingredient, _ records: [EvidenceRelease.Record],
        _ result: LevelRules.Result
    ) {
        guard !records.isEmpty else { return }
        let order = result.deciding + records.indices.filter { !result.deciding.contains($0) }
        var cited: [Int] = []
        for position in order {
            let record = records[position]
            let one = record.statement
            let citations = record.documents.map { number(of: $0) }
            for citation in citations where !cited.contains(citation) { cited.append(citation) }
            let text = record.sentences[reader] ?? ""
            ingredient.statements.append(
                .init(
                    id: one.id, text: text, kind: one.kind, jurisdiction: one.jurisdiction, body: one.body,
                    date: one.date, effective: one.effective, status: one.status.rawValue, evidence_level: one.level,
                    citations: citations))
            if Self.aboutHealth.contains(one.kind), !ingredient.health_risks.contains(text) {
                ingredient.health_risks.append(text)
            }
        }
        ingredient.risk_level = result.level
        ingredient.rule = result.rule
        ingredient.citations = cited
        ingredient.dose = dose(of: ingredient, records)
        if let first = ingredient.statements.first { ingredient.risk = first.text }
    }

    /// The share of a daily value, if the label states the amount.
    private mutating func dose(
        of ingredient: IngredientAssessment.Ingredient, _ records: [EvidenceRelease.Record]
    ) -> IngredientAssessment.Dose? {
        let known = DoseShare(circumstances: circumstances, scalars: scalars)
        guard let found = known.share(of: ingredient.subjects, ingredient.percent, records) else {
            return nil
        }
        var dose = found.dose
        let record = records[found.record]
        guard let text = risk.release.sentences.sentence(of: dose, about: record.statement, language: reader) else {
            return nil
        }
        dose.text = text
        dose.citations = record.documents.map { number(of: $0) }
        return dose
    }

    /// What the ingredient is and what it is used for, with the sources.
    private mutating func addOverview(of entries: [Int], to ingredient: inout IngredientAssessment.Ingredient) {
        guard let overview = risk.release.overview(of: entries.map { index.entries[$0] }, language: reader) else {
            return
        }
        ingredient.common_uses = overview.uses
        ingredient.overview = overview.text
        for document in overview.documents {
            let citation = number(of: document)
            if !ingredient.citations.contains(citation) { ingredient.citations.append(citation) }
        }
    }

    private mutating func number(of document: Int) -> Int {
        if let known = numbers[document] { return known }
        documents.append(document)
        numbers[document] = documents.count
        return documents.count
    }

    private func displayed(_ range: Range<Int>) -> String {
        var text = String.UnicodeScalarView()
        var isBlank = false
        for scalar in scalars[range] {
            if Folding.isSpace(scalar) || Folding.isNewline(scalar) {
                isBlank = !text.isEmpty
            } else {
                if isBlank { text.append(" ") }
                isBlank = false
                text.append(scalar)
            }
        }
        return String(text)
    }

    static func notRead(_ reader: String) -> String {
        reader == "de" ? "Nicht sicher gelesen" : "Could not be read"
    }

    // MARK: The product

    /// The assessment of all that was added. It numbers further citations.
    mutating func assessment() -> IngredientAssessment {
        let nutrition = self.nutrition()
        let components = IngredientAssessment.Components(
            nutrition: nutrition, additives: additives(), processing: processing())
        var summary = IngredientAssessment.Summary(
            grade: nutrition.grade, score: nutrition.score, scale: nutrition.grade == nil ? nil : "nutriscore-2023",
            reason: nutrition.grade == nil ? nutrition.reason : nil)
        if isProhibited {
            summary.grade = "F"
            summary.reason = "use prohibited"
        }
        func those(_ group: Found.Group) -> [IngredientAssessment.Ingredient] {
            found.lazy.filter { $0.group == group }.map(\.ingredient)
        }
        return IngredientAssessment(
            jurisdiction: circumstances.jurisdiction, language: reader, risk_summary: summary,
            high_risk: those(.high), moderate_risk: those(.moderate), low_risk: those(.low), no_level: those(.noLevel),
            no_evidence: those(.noEvidence), not_read: those(.notRead),
            citations: documents.enumerated().map { position, number in
                let document = risk.release.documents[number]
                return .init(
                    id: position + 1, title: document.title, source: document.source, year: document.year,
                    url: document.url, ref: document.id)
            }, components: components, limits: limits(nutrition))
    }

    private mutating func nutrition() -> IngredientAssessment.Nutrition {
        guard let table = circumstances.nutrition else {
            return .init(reason: circumstances.hasTable ? "nutrition not per 100 g" : "nutrition not read")
        }
        let known = risk.nutriScore.classification(of: circumstances.categories)
        guard !known.isExempt else {
            return .init(reason: "category without Nutri-Score", confidence: table.confidence)
        }
        var flags = circumstances.flags
        flags.cheese = flags.cheese ?? known.flags.cheese
        flags.red_meat = flags.red_meat ?? known.flags.red_meat
        flags.water = flags.water ?? known.flags.water
        if hasSweetener, flags.non_nutritive_sweeteners == nil { flags.non_nutritive_sweeteners = true }
        let category = circumstances.category ?? known.category
        guard let score = risk.nutriScore.score(of: table, category ?? .general, flags) else {
            return .init(reason: "nutrition incomplete", confidence: table.confidence)
        }
        let citations = risk.release.document(EvidenceRelease.nutriScoreDocument).map { [number(of: $0)] } ?? []
        return .init(
            grade: score.grade, score: score.score, points: score.points,
            assumptions: score.assumptions + (category == nil ? ["categoryGeneral"] : [])
                + (known.isPrepared ? ["asSold"] : []),
            confidence: table.confidence, citations: citations)
    }

    private func additives() -> IngredientAssessment.Additives {
        func those(_ group: Found.Group) -> [String] {
            found.lazy.filter { $0.isAdditive && $0.group == group }.map(\.ingredient.name)
        }
        return .init(
            high: those(.high), moderate: those(.moderate), low: those(.low), no_level: those(.noLevel),
            no_evidence: those(.noEvidence), confidence: readShare)
    }

    /// Share of the ingredients that were read.
    private var readShare: Double {
        found.isEmpty
            ? 0 : (1 - Double(found.count { $0.group == .notRead }) / Double(found.count)).rounded(toPlaces: 4)
    }

    private mutating func processing() -> IngredientAssessment.Processing {
        let group = risk.nova.group(of: items, scalars, circumstances.language, circumstances.categories)
        guard let number = group.group else { return .init() }
        // A component says that NOVA is disputed only together with the document that disputes it.
        let citations = risk.release.document(EvidenceRelease.novaDispute).map { [self.number(of: $0)] } ?? []
        return .init(nova_group: number, markers: group.markers, confidence: readShare, citations: citations)
    }

    private func limits(_ nutrition: IngredientAssessment.Nutrition) -> [String] {
        var limits: [String] = []
        let subjects = Set(found.flatMap(\.ingredient.subjects))
        if found.contains(where: { $0.ingredient.percent == nil }) { limits.append("amounts") }
        if !subjects.isDisjoint(with: IngredientWords.flavourings) { limits.append("flavourings") }
        if !subjects.isDisjoint(with: IngredientWords.enzymes) { limits.append("enzymes") }
        if found.contains(where: { $0.group == .notRead }) { limits.append("unread") }
        if nutrition.grade == nil { limits.append("nutrition") }
        return limits
    }
}
