import Core
import Dispatch
import Foundation
import Synchronization

/// Sentences around names for `VocabularyRelations`: `models/relations/sentences.json`.
struct RelationSentences: DataFile {
    static let schema = "tablesight.relations/1"

    /// The sentences of one language; `%s` is a place for a name.
    struct Language: Sendable, Decodable {
        /// A list of ingredients with two places.
        var list: String
        /// A list with one place.
        var alone: String
        var traces, declared, factory: String
        /// Sentences without a food, which take nothing back.
        var notes: [String]
        /// The word for "and".
        var joiner: String
        /// Foods without an allergen of `Allergen.eu14`.
        var harmless: [String]
    }

    var languages: [String: Language]
}

/// Generates texts from the lists of names, and checks that verdicts keep relations between them: property tests of the
/// vocabulary, without an example that somebody typed.
///
/// Expected allergens come from the lists, never from a verdict. A false reassurance is a text that names an allergen by its
/// list and gets NOT_FOUND_IN_TEXT; a false alarm is a text without an allergen's name that gets CONTAINS.
public struct VocabularyRelations: Sendable {
    /// What a text must keep, each a sentence of the design.
    public enum Relation: String, Sendable, CaseIterable {
        /// A name is found wherever it stands: in a list, declared, as traces, of a factory.
        case places
        /// A name is found in every form of print: capitals, broken, spaced, marked, with a share.
        case forms
        /// A sentence, line, dish or claim that is added lowers no verdict.
        case additions
        /// The order of sentences changes no warning into a reassurance.
        case order
        /// A text in two languages says what each half says.
        case languages
        /// A name with one misread letter is never "not mentioned".
        case misread
        /// The same text through every door has the same verdict.
        case doors
        /// Names that share a last part are both found.
        case joined
        /// A trap never contains what it only looks like.
        case traps
        /// A text without an allergen's name is silent.
        case silence
    }

    /// A text that broke a relation.
    public struct Failure: Sendable, Hashable {
        public var relation: Relation
        public var language, name, allergen, text, verdict: String
    }

    /// What a run counted.
    public struct Report: Sendable {
        public var texts = 0
        public var counts: [Relation: Int] = [:]
        public var falseReassurances: [Relation: Int] = [:]
        public var falseAlarms: [Relation: Int] = [:]
        /// At most a hundred of each relation.
        public var failures: [Failure] = []

        mutating func add(_ other: Report) {
            texts += other.texts
            counts.merge(other.counts, uniquingKeysWith: +)
            falseReassurances.merge(other.falseReassurances, uniquingKeysWith: +)
            falseAlarms.merge(other.falseAlarms, uniquingKeysWith: +)
            failures += other.failures
        }
    }

    private struct Name: Sendable {
        var text: String
        var allergens: [Allergen]
    }

    private let interpreter: AllergenInterpreter
    private let profile: AllergenProfile
    private let sentences: [String: RelationSentences.Language]
    private let names, traps: [String: [Name]]
    /// Everyday words; only their places are tested, because their forms and misreadings are everyday words too.
    private let homographs: [String: [Name]]
    private let languages: [String]
    /// The folded traps of all languages.
    private let hidden: Set<String>

    /// - Throws: ``StartupError`` with the file and the entry.
    public init(_ interpreter: AllergenInterpreter, models: ModelFolder) throws {
        self.interpreter = interpreter
        profile = try AllergenProfile.shipped(named: "everyone", in: models)
        sentences = try models.load(RelationSentences.self, from: "relations/sentences.json").languages
        languages = sentences.keys.sorted()
        let sources = try VocabularySources(models: models)
        var names: [String: [String: Set<Allergen>]] = [:]
        var traps = names
        var homographs = names
        for lexicon in sources.lexicons {
            for entry in lexicon.entries where [.ingredient, .declaration].contains(entry.kind) {
                for word in entry.words {
                    names[lexicon.language, default: [:]][word, default: []].insert(entry.allergen)
                }
            }
            for trap in lexicon.traps {
                for word in trap.words {
                    traps[lexicon.language, default: [:]][word, default: []].formUnion(trap.names.map(\.allergen))
                }
            }
        }
        for row in sources.lists.flatMap(\.list.entries) {
            for (language, own) in row.names {
                for name in own {
                    let named = row.allergens.map(\.allergen)
                    switch row.kind {
                    case .trap: traps[language, default: [:]][name, default: []].formUnion(named)
                    case .homograph: homographs[language, default: [:]][name, default: []].formUnion(named)
                    case .food, .composite: names[language, default: [:]][name, default: []].formUnion(named)
                    }
                }
            }
        }
        // A name that a trap of its language contradicts says what the trap says; the compiler lists such names.
        let hidden = traps.mapValues { Set($0.keys.map { Folding.words(of: $0).joined(separator: " ") }) }
        self.hidden = hidden.values.reduce(into: []) { $0.formUnion($1) }
        func sorted(_ all: [String: [String: Set<Allergen>]], isTrap: Bool) -> [String: [Name]] {
            all.reduce(into: [:]) { result, own in
                result[own.key] = own.value.compactMap { text, allergens -> Name? in
                    let folded = Folding.words(of: text)
                    let listed = Set(allergens).intersection(Allergen.eu14)
                    guard folded.joined().utf8.count >= 3, isTrap || !listed.isEmpty,
                        isTrap || hidden[own.key]?.contains(folded.joined(separator: " ")) != true
                    else { return nil }
                    return Name(text: text, allergens: listed.sorted { $0.rawValue < $1.rawValue })
                }.sorted { $0.text < $1.text }
            }
        }
        self.names = sorted(names, isTrap: false)
        self.homographs = sorted(homographs, isTrap: false)
        // A trap that a name contradicts is left out by the compiler.
        self.traps = sorted(traps, isTrap: true).reduce(into: [:]) { result, own in
            let named = names[own.key].map { Set($0.keys.map { Folding.words(of: $0).joined(separator: " ") }) } ?? []
            result[own.key] = own.value.filter { !named.contains(Folding.words(of: $0.text).joined(separator: " ")) }
        }
    }

    /// - Parameters:
    ///   - texts: number of texts, shared evenly by the relations.
    ///   - seed: the same seed gives the same texts.
    public func run(texts: Int, seed: UInt64) -> Report {
        let parts = 64
        let report = Mutex(Report())
        DispatchQueue.concurrentPerform(iterations: parts) { part in
            // Hashed, because streams whose states differ by a step of the generator overlap.
            var random = SplitMix(state: PhraseTrie.hash("\(seed) \(part)".utf8))
            var own = Report()
            let share = texts / parts + (part < texts % parts ? 1 : 0)
            let all = Relation.allCases
            var number = part
            while own.texts < share {
                check(all[number % all.count], &random, &own)
                number += 1
            }
            report.withLock { $0.add(own) }
        }
        return report.withLock { $0 }
    }

    /// A text that names something, and that name.
    public struct Sample: Sendable {
        public var language, name, text: String
    }

    /// Lists of ingredients in all languages, each with one name in one form of print.
    ///
    /// - Parameter seed: the same seed gives the same texts.
    public func samples(count: Int, seed: UInt64) -> [Sample] {
        var random = SplitMix(state: PhraseTrie.hash("\(seed) samples".utf8))
        return (0..<count).compactMap { number in
            let language = languages[number % languages.count]
            guard let texts = sentences[language], let names = names[language], !names.isEmpty else { return nil }
            let name = names[random.below(names.count)].text
            let harmless = texts.harmless[random.below(texts.harmless.count)]
            return Sample(
                language: language, name: name,
                text: Self.fill(texts.list, [harmless, Self.form(of: name, &random)]))
        }
    }

    // MARK: Relations

    private func check(_ relation: Relation, _ random: inout SplitMix, _ report: inout Report) {
        let language = languages[random.below(languages.count)]
        guard let texts = sentences[language], let names = names[language], !names.isEmpty else { return }
        var name = names[random.below(names.count)]
        if relation == .places, let all = homographs[language], !all.isEmpty, random.below(8) == 0 {
            name = all[random.below(all.count)]
        }
        let harmless = texts.harmless[random.below(texts.harmless.count)]
        let plain = Self.fill(texts.list, [harmless, name.text])
        let note = texts.notes[random.below(texts.notes.count)]
        func warns(_ text: String, _ names: Name..., language own: String? = nil) {
            for name in names { expect(relation, own ?? language, name, text, &report) }
        }
        switch relation {
        case .places:
            let without = Self.fill(texts.list, [harmless, harmless])
            let places = [
                plain, Self.fill(texts.alone, [name.text]), without + " " + Self.fill(texts.traces, [name.text]),
                without + " " + Self.fill(texts.declared, [name.text]),
                without + " " + Self.fill(texts.factory, [name.text]),
            ]
            warns(places[random.below(places.count)], name)
        case .forms: warns(Self.fill(texts.list, [harmless, Self.form(of: name.text, &random)]), name)
        case .additions:
            let more = random.below(2) == 0 ? note + " " + plain : plain + " " + note
            warns(
                random.below(2) == 0
                    ? more : more + "\n" + Self.fill(texts.traces, [names[random.below(names.count)].text]), name)
        case .order:
            var all = [plain, note, Self.fill(texts.traces, [names[random.below(names.count)].text])]
            all.swapAt(random.below(3), random.below(3))
            warns(all.joined(separator: " "), name)
        case .languages:
            let other = languages[random.below(languages.count)]
            // A word that is a trap in the other language says two things.
            guard !Self.folded(name.text, in: hidden), let own = sentences[other],
                let foreign = self.names[other]?[random.below(self.names[other]?.count ?? 1)]
            else { return }
            guard !Self.folded(foreign.text, in: hidden) else { return }
            warns(
                plain + "\n\n" + Self.fill(own.list, [own.harmless[0], foreign.text]), name, foreign, language: "und")
        case .misread:
            // A misreading that is another word says what that word says.
            guard let misread = Self.misread(name.text, &random),
                !interpreter.detector.lexiconIndex.knowledge(of: Folding.fold(misread)).isWhole
            else { return }
            warns(Self.fill(texts.list, [harmless, misread]), name)
        case .doors: doors(language, name, plain, &report)
        case .joined:
            warns(
                Self.fill(
                    texts.list, [harmless, "\(name.text) \(texts.joiner) \(names[random.below(names.count)].text)"]),
                name)
        case .traps:
            guard let traps = traps[language], !traps.isEmpty else { return }
            let trap = traps[random.below(traps.count)]
            silent(relation, language, trap, Self.fill(texts.list, [harmless, trap.text]), &report)
        case .silence:
            let others = (0..<2).map { _ in texts.harmless[random.below(texts.harmless.count)] }
            silent(
                relation, language, Name(text: others[0], allergens: []), Self.fill(texts.list, others) + " " + note,
                &report)
        }
    }

    private static func folded(_ name: String, in traps: Set<String>) -> Bool {
        traps.contains(Folding.words(of: name).joined(separator: " "))
    }

    private func verdicts(_ text: String, _ language: String) -> [Allergen: AllergenVerdict] {
        interpreter.judgement(ofText: text, language: language, kind: .label, profile: profile).verdicts
    }

    private func expect(
        _ relation: Relation, _ language: String, _ name: Name, _ text: String, _ report: inout Report
    ) {
        report.texts += 1
        report.counts[relation, default: 0] += 1
        let verdicts = verdicts(text, language)
        for allergen in name.allergens where verdicts[allergen]?.verdict == .notFoundInText {
            report.falseReassurances[relation, default: 0] += 1
            fail(relation, language, name, allergen, text, verdicts, &report)
        }
    }

    private func silent(
        _ relation: Relation, _ language: String, _ name: Name, _ text: String, _ report: inout Report
    ) {
        report.texts += 1
        report.counts[relation, default: 0] += 1
        let verdicts = verdicts(text, language)
        for allergen in Allergen.eu14
        where verdicts[allergen]?.verdict == .contains && !name.allergens.contains(allergen) {
            report.falseAlarms[relation, default: 0] += 1
            fail(relation, language, name, allergen, text, verdicts, &report)
        }
    }

    /// A list as text, as the lines of a photo, and as a catalogue record.
    private func doors(_ language: String, _ name: Name, _ text: String, _ report: inout Report) {
        report.texts += 1
        report.counts[.doors, default: 0] += 1
        // A record does not say its language.
        let typed = verdicts(text, "und")
        let words = text.split(separator: " ").map(String.init)
        let lines = stride(from: 0, to: words.count, by: 4).enumerated().map { row, start in
            Self.line(Array(words[start..<min(words.count, start + 4)]), row: row)
        }
        let reading = TextReading(languages: [language], lines: lines)
        let photo = interpreter.text(of: reading).label(for: [profile]).verdicts[profile.name] ?? [:]
        let record = Set(
            interpreter.productFindings(ingredients: text, declared: []).filter { $0.polarity == .contains }.map(
                \.allergen))
        for allergen in name.allergens {
            let isTyped = typed[allergen]?.verdict
            if isTyped == .contains, !record.contains(allergen) || photo[allergen]?.verdict == .notFoundInText {
                report.falseReassurances[.doors, default: 0] += 1
                fail(.doors, language, name, allergen, text, photo, &report)
            }
        }
    }

    private static func line(_ words: [String], row: Int) -> TextLine {
        let read = words.enumerated().map { place, text in
            Word(
                text: text, confidence: 0.99,
                box: Quad(x: Double(place * 100), y: Double(row * 40), width: 90, height: 30))
        }
        return TextLine(
            text: words.joined(separator: " "), confidence: 0.99,
            box: Quad(x: 0, y: Double(row * 40), width: Double(words.count * 100), height: 30), words: read)
    }

    private func fail(
        _ relation: Relation, _ language: String, _ name: Name, _ allergen: Allergen, _ text: String,
        _ verdicts: [Allergen: AllergenVerdict], _ report: inout Report
    ) {
        guard report.failures.count(where: { $0.relation == relation }) < 100 else { return }
        report.failures.append(
            Failure(
                relation: relation, language: language, name: name.text, allergen: allergen.rawValue, text: text,
                verdict: verdicts[allergen]?.verdict.rawValue ?? "none"))
    }

    // MARK: Texts

    private static func fill(_ sentence: String, _ names: [String]) -> String {
        var names = names[...]
        return sentence.split(separator: "%s", omittingEmptySubsequences: false).map(String.init).reduce(nil) {
            text, part in
            text.map { $0 + (names.popFirst() ?? "") + part } ?? part
        } ?? sentence
    }

    private static func broken(_ name: String, by mark: String, _ random: inout SplitMix) -> String {
        var words = name.split(separator: " ").map(String.init)
        // Print leaves at least three letters on each line, and breaks a word with a hyphen at the hyphen.
        let whole = words.indices.filter { words[$0].allSatisfy(\.isLetter) }
        guard let longest = whole.max(by: { words[$0].count < words[$1].count }), words[longest].count >= 6 else {
            return name
        }
        let cut = 3 + random.below(words[longest].count - 5)
        words[longest] = words[longest].prefix(cut) + mark + words[longest].dropFirst(cut)
        return words.joined(separator: " ")
    }

    private static func form(of name: String, _ random: inout SplitMix) -> String {
        switch random.below(13) {
        case 0: name.uppercased()
        case 1: broken(name, by: "-\n", &random)
        case 2: broken(name.uppercased(), by: "-\n", &random)
        case 3: broken(name, by: "\u{AD}", &random)
        case 4: broken(name, by: "\u{200B}", &random)
        case 5: name.replacing(" ", with: "\n")
        case 6: name.decomposedStringWithCanonicalMapping
        case 7: name + " (12 %)"
        case 8: "12% " + name
        case 9: "**" + name + "**"
        case 10: "[" + name + "]"
        case 11: name + "*"
        default: String(name.map { $0.isASCII && $0.isLetter ? Self.wide($0) : $0 })
        }
    }

    private static func wide(_ letter: Character) -> Character {
        letter.unicodeScalars.first.flatMap { Unicode.Scalar($0.value + 0xFEE0) }.map(Character.init) ?? letter
    }

    /// The name with one letter read as another that looks like it; nil for a short name, whose neighbours are words.
    private static func misread(_ name: String, _ random: inout SplitMix) -> String? {
        guard name.allSatisfy(\.isLetter), name.count >= 8 else { return nil }
        let pairs: [(Character, String)] = [
            ("m", "rn"), ("l", "I"), ("o", "0"), ("e", "c"), ("i", "l"), ("h", "b"), ("u", "v"), ("n", "u"),
        ]
        let places = name.indices.dropFirst().filter { place in pairs.contains { $0.0 == name[place] } }
        guard !places.isEmpty else { return nil }
        let place = places[random.below(places.count)]
        let new = pairs.first { $0.0 == name[place] }?.1 ?? ""
        return name[..<place] + new + name[name.index(after: place)...]
    }
}
