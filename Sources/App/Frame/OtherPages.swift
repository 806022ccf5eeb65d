import Core
import Foundation
import HTTP

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
