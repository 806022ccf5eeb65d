import Core
import Foundation
import HTTPAPI

/// A row of the history, also on the first page.
struct HistoryRow {
    let item: APIHistoryItem
    let texts: PageTexts

    func values() -> Values {
        let title = item.title ?? texts.untitled(item.domains, status: item.status, path: item.path)
        var values: Values = [
            "title": title, "kinds": texts.kinds(item.domains, reason: item.reason),
            "time": String(item.read.prefix(16)).replacing("T", with: " "), "datetime": item.read,
            "delete": texts.text("history.delete", ["title": title]), "hasPhoto": item.status != "failed",
        ]
        if let id = item.id { values["id"] = id }
        if item.dishes > 0 {
            values["dishes"] =
                item.dishes == 1 ? texts.text("result.dish") : texts.text("result.dishes", ["n": "\(item.dishes)"])
        }
        var tags: [String] = []
        if item.contradiction { tags.append(texts.text("result.differ")) }
        if texts.isNoPhoto(item.reason) {
            tags.append(texts.text("history.notAPhoto"))
        } else if item.status != "completed" {
            tags.append(texts.text("history.\(item.status)"))
        }
        values["tags"] = tags
        let worst = AllergenVerdict.Kind.allCases.sorted { $0.severity > $1.severity }.first {
            item.worst[$0.rawValue, default: 0] > 0
        }
        if let worst {
            let count = item.worst[worst.rawValue, default: 0]
            var chip: Values = [
                "style": worst.style, "word": texts.text("v.\(worst.rawValue)"), "isWarning": worst.isWarning,
            ]
            // The count has labels and products too, so beside them it is no number of dishes.
            if item.dishes > 0, !item.domains.contains("label"), !item.domains.contains("barcode") {
                chip["names"] =
                    count == 1
                    ? texts.text("history.in.one") : texts.text("history.in", ["n": "\(count)"])
            }
            values["chip"] = chip
        }
        return values
    }
}

struct HistoryPage {
    let page: APIHistoryPage
    let query: APIHistoryQuery
    let people: [AllergenProfile]
    let texts: PageTexts

    func values() -> Values {
        func options(_ all: [(value: String, text: String)], _ chosen: String?) -> [Values] {
            all.map { ["value": $0.value, "text": $0.text, "isChosen": $0.value == (chosen ?? "")] }
        }
        var values: Values = [
            "rows": page.items.map { HistoryRow(item: $0, texts: texts).values() }, "isEmpty": page.items.isEmpty,
            "words": query.words, "since": String((query.since ?? "").prefix(10)),
            "shown": texts.text("history.shown", ["n": "\(page.items.count)", "all": "\(page.total)"]),
            "domains": options(
                [("", texts.text("history.any.kind"))]
                    + ["menu", "label", "barcode", "board", "receipt", "priceTag"].map {
                        ($0, texts.text("untitled.\($0)"))
                    }, query.domain),
            "people": options(
                [("", texts.text("history.any.person"))] + people.map { ($0.name, texts.person($0.name)) },
                query.person),
            "verdicts": options(
                [("", texts.text("history.any.verdict"))]
                    + AllergenVerdict.Kind.allCases.sorted { $0.severity > $1.severity }.map {
                        ($0.rawValue, texts.text("v.\($0.rawValue)"))
                    }, query.verdict),
        ]
        if let next = page.next { values["next"] = address(next) }
        return values
    }

    private func address(_ cursor: String) -> String {
        var parts = [("q", query.words), ("domain", query.domain ?? ""), ("person", query.person ?? "")]
        parts += [("verdict", query.verdict ?? ""), ("since", query.since ?? ""), ("cursor", cursor)]
        let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-_."))
        return "/history?"
            + parts.filter { !$0.1.isEmpty }.map {
                "\($0.0)=\($0.1.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")"
            }.joined(separator: "&")
    }
}

struct PeoplePage {
    let stored: [WebPerson]
    /// Role and colour of the person to edit; nil for a new one.
    let role: String?
    let colour: Int?
    /// People who are judged for in this run and are no members.
    let chosen: [AllergenProfile]
    /// The person to edit; nil for a new one.
    let person: AllergenProfile?
    let regime: String
    let allergens: [Allergen]
    let languages: [PageLanguage]
    let language: PageLanguage
    let message: String?
    let error: String?

    private static let levels: [AllergenProfile.Sensitivity] = [.mild, .moderate, .high, .severe]
    static let regimes = ["eu14", "us9", "canada", "aunz", "japan"]

    func values() -> Values {
        let texts = language.texts
        var values: Values = [
            "household": stored.map { row($0.profile) }, "chosen": chosen.map { row($0) },
            "isEmpty": stored.isEmpty && chosen.isEmpty, "name": person?.name ?? "",
            "isNew": person == nil, "words": (person?.words ?? []).joined(separator: ", "),
            "head": person?.name ?? texts.text("people.new"),
            "remove": texts.text("people.remove", ["name": person?.name ?? ""]),
            "allergens": allergens.map { allergen -> Values in
                let chosen = person?.allergens[allergen]
                return [
                    "key": allergen.rawValue, "name": language.wording.name(of: allergen),
                    "levels": Self.levels.map { level -> Values in
                        [
                            "value": level.rawValue, "text": texts.text("sens.\(level.rawValue)"),
                            "isChosen": level == chosen,
                        ]
                    },
                ]
            },
            "regimes": Self.regimes.map { name -> Values in
                ["value": name, "text": texts.text("regime.\(name)"), "isChosen": name == regime]
            },
            "roles": ["adult", "child"].map { name -> Values in
                ["value": name, "text": texts.text("role.\(name)"), "isChosen": name == (role ?? "adult")]
            },
            "colours": (1...4).map { number -> Values in
                ["value": "\(number)", "isChosen": number == (colour ?? 1)]
            },
            "languages": languages.map { other -> Values in
                let code = other.texts.language
                let name = Locale(identifier: code).localizedString(forLanguageCode: code) ?? code
                return ["value": code, "text": name, "isChosen": code == (person?.language ?? texts.language)]
            },
        ]
        if let message { values["message"] = message }
        if let error { values["error"] = error }
        return values
    }

    private func row(_ profile: AllergenProfile) -> Values {
        let texts = language.texts
        var values = texts.who(profile.name)
        values["address"] = profile.name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        values["isCurrent"] = profile.name == person?.name
        let sorted = profile.allergens.sorted { ($0.value.rank, $1.key.rawValue) > ($1.value.rank, $0.key.rawValue) }
        values["watches"] = texts.list(
            sorted.map { "\(language.wording.name(of: $0.key)) (\(texts.text("sens.\($0.value.rawValue)")))" }
                + (profile.words ?? []))
        return values
    }
}

extension AllergenProfile.Sensitivity {
    fileprivate var rank: Int {
        switch self {
        case .mild: 0
        case .moderate: 1
        case .high: 2
        case .severe: 3
        }
    }
}
