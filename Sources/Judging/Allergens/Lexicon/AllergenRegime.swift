import Core

/// One law's list of allergens: `models/regimes/<name>.json`.
public struct AllergenRegime: Sendable, Hashable {
    /// The name that profiles use.
    public let name: String
    public let title, law: String
    /// The allergens in the order of the law.
    public let allergens: [Allergen]
    private let rules: [Rule]
    /// Derivatives that this law exempts.
    let exemptions: [Exemption]

    /// True if the finding rests on exempt derivatives alone.
    func exempts(_ finding: AllergenFinding) -> Bool {
        !exemptions.isEmpty && !finding.evidence.isEmpty
            && finding.evidence.allSatisfy { evidence in
                evidence.exemption.map { key in exemptions.contains { $0.key == key } } ?? false
            }
    }

    /// The findings that a key of the law is derived from.
    struct Source: Sendable, Hashable, Codable {
        var allergen: Allergen
        /// The members that count; nil means every member.
        var leaves: [String]?
        /// Members that do not count under this law.
        var except: [String]?

        /// A group named without a member counts, because presence outranks absence.
        func covers(_ finding: AllergenFinding) -> Bool {
            guard finding.allergen == allergen else { return false }
            guard let leaf = finding.leaf else { return true }
            if let except, except.contains(leaf) { return false }
            return leaves?.contains(leaf) ?? true
        }
    }

    private struct Rule: Sendable, Hashable {
        var key: Allergen
        var sources: [Source]
    }

    /// Maps findings to the keys of this law and drops all others.
    public func findings(_ findings: [AllergenFinding]) -> [AllergenFinding] {
        var result: [AllergenFinding] = []
        result.reserveCapacity(findings.count)
        for rule in rules {
            for finding in findings where rule.sources.contains(where: { $0.covers(finding) }) {
                var finding = finding
                finding.allergen = rule.key
                result.append(finding)
            }
        }
        return result
    }

    /// True if `suspects` (see `WordCorrection.suspects`) includes a group of this key.
    func isDoubtful(_ key: Allergen, _ suspects: UInt64) -> Bool {
        rules.contains { rule in
            rule.key == key && rule.sources.contains { suspects & $0.allergen.bit != 0 }
        }
    }

    /// The keys with all of their sources in `groups`.
    func keys(for groups: Set<Allergen>) -> Set<Allergen> {
        Set(rules.filter { $0.sources.allSatisfy { groups.contains($0.allergen) } }.map(\.key))
    }
}

extension AllergenRegime {
    private struct File: DataFile {
        static let schema = "tablesight.regime/2"

        struct Row: Decodable {
            var key: Allergen
            var from: [Source]
        }
        var name, title, law: String
        var aliases: [String]
        var verified: Bool
        var allergens: [Row]
        var exemptions: [Exemption]?
        var removed: [RemovedMember]?

        func validate(name: String) throws(DataFileProblem) {
            try DataFileProblem.check(self.name == name, "name", "\(self.name) differs from the file's name")
            try DataFileProblem.check(!allergens.isEmpty, "allergens", "empty")
            try DataFileProblem.check(
                Set(allergens.map(\.key)).count == allergens.count, "allergens", "give each allergen once")
            for (index, row) in allergens.enumerated() {
                try DataFileProblem.check(!row.from.isEmpty, "allergens[\(index)].from", "empty: give a source")
            }
            try validateExemptions()
            for (index, one) in (removed ?? []).enumerated() {
                let place = "removed[\(index)]"
                try Self.checkOrigin(since: one.since, source: one.source, place)
                let isExcepted = allergens.contains { row in
                    row.from.contains { $0.allergen == one.allergen && $0.except?.contains(one.leaf) == true }
                }
                try DataFileProblem.check(
                    isExcepted, place, "name \(one.leaf) in \"except\" of \(one.allergen.rawValue) too")
            }
        }

        private func validateExemptions() throws(DataFileProblem) {
            var keys: Set<String> = []
            for (index, one) in (exemptions ?? []).enumerated() {
                let place = "exemptions[\(index)]"
                try DataFileProblem.check(
                    !one.key.isEmpty && keys.insert(one.key).inserted, place, "a key of its own is needed")
                try Self.checkOrigin(since: one.since, source: one.source, place)
                let words = one.words.values.joined()
                try DataFileProblem.check(
                    !words.contains { Folding.words(of: $0).isEmpty }, "\(place).words", "empty words")
                try DataFileProblem.check(
                    !words.isEmpty || one.note?.isEmpty == false, place, "words, or a note why there are none")
                try DataFileProblem.check(
                    allergens.contains { $0.from.contains { $0.allergen == one.allergen } }, place,
                    "this regime does not list \(one.allergen.rawValue)")
            }
        }

        private static func checkOrigin(since: String, source: String, _ place: String) throws(DataFileProblem) {
            let isDay = since.wholeMatch(of: /[12][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])/) != nil
            try DataFileProblem.check(isDay && !source.isEmpty, place, "since (a day) and source must be given")
        }
    }

    /// Loads every regime of the folder, by name and alias.
    /// - Throws: `StartupError` with the file.
    static func loadAll(from models: ModelFolder) throws -> [String: AllergenRegime] {
        var regimes: [String: AllergenRegime] = [:]
        for file in try models.loadAll(File.self, in: "regimes") {
            let regime = AllergenRegime(
                name: file.name, title: file.title, law: file.law, allergens: file.allergens.map(\.key),
                rules: file.allergens.map { Rule(key: $0.key, sources: $0.from) },
                exemptions: file.exemptions ?? [])
            for name in [file.name] + file.aliases { regimes[name] = regime }
        }
        guard regimes["eu14"] != nil else {
            throw StartupError(.unavailable, "models/regimes/eu14.json is missing: restore it from the repository")
        }
        return regimes
    }
}
