import Core

/// Maps the strength of evidence to a calibrated probability with `models/calibration/allergens.json`.
/// `scripts/fit-calibration` fits the tables to declared labels and dishes. Without the file, strengths stay
/// unchanged.
struct Calibration: Sendable {
    private struct File: DataFile {
        static let schema = "tablesight.calibration/1"
        static let remedy = "make it again with scripts/fit-calibration"

        struct Table: Decodable {
            /// `label` or `dish`.
            var kind: String
            var strength: AllergenFinding.Strength
            var polarity: AllergenFinding.Polarity
            /// Pairs of strength and probability, both increasing.
            var points: [[Double]]
        }
        var version: String
        var tables: [Table]

        func validate(name: String) throws(DataFileProblem) {
            for (number, table) in tables.enumerated() {
                let isValid =
                    !table.points.isEmpty && table.points.allSatisfy { $0.count == 2 && (0...1).contains($0[1]) }
                let rises = {
                    zip(table.points, table.points.dropFirst()).allSatisfy { $0[0] <= $1[0] && $0[1] <= $1[1] }
                }
                try DataFileProblem.check(
                    isValid && rises(), "tables[\(number)].points", "give [strength, probability] pairs that rise")
            }
        }
    }

    private struct Key: Hashable {
        var isDish: Bool
        var strength: AllergenFinding.Strength
        var polarity: AllergenFinding.Polarity
    }

    private var tables: [Key: [(strength: Double, probability: Double)]] = [:]
    /// The table of a dish's usual allergens, which every dish asks 14 times; nil without one.
    private var dishKnowledge: [(strength: Double, probability: Double)]?
    private(set) var version = "none"

    init() {}

    /// - Throws: `StartupError` with the file and the table.
    init(from models: ModelFolder) throws {
        let file = try models.load(File.self, from: "calibration/allergens.json")
        version = file.version
        for table in file.tables {
            let key = Key(isDish: table.kind == "dish", strength: table.strength, polarity: table.polarity)
            tables[key] = table.points.map { ($0[0], $0[1]) }
        }
        dishKnowledge = tables[Key(isDish: true, strength: .dishKnowledge, polarity: .likely)]
    }

    var isEmpty: Bool { tables.isEmpty }

    /// The probability of a dish's usual allergen, for the mean of model and lexicon.
    func probability(ofDishKnowledge strength: Double) -> Double {
        dishKnowledge.map { Self.value(at: strength, on: $0) } ?? strength
    }

    /// Maps the strengths of findings to probabilities. Dish knowledge was mapped before (`DishKnowledge`), because a
    /// kitchen's habit shifts the probability and not the strength.
    func applied(to findings: [AllergenFinding], isDish: Bool) -> [AllergenFinding] {
        guard !tables.isEmpty else { return findings }
        return findings.map { finding in
            if isDish, finding.strength == .dishKnowledge, finding.polarity == .likely { return finding }
            let key = Key(isDish: isDish, strength: finding.strength, polarity: finding.polarity)
            guard let points = tables[key] else { return finding }
            var finding = finding
            finding.probability = Self.value(at: finding.probability, on: points).rounded(toPlaces: 4)
            return finding
        }
    }

    /// Linear interpolation between the points. Below the first point the probability is proportional to the
    /// strength.
    private static func value(at strength: Double, on points: [(strength: Double, probability: Double)]) -> Double {
        if let first = points.first, strength <= first.strength, first.strength > 0 {
            return first.probability * strength / first.strength
        }
        return interpolated(at: strength, on: points)
    }

    /// Linear between the points, constant beyond them; the strength itself without points.
    static func interpolated(at strength: Double, on points: [(strength: Double, probability: Double)]) -> Double {
        guard let first = points.first, let last = points.last else { return strength }
        if strength <= first.strength { return first.probability }
        if strength >= last.strength { return last.probability }
        for (low, high) in zip(points, points.dropFirst()) where strength <= high.strength {
            guard high.strength > low.strength else { return high.probability }
            let share = (strength - low.strength) / (high.strength - low.strength)
            return low.probability + share * (high.probability - low.probability)
        }
        return last.probability
    }
}
