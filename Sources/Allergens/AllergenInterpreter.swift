import Vocabulary

/// Reads allergens out of text: menus, labels, catalogue records. Pure; holds the lexicons and nothing that changes.
public struct AllergenInterpreter: Sendable {
    /// What a text is taken from; it decides which knowledge applies.
    public enum TextKind: String, Sendable, Hashable, CaseIterable { case label, dish, menuLine }

    /// The versions of all lexicons, `de@1+en@1`; stored with every outcome.
    public let lexiconVersion: String
    /// The languages that verdicts can rest on, BCP 47.
    public let languages: [String]

    private let models: ModelFolder
    private let detector: FindingDetector
    private let labels: LabelJudge
    private let menus: MenuJudge

    /// Loads and checks the lexicons.
    /// - Throws: `StartupError` that names the file and the entry.
    public init(models: ModelFolder) throws {
        let lexicons = try AllergenLexicon.loadAll(from: models)
        let indexes = lexicons.map(LexiconIndex.init)
        self.models = models
        lexiconVersion = lexicons.map { "\($0.language)@\($0.version)" }.joined(separator: "+")
        languages = lexicons.map(\.language)
        detector = FindingDetector(lexicons: indexes)
        labels = LabelJudge(lexicons: indexes, detector: detector)
        menus = MenuJudge(lexicons: indexes, detector: detector)
    }

    /// The menu in the text; nil where it is none.
    /// - Parameter forced: whether a person said that it is a menu: then poor text too gives one, whose verdicts say what
    ///   cannot be told.
    public func menu(from reading: TextReading, profiles: [AllergenProfile], forced: Bool = false) -> Menu? {
        let page = PageLevel(of: reading)
        return menus.menu(from: page.level(reading), profiles: profiles, isForced: forced).map(page.restored)
    }

    /// The label in the text; nil where there is neither an ingredient list nor a declaration.
    public func label(from reading: TextReading, profiles: [AllergenProfile], forced: Bool = false) -> Label? {
        let page = PageLevel(of: reading)
        return labels.label(from: page.level(reading), profiles: profiles, isForced: forced).map(page.restored)
    }

    /// How much the text looks like a menu and like a label, 0…1 each; below .5 it is none.
    public func kind(of reading: TextReading) -> (menuScore: Double, labelScore: Double) {
        let layout = LabelParser(lexicons: detector.lexicons).parse(ReadText(lines: reading.lines))
        let labelScore = layout.lists.isEmpty ? (layout.hasStatement ? 0.6 : 0) : 0.95
        return (menus.score(of: PageLevel(of: reading).level(reading)), labelScore)
    }

    /// Findings of a plain text, names of dishes included.
    /// - Parameter language: BCP 47, nil or `und` where not known.
    public func findings(inText text: String, language: String?) -> [AllergenFinding] {
        detector.findings(in: ReadText(text), language: language, includesDishes: true)
    }

    /// Findings and verdicts of one text without a picture: a label's list, a dish's name and description, or a menu line
    /// whose page's legend may follow on the lines below it.
    public func judgement(
        ofText text: String, language: String?, kind: TextKind, profile: AllergenProfile
    ) -> (findings: [AllergenFinding], verdicts: [Allergen: AllergenVerdict]) {
        switch kind {
        case .label:
            let label = labels.label(ofText: text, language: language, sourceKind: "label", profiles: [profile])
            return (label.findings, label.verdicts[profile.name] ?? [:])
        case .dish, .menuLine:
            return menus.judgement(ofText: text, language: language, profile: profile)
        }
    }

    /// What a catalogue's record says of a product. It never clears anything that the photo names.
    /// - Parameters:
    ///   - ingredients: the record's ingredient text, in any language.
    ///   - declared: its allergen tags, `milk` or `en:sesame-seeds`.
    public func productFindings(ingredients: String, declared: [String]) -> [AllergenFinding] {
        let label = labels.label(ofText: ingredients, language: nil, sourceKind: "catalogue", profiles: [])
        let tags = declared.flatMap { tag -> [AllergenFinding] in
            let word = tag.split(separator: ":").last.map(String.init) ?? tag
            return detector.findings(in: ReadText(word), language: nil, includesDishes: false).filter {
                $0.polarity == .contains
            }
        }
        let declarations = tags.map { finding in
            var finding = finding
            finding.strength = .declared
            finding.probability = FindingDetector.prior(of: .declared)
            for index in finding.evidence.indices { finding.evidence[index].ruleId = "declaration" }
            return finding
        }
        return FindingDetector.merged(declarations + label.findings)
    }

    /// A profile that comes with the program: `everyone`.
    /// - Throws: `StartupError` where there is none of the name or it is not of its schema.
    public func profile(named name: String) throws -> AllergenProfile {
        try ProfileFile.load(named: name, from: models)
    }
}
