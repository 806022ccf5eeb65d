import HTTP
import Core
import Foundation
import Kinds

/// The texts of a feature in all languages: `models/web/features/<feature>/texts.json`.
private struct TextFile: DataFile {
    static let schema = "tablesight.texts/1"

    /// Texts by key and language (BCP 47).
    let texts: [String: [String: String]]

    func validate(name: String) throws(DataFileProblem) {
        for (key, text) in texts {
            for language in PageTexts.languages where text[language]?.isEmpty != false {
                throw DataFileProblem("texts.\(key).\(language)", "empty or missing: write its text")
            }
        }
    }
}

struct PageTexts: Sendable {
    /// English first.
    static let languages = ["en", "de"]

    /// BCP 47.
    let language: String
    let texts: [String: String]

    /// The text of a key with its placeholders filled, such as `{n}`.
    func text(_ key: String, _ values: [String: String] = [:]) -> String {
        (texts[key] ?? key).filling(values)
    }

    /// True if there is a text for this key.
    func has(_ key: String) -> Bool { texts[key] != nil }

    /// All texts for templates; the dots of the keys are underscores there.
    var forTemplates: [String: String] {
        Dictionary(texts.map { ($0.key.replacing(".", with: "_"), $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// In the quotation marks of the language.
    func quoted(_ words: String) -> String { text("quoted", ["x": words]) }

    func person(_ name: String) -> String { name == "everyone" ? text("person.everyone") : name }

    /// A moment in the clock of this machine: `today, 12:41`, `yesterday, 17:42`, or the day.
    func moment(_ date: Date) -> String {
        let calendar = Calendar.current
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date)
        func two(_ number: Int?) -> String { String(format: "%02d", number ?? 0) }
        let time = "\(two(parts.hour)):\(two(parts.minute))"
        if calendar.isDateInToday(date) { return text("moment.today", ["time": time]) }
        if calendar.isDateInYesterday(date) { return text("moment.yesterday", ["time": time]) }
        return "\(parts.year ?? 0)-\(two(parts.month))-\(two(parts.day)), \(time)"
    }

    static func letter(of name: String) -> String { String(name.prefix(1)).uppercased() }

    /// A refusal in the reader's language where there is a text for it. English says what is wrong with which value.
    func refusal(_ problem: Problem) -> String {
        let key = "refusal.\(problem.code)"
        return language != "en" && has(key) ? text(key) : problem.detail
    }

    /// Names joined as in a sentence: `Ada, Ben and Cleo`.
    func list(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " \(text("and")) " + last
    }

    /// Loads the texts of all features in all languages, English first.
    static func loadAll(from models: ModelFolder) throws -> [PageTexts] {
        var all: [String: [String: String]] = [:]
        for feature in try models.features {
            let file = try models.load(TextFile.self, from: "web/features/\(feature)/texts.json")
            for (key, text) in file.texts where all.updateValue(text, forKey: key) != nil {
                throw StartupError(.configuration, "web/features/\(feature)/texts.json: another feature has \(key)")
            }
        }
        return languages.map { language in PageTexts(language: language, texts: all.compactMapValues { $0[language] }) }
    }
}

extension ModelFolder {
    /// The names of the folders with templates and texts, sorted.
    var features: [String] {
        get throws { try names(in: "web/features") }
    }
}

/// The language of one request: page texts, and the wording of verdicts.
struct PageLanguage: Sendable {
    let texts: PageTexts
    let wording: Wording
    /// The wordings of all languages, for what staff read.
    let staff: Wordings?
    /// The texts for templates, prepared once: several hundred keys are too many for each page.
    let forTemplates: [String: String]

    init(texts: PageTexts, wording: Wording, staff: Wordings? = nil) {
        (self.texts, self.wording, self.staff) = (texts, wording, staff)
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
    var escaped: String { addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "" }

    /// This address with those of the parameters that have a value.
    func with(_ parameters: KeyValuePairs<String, String?>) -> String {
        let given = parameters.compactMap { name, value in value.map { "\(name)=\($0.escaped)" } }
        return given.isEmpty ? self : self + "?" + given.joined(separator: "&")
    }
}
