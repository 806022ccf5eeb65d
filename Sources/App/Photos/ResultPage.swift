import HTTP
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

    /// For whom the answer is.
    var answerHead: String {
        names.count == 1
            ? texts.text("result.for.one", ["name": texts.person(names[0])])
            : texts.text("result.for.many", ["n": "\(names.count)"])
    }

    /// The personal words of a person.
    func words(of name: String) -> [String] { people.first { $0.name == name }?.words ?? [] }

    var title: String {
        outcome.title
            ?? texts.untitled(
                outcome.domains.map(\.rawValue), status: outcome.status.rawValue, path: outcome.source.path)
    }

    private var menu: Menu? {
        outcome.menu.flatMap { menu in menu.sections.contains { !$0.items.isEmpty } ? menu : nil }
    }

    /// - Parameter read: when the photo was read, ISO 8601.
    func values() -> Values {
        var values: Values = [
            "id": id, "title": title,
            "kinds": texts.kinds(outcome.domains.map(\.rawValue), reason: outcome.reason?.code),
            "hasPhoto": outcome.source.width != nil,
        ]
        if outcome.status != .failed, outcome.status != .unreadable {
            let level = outcome.confidence.level.rawValue
            values["level"] = level
            values["confidence"] = texts.text(
                "result.confidence", ["level": texts.text("level.\(level)")])
        }
        if let notice { values["notice"] = notice }
        // A photo may show more than one thing, and each may warn. So no section excludes another.
        var marks = PhotoMarks()
        if let menu {
            let result = MenuResult(page: self, menu: menu)
            values["menu"] = result.values()
            marks.add(result.marks)
        }
        if DocumentResult.fits(outcome) {
            let result = DocumentResult(page: self)
            values["document"] = result.values()
            marks.add(result.marks)
        }
        if outcome.label != nil || outcome.products?.isEmpty == false {
            let result = ProductResult(page: self)
            values["product"] = result.values(besideMenu: menu != nil)
            marks.add(result.marks)
        }
        if let frame = outcome.readings.pieces, !frame.pieces.isEmpty {
            values["board"] = board(frame)
            marks.pieces = frame.pieces.map(\.polygonPX)
        }
        if outcome.source.width != nil { values["photo"] = photo(marks) }
        if let kinds = otherKinds { values["otherKinds"] = kinds }
        return values
    }

    /// The kinds as which a person can have the photo read instead, the runner-up first; nil for a photo without text.
    private var otherKinds: Values? {
        guard outcome.readings.text != nil, let kind = outcome.pageKind else { return nil }
        let second = kind.runnerUp?.value
        let others = Review.kinds.filter { $0 != .board }.map(\.rawValue).filter { $0 != kind.value }
        let name = texts.text("kind.\(kind.value)")
        let head =
            if let by = kind.by {
                texts.text("result.kind.by", ["name": by, "kind": name])
            } else if kind.value == PageKindReading.none {
                texts.text("result.kind.none")
            } else {
                texts.text("result.kind.is", ["kind": name])
            }
        return [
            "head": head,
            "kinds": (others.filter { $0 == second } + others.filter { $0 != second }).map { other -> Values in
                ["value": other, "name": texts.text("kind.\(other)")]
            },
        ]
    }

    /// The parts of the page that have tables.
    static let partsWithTables = ["document", "product"]

    private func photo(_ marks: PhotoMarks) -> Values {
        func shape(_ corners: [Point]) -> Values {
            ["points": corners.map { "\(Int(nearest: $0.x)),\(Int(nearest: $0.y))" }.joined(separator: " ")]
        }
        let overlay = PhotoOverlay(
            width: outcome.source.width ?? 1, height: outcome.source.height ?? 1, items: marks.items,
            underlines: marks.underlines,
            words: outcome.readings.text?.lines.flatMap { $0.words.map(\.box) } ?? [])
        var values = overlay.values(image: "/v1/outcomes/\(id)/image", texts: texts)
        values["codes"] = (marks.barcodes + marks.documentValues).map(shape)
        values["pieces"] = marks.pieces.map(shape)
        // The legend names only what is drawn.
        var notes: [String] = []
        if !marks.items.isEmpty { notes.append(texts.text("result.key")) }
        switch (marks.barcodes.isEmpty, marks.documentValues.isEmpty) {
        case (false, true): notes.append(texts.text("result.frame"))
        case (true, false): notes.append(texts.text("result.frame.value"))
        case (false, false): notes.append(texts.text("result.frame.both"))
        case (true, true): break
        }
        values["notes"] = notes
        values["hasLegend"] = !notes.isEmpty || !overlay.underlines.isEmpty
        return values
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
            case .completed, .partial: "result.partial"
            }
        var sentences = [reason.detail, reason.hint]
        if texts.language != "en", let own = language.wording.failure(reason.code) {
            sentences = [own]
        } else if reason.code == ItemFailure.Code.nothingRead.rawValue, !advice.isEmpty {
            // The hint has the same advice.
            sentences = [reason.detail]
        }
        let text = sentences.map { $0.prefix(1).uppercased() + $0.dropFirst() + "." }.joined(separator: " ")
        return ["head": texts.text(head), "text": text, "advice": advice]
    }

    private var advice: [String] {
        (outcome.readings.quality?.advice ?? []).map { texts.text("advice.\($0.rawValue)") }
    }

    private func board(_ frame: PieceFrame) -> Values {
        var values: Values = [
            "pieces": frame.pieces.count == 1
                ? texts.text("result.piece") : texts.text("result.pieces.n", ["n": "\(frame.pieces.count)"]),
            "set": frame.set.prefix { $0 != "@" }.replacing("-", with: " "),
        ]
        if let game = outcome.game {
            values["game"] = [texts.game(game.game), game.puzzle].compactMap(\.self).joined(separator: ", ")
            if let placed = game.placed, let needed = game.needed { values["placed"] = "\(placed) / \(needed)" }
        }
        return values
    }
}

/// What the sections of a result page mark on the photo. Points are in pixels of the upright photo.
struct PhotoMarks {
    /// Numbered dishes.
    var items: [PhotoOverlay.Item] = []
    var underlines: [WordUnderline] = []
    /// Outlines of barcodes, of values of a receipt or price tag, and of play pieces.
    var barcodes, documentValues, pieces: [[Point]]

    init(
        items: [PhotoOverlay.Item] = [], underlines: [WordUnderline] = [], barcodes: [[Point]] = [],
        documentValues: [[Point]] = []
    ) {
        self.items = items
        self.underlines = underlines
        self.barcodes = barcodes
        self.documentValues = documentValues
        pieces = []
    }

    mutating func add(_ other: PhotoMarks) {
        items += other.items
        underlines += other.underlines
        barcodes += other.barcodes
        documentValues += other.documentValues
        pieces += other.pieces
    }
}

extension PageTexts {
    /// The kinds of things on a photo, each once; "Photo" if there are none.
    ///
    /// - Parameter reason: why the file was not read, if it was not.
    func kinds(_ domains: [String], reason: String?) -> [String] {
        if isNoPhoto(reason) { return [text("kind.file")] }
        var shown: [String] = []
        for kind in domains.isEmpty ? ["none"] : domains {
            let text = text("kind.\(kind)")
            if !shown.contains(text) { shown.append(text) }
        }
        return shown
    }

    /// True for the reason of a file that is no photo.
    func isNoPhoto(_ reason: String?) -> Bool {
        reason.flatMap(ItemFailure.Code.init(rawValue:)).map { [.notAnImage, .unsupportedFormat].contains($0) } ?? false
    }

    /// The title of a photo that names nothing. A file that was not opened has the name of the file, so that people know
    /// which it is.
    func untitled(_ domains: [String], status: String, path: String) -> String {
        if status == Outcome.Status.failed.rawValue, let name = path.split(separator: "/").last { return String(name) }
        return text("untitled.\(domains.first ?? "none")")
    }
}
