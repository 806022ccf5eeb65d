import Menus
import Core

/// Reads allergens out of text: menus, labels, catalogue records. Pure; holds the lexicons and nothing that changes.
public struct AllergenInterpreter: Sendable {
    /// What a text is taken from; it decides which knowledge applies.
    public enum TextKind: String, Sendable, Hashable, Codable, CaseIterable { case label, dish, menuLine }

    /// The versions of all lexicons, `de@1+en@1`; stored with every outcome.
    public let lexiconVersion: String
    /// The languages that verdicts can rest on, BCP 47.
    public let languages: [String]

    /// In an object of its own: the interpreter is copied with every reference to it, and its parts are large.
    private final class Parts: Sendable {
        let models: ModelFolder
        let detector: FindingDetector
        let labels: LabelJudge
        let menus: MenuJudge
        let rules: VerdictRules

        init(models: ModelFolder, detector: FindingDetector, rules: VerdictRules, reader: MenuReader) {
            self.models = models
            self.detector = detector
            self.rules = rules
            labels = LabelJudge(detector: detector, rules: rules)
            menus = MenuJudge(detector: detector, rules: rules, reader: reader)
        }
    }

    private let parts: Parts
    private var models: ModelFolder { parts.models }
    private var detector: FindingDetector { parts.detector }
    private var labels: LabelJudge { parts.labels }
    private var menus: MenuJudge { parts.menus }
    var rules: VerdictRules { parts.rules }

    /// Loads and checks lexicons and regimes.
    /// - Throws: `StartupError` that names the file and the entry.
    /// - Parameter isCalibrated: false shows the strengths that the calibration tables are fitted to.
    public init(models: ModelFolder, isCalibrated: Bool = true) throws {
        let lexicons = try AllergenLexicon.loadAll(from: models)
        let regimes = try AllergenRegime.loadAll(from: models)
        guard let union = regimes["eu14"] else {
            throw StartupError(.unavailable, "models/regimes/eu14.json is missing: restore it from the repository")
        }
        let lexica = Lexica(lexicons)
        let dishes = try DishModel.loadAll(from: models)
        let calibration = isCalibrated ? try Calibration(from: models) : Calibration()
        let reader = try MenuReader(from: models)
        let versions =
            lexicons.map { "\($0.language)@\($0.version)" }
            + ["calibration@\(calibration.version)"] + ["menus(\(reader.version))"]
            + dishes.keys.sorted().map { "dishes-\($0)@\(dishes[$0]?.version ?? "")" }
        lexiconVersion = versions.joined(separator: "+")
        languages = lexica.languages
        let detector = FindingDetector(
            lexica: lexica, dishes: dishes, schemes: try LegendSchemes.load(from: models), calibration: calibration)
        parts = Parts(
            models: models, detector: detector,
            rules: VerdictRules(regimes: regimes, fallback: union, covered: Set(Allergen.eu14)),
            reader: reader)
    }

    /// What a photo's text is.
    public enum Page: Sendable, Hashable {
        case menu(Menu)
        case label(Label)
    }

    /// The menu or the label in the text; nil where it is neither. The text is analysed once for both. A menu may quote an
    /// ingredient list and a packet a price: where both fit, the likelier one is taken.
    /// - Parameter kind: what a person said that it is: then poor text too gives one, whose verdicts say what cannot be told.
    public func page(from reading: TextReading, profiles: [AllergenProfile], as kind: Kind? = nil) -> Page? {
        let (labels, menus) = judges(for: profiles)
        // The menu's layout levels the page by itself; a label's boxes are turned back.
        let photographed = reading
        let level = PageLevel(of: reading)
        let reading = level.level(reading)
        let text = ReadText(reading)
        let analysis = detector.analyse(text, language: nil)
        let page = kind == .label ? nil : menus.page(of: photographed)
        let layout = kind == .menu ? nil : LabelParser().parse(analysis, isPlain: false)
        let menuScore = kind == .menu ? 1 : page.map(menus.score) ?? 0
        let labelScore = kind == .label ? 1 : layout.map(Self.score) ?? 0
        if let page, menuScore >= 0.5, menuScore > labelScore {
            var menu = menus.menu(from: photographed, page, analysis, profiles: profiles)
            if profiles.count > 1 { menu.household = menu.ranked(for: profiles.map(\.name)) }
            return .menu(menu)
        }
        if let layout, labelScore >= 0.5 {
            return .label(level.restored(labels.label(from: reading, text, analysis, layout, profiles: profiles)))
        }
        return nil
    }

    /// The judges, with the words of these people where they have any.
    func judges(for profiles: [AllergenProfile]) -> (LabelJudge, MenuJudge) {
        guard profiles.contains(where: { $0.words?.isEmpty == false }) else { return (labels, menus) }
        var detector = detector
        detector.personal = PersonalWords(profiles)
        return (
            LabelJudge(detector: detector, rules: rules),
            MenuJudge(detector: detector, rules: rules, reader: menus.reader)
        )
    }

    /// What a person may say that a photo's text is.
    public enum Kind: Sendable, Hashable { case menu, label }

    /// How much the text looks like a menu and like a label, 0…1 each; below .5 it is none.
    public func kind(of reading: TextReading) -> (menuScore: Double, labelScore: Double) {
        let analysis = detector.analyse(ReadText(lines: reading.lines), language: nil)
        let labelScore = Self.score(LabelParser().parse(analysis, isPlain: false))
        return (menus.score(of: menus.page(of: reading)), labelScore)
    }

    private static func score(_ layout: LabelParser.Layout) -> Double {
        !layout.lists.isEmpty ? 0.95 : layout.hasStatement ? 0.6 : 0
    }

    /// Findings of a plain text, names of dishes included.
    /// - Parameter language: BCP 47, nil or `und` where not known.
    public func findings(inText text: String, language: String?) -> [AllergenFinding] {
        detector.findings(in: ReadText(text), language: language, includesDishes: true)
    }

    /// Findings and verdicts of one text without a picture: a label's list, a dish's name and description, or a menu line
    /// whose page's legend may follow on the lines below it. Findings are in the keys of the profile's regime.
    public func judgement(
        ofText text: String, language: String?, kind: TextKind, profile: AllergenProfile
    ) -> TextJudgement {
        var judgement: TextJudgement
        let (labels, menus) = judges(for: [profile])
        switch kind {
        case .label:
            let reading = labels.reading(of: ReadText(text), language: language)
            judgement = TextJudgement(
                findings: reading.findings,
                verdicts: rules.verdicts(findings: reading.findings, silence: reading.silence, profile: profile),
                unclear: reading.unclear)
        case .dish, .menuLine:
            judgement = menus.judgement(ofText: text, language: language, profile: profile)
        }
        judgement.findings =
            rules.regime(named: profile.regime).findings(judgement.findings)
            + judgement.findings.filter { $0.allergen == .personal }
        return judgement
    }

    /// For each regime, by name and alias, a person who must avoid all that it lists.
    var everyones: [String: AllergenProfile] {
        rules.regimes.mapValues { regime in
            AllergenProfile(
                name: regime.name, regime: regime.name,
                allergens: Dictionary(uniqueKeysWithValues: regime.allergens.map { ($0, .high) }))
        }
    }

    /// A law's list of allergens.
    /// - Throws: `StartupError` that lists the regimes there are.
    public func regime(named name: String) throws -> AllergenRegime {
        guard let regime = rules.regimes[name.lowercased()] else {
            let known = Set(rules.regimes.values.map(\.name)).sorted().joined(separator: ", ")
            throw StartupError(.usage, "no regime \(name): there are \(known)")
        }
        return regime
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
}

/// What one text came to.
public struct TextJudgement: Sendable, Hashable, Codable {
    public var findings: [AllergenFinding]
    public var verdicts: [Allergen: AllergenVerdict]
    /// Words that no lexicon knows, as printed: what a person should look at.
    public var unclear: [String]

    public init(findings: [AllergenFinding], verdicts: [Allergen: AllergenVerdict], unclear: [String] = []) {
        self.findings = findings
        self.verdicts = verdicts
        self.unclear = unclear
    }
}
