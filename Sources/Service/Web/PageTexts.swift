import Core
import Foundation
import Presentation

/// The texts of the pages in one language: `models/web/strings/<language>.json`.
struct PageTexts: Sendable, DataFile {
    static let schema = "tablesight.strings/1"

    /// BCP 47.
    let language: String
    private let texts: [String: String]

    /// The text of a key with its placeholders filled, such as `{n}`.
    func text(_ key: String, _ values: [String: String] = [:]) -> String {
        values.reduce(texts[key] ?? key) { $0.replacing("{\($1.key)}", with: $1.value) }
    }

    /// True if there is a text for this key.
    func has(_ key: String) -> Bool { texts[key] != nil }

    /// All texts for templates; the dots of the keys are underscores there.
    var forTemplates: [String: String] {
        Dictionary(texts.map { ($0.key.replacing(".", with: "_"), $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// Names joined as in a sentence: `Ada, Ben and Cleo`.
    func list(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " \(text("and")) " + last
    }

    func validate(name: String) throws(DataFileProblem) {
        try DataFileProblem.check(language == name, "language", "\(language) differs from the file's name")
        if let key = texts.first(where: { $0.value.isEmpty })?.key {
            throw DataFileProblem("texts.\(key)", "empty: write its text")
        }
    }

    /// Loads all languages, English first.
    ///
    /// - Throws: ``StartupError`` that names the file and the missing key.
    static func loadAll(from models: ModelFolder) throws -> [PageTexts] {
        let all = try models.loadAll(PageTexts.self, in: "web/strings")
        guard let english = all.first(where: { $0.language == "en" }) else {
            throw StartupError(.unavailable, "models/web/strings/en.json is missing: restore it from the repository")
        }
        for file in all {
            let wrong = Set(file.texts.keys).symmetricDifference(english.texts.keys)
            if let key = wrong.min() {
                throw StartupError(
                    .configuration, "web/strings/\(file.language).json: \(key) is not in both it and en.json")
            }
        }
        return [english] + all.filter { $0.language != "en" }
    }
}

/// The language of one request: page texts, and the wording of verdicts.
struct PageLanguage: Sendable {
    let texts: PageTexts
    let wording: Wording
    /// The texts for templates, prepared once: several hundred keys are too many for each page.
    let forTemplates: [String: String]

    init(texts: PageTexts, wording: Wording) {
        self.texts = texts
        self.wording = wording
        forTemplates = texts.forTemplates
    }

    /// The first language of `Accept-Language` that has texts, else English. Weights are in order in all browsers, so
    /// they are not read.
    static func choose(_ header: String?, among all: [PageLanguage]) -> PageLanguage? {
        for part in (header ?? "").split(separator: ",").prefix(16) {
            let tag = part.split(separator: ";").first?.trimmingCharacters(in: .whitespaces).lowercased()
            let primary = tag?.split(separator: "-").first.map(String.init) ?? ""
            if let own = all.first(where: { $0.texts.language == primary }) { return own }
        }
        return all.first
    }

    /// The name of an allergen; a personal word stands for itself.
    func name(of allergen: Allergen, words: [String] = []) -> String {
        allergen == .personal && !words.isEmpty ? words.joined(separator: ", ") : wording.name(of: allergen)
    }
}

extension String {
    /// For a part of an address.
    var escaped: String { addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }
}
