import Vocabulary

/// Verdicts in the reader's language: `models/wording/<language>.json`. Keys are stored, words are made when they are shown.
public struct Wording: Sendable, Codable {
    static let schema = "tablesight.wording/1"

    var schema, version, source, licence: String
    /// BCP 47.
    public let language: String
    private let verdicts: [String: String]
    /// What this program never says.
    public let limits: String
    /// What to do when somebody reacts.
    public let emergency: String
    private let allergens: [Allergen: String]

    /// The verdict on one allergen as a sentence.
    public func sentence(_ word: AllergenVerdict.Word, on allergen: Allergen) -> String {
        sentence(word, on: name(of: allergen))
    }

    /// The verdict on a word of a person's own as a sentence.
    public func sentence(_ word: AllergenVerdict.Word, on name: String) -> String {
        (verdicts[word.rawValue] ?? word.rawValue + " {x}").replacing("{x}", with: name)
    }

    /// The allergen's name; its key where the file has none.
    public func name(of allergen: Allergen) -> String { allergens[allergen] ?? allergen.rawValue }

    /// Every wording of the folder, by language.
    /// - Throws: `StartupError` that names the file.
    public static func loadAll(from models: ModelFolder) throws -> [String: Wording] {
        var result: [String: Wording] = [:]
        for name in try models.names(in: "wording", withExtension: "json") {
            let path = "wording/\(name)"
            let file = try models.load(Wording.self, from: path)
            let isWhole =
                AllergenVerdict.Word.allCases.allSatisfy { file.verdicts[$0.rawValue]?.contains("{x}") == true }
                && Allergen.eu14.allSatisfy { file.allergens[$0] != nil } && !file.emergency.isEmpty
                && !file.limits.isEmpty
            guard file.schema == schema, path == "wording/\(file.language).json", isWhole else {
                throw StartupError(
                    .configuration,
                    "\(path): schema must be \(schema), with a sentence holding {x} for each verdict, names of the 14, "
                        + "limits and emergency")
            }
            result[file.language] = file
        }
        return result
    }
}
