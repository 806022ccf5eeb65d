import Documents
import Core

/// Interprets allergens in text: menus, labels, catalogue records. Holds the lexicons and has no mutable state.
public struct AllergenInterpreter: Sendable {
    /// The kind of text. It decides which knowledge applies.
    public enum TextKind: String, Sendable, Hashable, Codable, CaseIterable { case label, dish, menuLine }

    /// The versions of all lexicons, `de@1+en@1`. Every outcome stores them.
    public let lexiconVersion: String
    /// Languages with a complete lexicon, BCP 47. Only these can carry absence claims.
    public let languages: [String]

    /// A reference type, because copying an interpreter would otherwise retain every part.
    private final class Parts: Sendable {
        let detector: FindingDetector
        let labels: LabelJudge
        let menus: MenuJudge
        let rules: VerdictRules

        init(detector: FindingDetector, rules: VerdictRules, reader: MenuReader) {
            self.detector = detector
            self.rules = rules
            labels = LabelJudge(detector: detector, rules: rules)
            menus = MenuJudge(detector: detector, rules: rules, reader: reader)
        }
    }

    private let parts: Parts
    var detector: FindingDetector { parts.detector }
    private var labels: LabelJudge { parts.labels }
    private var menus: MenuJudge { parts.menus }
    var rules: VerdictRules { parts.rules }

    /// Loads and checks lexicons and regimes.
    /// - Parameter isCalibrated: false returns the raw evidence strengths, which the calibration tables are fitted
    ///   to.
    /// - Throws: `StartupError` with the file and the entry.
    public init(models: ModelFolder, isCalibrated: Bool = true) throws {
        let (vocabulary, sources) = try VocabularyFile.load(from: models)
        let regimes = try AllergenRegime.loadAll(from: models)
        guard let union = regimes["eu14"] else {
            throw StartupError(.unavailable, "models/regimes/eu14.json is missing: restore it from the repository")
        }
        let everyday = try EverydayWords(models: models)
        let lexiconIndex = LexiconIndex(vocabulary, everyday: everyday)
        let dishes = try DishModel.loadAll(from: models)
        let calibration = isCalibrated ? try Calibration(from: models) : Calibration()
        let houses = try HouseParameters(from: models)
        let reader = try MenuReader(from: models)
        let versions =
            vocabulary.lexicons.map { "\($0.language)@\($0.version)" }
            + [
                "vocabulary@\(String(sources, radix: 16))", "calibration@\(calibration.version)",
                "houses@\(houses.version)",
            ] + ["menus(\(reader.version))"]
            + dishes.keys.sorted().map { "dishes-\($0)@\(dishes[$0]?.version ?? "")" }
            + everyday.languages.map { "words-\($0)" }
        lexiconVersion = versions.joined(separator: "+")
        languages = lexiconIndex.languages
        let detector = FindingDetector(
            lexiconIndex: lexiconIndex, dishes: dishes, schemes: try LegendSchemes.load(from: models),
            calibration: calibration, exemptions: ExemptionFinder(Set(regimes.values).flatMap(\.exemptions)),
            houses: houses)
        parts = Parts(
            detector: detector,
            rules: VerdictRules(regimes: regimes, fallback: union, covered: Set(Allergen.eu14)),
            reader: reader)
    }

    /// Analyses the text of a photo, once for menus and labels.
    /// - Parameters:
    ///   - print: that of the reading; nil makes it.
    ///   - profiles: people whose personal words count.
    public func text(
        of reading: TextReading, print: PrintedPage? = nil, profiles: [AllergenProfile] = []
    ) -> PageText {
        let (labels, menus) = judges(for: profiles)
        let print = print ?? menus.reader.print(of: reading.lines)
        let text = RecognizedText(reading)
        let analysis = labels.detector.analyse(text, language: nil)
        return PageText(
            reading: reading, text: text, analysis: analysis,
            lists: LabelParser().parse(analysis, isPlain: false),
            page: menus.page(of: print), labels: labels, menus: menus)
    }

    /// The judges, extended by the personal words of the profiles.
    func judges(for profiles: [AllergenProfile]) -> (LabelJudge, MenuJudge) {
        guard profiles.contains(where: { $0.words?.isEmpty == false }) else { return (labels, menus) }
        var detector = detector
        detector.personal = PersonalWords(profiles)
        return (
            LabelJudge(detector: detector, rules: rules),
            menus.with(detector)
        )
    }

    /// Findings of a plain text, including names of dishes.
    /// - Parameter language: BCP 47; nil or `und` if unknown.
    public func findings(inText text: String, language: String?) -> [AllergenFinding] {
        detector.dishFindings(in: RecognizedText(text), language: language).findings
    }

    /// Findings and verdicts of a text without an image. The text is a label's list, a dish with its description, or
    /// a menu line. The lines below a menu line may hold the page's legend. Findings use the keys of the profile's
    /// regime.
    /// - Parameter house: dishes of the same kitchen with known allergens; not used for labels.
    public func judgement(
        ofText text: String, language: String?, kind: TextKind, profile: AllergenProfile, house: [DeclaredDish] = []
    ) -> TextJudgement {
        var judgement: TextJudgement
        let (labels, menus) = judges(for: [profile])
        switch kind {
        case .label:
            let reading = labels.reading(of: RecognizedText(text), language: language)
            judgement = TextJudgement(
                findings: reading.findings,
                verdicts: rules.verdicts(
                    findings: reading.findings, absenceClaim: reading.absenceClaim, profile: profile),
                unclear: reading.unclear)
        case .dish, .menuLine:
            let item = menus.item(ofText: text, language: language, profiles: [profile], house: house)
            judgement = TextJudgement(findings: item.findings, verdicts: item.verdicts[profile.name] ?? [:])
        }
        judgement.findings =
            rules.regime(named: profile.regime).findings(judgement.findings)
            + judgement.findings.filter { $0.allergen == .personal }
        return judgement
    }

    /// A profile for each regime, by name and alias, that must avoid all allergens of the regime.
    var everyoneProfiles: [String: AllergenProfile] {
        rules.regimes.mapValues { regime in
            AllergenProfile(
                name: regime.name, regime: regime.name,
                allergens: Dictionary(uniqueKeysWithValues: regime.allergens.map { ($0, .high) }))
        }
    }

    /// An allergen regime.
    /// - Throws: `StartupError` with the list of known regimes.
    public func regime(named name: String) throws -> AllergenRegime {
        guard let regime = rules.regimes[name.lowercased()] else {
            let known = Set(rules.regimes.values.map(\.name)).sorted().joined(separator: ", ")
            throw StartupError(.usage, "no regime \(name): there are \(known)")
        }
        return regime
    }

    /// Findings from a catalogue record of a product. They never clear an allergen that the photo names.
    /// - Parameters:
    ///   - ingredients: the ingredient text of the record, in any language.
    ///   - declared: the allergen tags of the record, `milk` or `en:sesame-seeds`.
    public func productFindings(ingredients: String, declared: [String]) -> [AllergenFinding] {
        let label = labels.label(ofText: ingredients, language: nil, sourceKind: "catalogue", profiles: [])
        let tags = declared.flatMap { tag -> [AllergenFinding] in
            let word = tag.split(separator: ":").last.map(String.init) ?? tag
            return detector.findings(in: RecognizedText(word), language: nil).filter {
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

/// Findings and verdicts of one text.
public struct TextJudgement: Sendable, Hashable, Codable {
    public var findings: [AllergenFinding]
    public var verdicts: [Allergen: AllergenVerdict]
    /// Recognised words that are in no lexicon. A person should check them.
    public var unclear: [String] = []
}
