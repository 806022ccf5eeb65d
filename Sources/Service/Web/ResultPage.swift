import Core
import Presentation
import Foundation
import Risk
import Store

/// The page of one outcome: what each person must avoid comes first, then the reasons.
struct ResultPage {
    let outcome: Outcome
    let id: String
    let people: [AllergenProfile]
    let language: PageLanguage
    /// Gives the sentences of the ingredient sheet in the reader's language.
    var release: EvidenceRelease?

    var texts: PageTexts { language.texts }

    /// Names of the people with verdicts, in the order of the household.
    var names: [String] {
        let judged = Set((outcome.household ?? [:]).keys)
        return people.map(\.name).filter(judged.contains)
            + judged.subtracting(people.map(\.name)).sorted()
    }

    /// The personal words of a person.
    func words(of name: String) -> [String] { people.first { $0.name == name }?.words ?? [] }

    var title: String {
        outcome.title ?? texts.text("untitled.\(outcome.domains.first?.rawValue ?? "none")")
    }

    /// - Parameter read: when the photo was read, ISO 8601.
    func values() -> Values {
        var values: Values = [
            "id": id, "title": title, "kind": texts.text("kind.\(outcome.domains.first?.rawValue ?? "none")"),
            "hasPhoto": outcome.source.width != nil,
        ]
        if outcome.status != .failed, outcome.status != .unreadable {
            let level = outcome.confidence.level.rawValue
            values["level"] = level
            values["confidence"] = texts.text(
                "result.confidence", ["level": texts.text("level.\(level)")])
        }
        if let notice { values["notice"] = notice }
        if let menu = outcome.menu, menu.sections.contains(where: { !$0.items.isEmpty }) {
            values.merge(MenuResult(page: self, menu: menu).values()) { $1 }
        } else if DocumentResult.fits(outcome) {
            values.merge(DocumentResult(page: self).values()) { $1 }
        } else if outcome.label != nil || outcome.products?.isEmpty == false {
            values.merge(ProductResult(page: self).values()) { $1 }
        } else if let frame = outcome.readings.pieces, !frame.pieces.isEmpty {
            values.merge(board(frame)) { $1 }
        } else if outcome.source.width != nil, values["photo"] == nil {
            values["photo"] = overlay([], []).values(image: image)
        }
        return values
    }

    var image: String { "/v1/outcomes/\(id)/image" }

    func overlay(_ items: [PhotoOverlay.Item], _ underlines: [WordUnderline]) -> PhotoOverlay {
        PhotoOverlay(
            width: outcome.source.width ?? 1, height: outcome.source.height ?? 1, items: items,
            underlines: underlines,
            words: outcome.readings.text?.lines.flatMap { $0.words.map(\.box) } ?? [])
    }

    /// What is wrong with the photo, and what to do.
    private var notice: Values? {
        guard let reason = outcome.reason else {
            let advice = outcome.readings.quality?.advice ?? []
            guard outcome.status == .unreadable, !advice.isEmpty else { return nil }
            return ["head": texts.text("result.unreadable"), "text": "", "advice": self.advice]
        }
        let head =
            switch outcome.status {
            case .failed: "result.failed"
            case .unreadable: "result.unreadable"
            default: "result.partial"
            }
        let own = texts.language == "en" ? nil : language.wording.failure(reason.code)
        return [
            "head": texts.text(head), "text": own ?? "\(reason.detail). \(reason.hint).", "advice": advice,
        ]
    }

    private var advice: [String] {
        (outcome.readings.quality?.advice ?? []).map { texts.text("advice.\($0.rawValue)") }
    }

    private func board(_ frame: PieceFrame) -> Values {
        var values: Values = [
            "isBoard": true, "pieces": texts.text("result.pieces.n", ["n": "\(frame.pieces.count)"]),
            "set": frame.set,
        ]
        var photo = overlay([], []).values(image: image)
        photo["pieces"] = frame.pieces.map { piece -> Values in
            ["points": piece.polygonPX.map { "\(Int($0.x.rounded())),\(Int($0.y.rounded()))" }.joined(separator: " ")]
        }
        values["photo"] = photo
        if let game = outcome.game {
            values["game"] = game.puzzle.map { "\(game.game), \($0)" } ?? game.game
            if let placed = game.placed, let needed = game.needed { values["placed"] = "\(placed) / \(needed)" }
            values["gameOutcome"] = game.outcome.reason
        }
        return values
    }
}
