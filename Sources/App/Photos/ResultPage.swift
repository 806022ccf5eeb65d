import Foods
import Core
import Foundation
import Household
import Kinds
import Store

/// The page of one outcome: what each person must avoid comes first, then the reasons.
struct ResultPage: Page {
    static let template = "result"
    static let scripts = ["result", "kept-pages", "label"]

    /// What is wrong with the photo, and what to do.
    struct Notice {
        let head, text: String
        let advice: [String]
        /// True for a photo that can be read again as it is.
        let canTryAgain: Bool
    }

    struct Board {
        let pieces, set: String
        let game, placed: String?
    }

    struct Kind { let value, name: String }

    /// What the photo was read as, and the kinds as which a person can have it read instead.
    struct OtherKinds {
        let name: String
        let by: String?
        let kinds: [Kind]
    }

    /// What the page shows, to come back to.
    struct Saving { let shownFor, open: String }

    struct Photo {
        let overlay: PhotoOverlay
        let legend: Legend?
    }

    /// Says what is drawn, and nothing else.
    struct Legend {
        struct Key { let style, word: String }

        let keys: [Key]
        let notes: [String]
    }

    let heading: String
    let styles: [String]
    let photoID: String?
    let id, title: String
    let kinds: [String]
    /// What was just said of the whole photo.
    let savedKind: SavedBar?
    let level, confidence: String?
    let hasQuestions: Bool
    /// Saves the product or the figure; dishes have their own.
    let save: SaveButton?
    /// For the form of all buttons that save; nil for a reader who cannot.
    let saving: Saving?
    let notice: Notice?
    // A photo may show more than one thing, and each may warn. So no section excludes another.
    let menu: MenuResult?
    let document: DocumentResult?
    let product: ProductResult?
    let board: Board?
    let photo: Photo?
    /// True where much follows the photo: on a phone only a part of it is shown first.
    let isLong: Bool
    let otherKinds: OtherKinds?
    /// When a menu's page was made, for the time without a network.
    let made: String?

    init(_ shown: ShownOutcome, hasQuestions: Bool) {
        let (outcome, texts) = (shown.outcome, shown.texts)
        heading = texts.title(of: outcome)
        id = shown.id
        photoID = shown.id
        title = heading
        kinds = texts.kinds(outcome.domains, reason: outcome.reason?.code)
        savedKind = shown.saved.contains { $0.action == .readAs } && outcome.menu == nil ? SavedBar(shown) : nil
        let isRead = outcome.status != .failed && outcome.status != .unreadable
        // A menu says which lines were not understood instead.
        level = isRead && outcome.menu == nil ? outcome.confidence.level.rawValue : nil
        confidence = level.map { texts.text("result.confidence", ["level": texts.text("level.\($0)")]) }
        self.hasQuestions = hasQuestions
        if let game = outcome.game {
            save = SaveButton(.figure, game.game, named: heading, shown)
        } else if let key = ProductResult.key(of: outcome) {
            save = SaveButton(.product, key, named: heading, shown)
        } else {
            save = nil
        }
        saving = shown.savedKeys.map { _ in
            Saving(shownFor: shown.place.person ?? "", open: shown.place.open ?? "")
        }
        notice = Notice(shown)
        menu = MenuResult(shown)
        document = DocumentResult(shown)
        product = ProductResult(shown, besideMenu: menu != nil)
        made = menu.map { _ in Date().formatted(.iso8601) }
        board = Board(outcome, texts)
        photo = Photo(
            shown,
            (menu == nil ? [] : [MenuResult.marks(shown)]) + (document == nil ? [] : [DocumentResult.marks(shown)])
                + (product == nil ? [] : [ProductResult.marks(shown)]))
        isLong = menu != nil || product != nil
        otherKinds = OtherKinds(shown)
        let hasTables = document != nil || product != nil
        let hasForms = menu != nil || product != nil || otherKinds != nil
        styles =
            ["result"] + (hasForms ? ["fix"] : []) + (shown.mayCorrect && hasForms ? ["form"] : [])
            + (hasTables ? ["table"] : []) + (product != nil ? ["risk"] : [])
    }
}

extension ResultPage.Notice {
    fileprivate init?(_ shown: ShownOutcome) {
        let (outcome, texts) = (shown.outcome, shown.texts)
        canTryAgain = texts.isUnread(outcome.reason?.code)
        let codes = outcome.readings.unreadBarcodes?.map { texts.lack(of: $0) } ?? []
        advice =
            codes.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
            + (outcome.readings.quality?.advice ?? []).map { texts.text("advice.\($0.rawValue)") }
        guard let reason = outcome.reason else {
            guard outcome.status == .unreadable, !advice.isEmpty else { return nil }
            (head, text) = (texts.text("result.unreadable"), "")
            return
        }
        let key =
            switch outcome.status {
            case .failed: canTryAgain ? "result.unreadable" : "result.failed"
            case .unreadable: "result.unreadable"
            case .completed, .partial: "result.partial"
            }
        var sentences = [reason.detail, reason.hint]
        // The detail of a reading that broke off is for who runs the daemon: it names workers and commands.
        if texts.language != "en" || canTryAgain, let own = shown.language.wording.failure(reason.code) {
            sentences = [own]
        } else if reason.code == ItemFailure.Code.nothingRead.rawValue, !advice.isEmpty {
            // The hint has the same advice.
            sentences = [reason.detail]
        }
        head = texts.text(key)
        text = sentences.map { $0.prefix(1).uppercased() + $0.dropFirst() + "." }.joined(separator: " ")
    }
}

extension PageTexts {
    /// What a code lacks that was seen but not read.
    fileprivate func lack(of code: UnreadBarcode) -> String {
        let kind = code.format == nil ? "bars" : "matrix"
        let figures = [code.modulePixels, code.edgePixels].map {
            $0?.formatted(.number.locale(Locale(identifier: language))) ?? "?"
        }
        return text(
            "unread.\(code.reason.rawValue)",
            [
                "what": text("unread.\(kind)"), "where": text("unread.on\(kind)"), "module": figures[0],
                "edge": figures[1],
            ])
    }
}

extension ResultPage.Board {
    fileprivate init?(_ outcome: Outcome, _ texts: PageTexts) {
        guard let frame = outcome.readings.pieces, !frame.pieces.isEmpty else { return nil }
        pieces =
            frame.pieces.count == 1
            ? texts.text("result.piece") : texts.text("result.pieces.n", ["n": "\(frame.pieces.count)"])
        set = String(frame.set.prefix { $0 != "@" }).replacing("-", with: " ")
        let report = outcome.game
        game = report.map { report in
            [texts.game(report.game), report.puzzle.map { texts.puzzle($0, of: report.game) }].compactMap(\.self)
                .joined(separator: ", ")
        }
        placed = report.flatMap { report in
            report.placed.flatMap { placed in report.needed.map { "\(placed) / \($0)" } }
        }
    }
}

extension ResultPage.OtherKinds {
    /// The runner-up first; nil for a photo without text, and for whoever may not correct.
    fileprivate init?(_ shown: ShownOutcome) {
        let (outcome, texts) = (shown.outcome, shown.texts)
        guard shown.mayCorrect, outcome.readings.text != nil, let kind = outcome.pageKind else { return nil }
        let second = kind.runnerUp?.value
        let board: Outcome.Domain? = outcome.readings.pieces == nil ? .board : nil
        let others = Review.kinds.filter { $0 != board }.map(\.rawValue).filter { $0 != kind.value }
        name = texts.text("kind.\(kind.value)")
        by = kind.by.map { texts.text("result.kind.by", ["name": $0]) }
        kinds = (others.filter { $0 == second } + others.filter { $0 != second }).map {
            ResultPage.Kind(value: $0, name: texts.text("kind.\($0)"))
        }
    }
}

extension ResultPage.Photo {
    /// - Parameter parts: what the sections of the page mark.
    fileprivate init?(_ shown: ShownOutcome, _ parts: [PhotoMarks]) {
        let (source, texts) = (shown.outcome.source, shown.texts)
        guard let width = source.width else { return nil }
        let (items, underlines) = (parts.flatMap(\.items), parts.flatMap(\.underlines))
        let (barcodes, values) = (parts.flatMap(\.barcodes), parts.flatMap(\.documentValues))
        let height = source.height ?? 1
        let turn = PhotoTurn(quarters: shown.outcome.quarterTurns, width: width, height: height)
        var overlay = PhotoOverlay(
            image: "/v1/outcomes/\(shown.id)/image", width: width, height: height, quarters: turn.quarters,
            items: items, underlines: underlines,
            words: shown.outcome.readings.text?.lines.flatMap { $0.words.map(\.box) } ?? [])
        overlay.codes = (barcodes + values).map { PhotoOverlay.Shape($0.map(turn.point)) }
        overlay.pieces = (shown.outcome.readings.pieces?.pieces ?? []).map { PhotoOverlay.Shape($0.polygonPX) }
        self.overlay = overlay
        var notes: [String] = []
        if !items.isEmpty { notes.append(texts.text("result.key")) }
        switch (barcodes.isEmpty, values.isEmpty) {
        case (false, true): notes.append(texts.text("result.frame"))
        case (true, false): notes.append(texts.text("result.frame.value"))
        case (false, false): notes.append(texts.text("result.frame.both"))
        case (true, true): break
        }
        let kinds = Set(WordUnderline.distinct(underlines).map(\.kind)).sorted { $0.severity > $1.severity }
        legend =
            notes.isEmpty && kinds.isEmpty
            ? nil
            : ResultPage.Legend(
                keys: kinds.map { .init(style: $0.style, word: texts.text("v.\($0.rawValue)")) }, notes: notes)
    }
}

/// What one section of a result page marks on the photo. Points are in pixels of the upright photo.
struct PhotoMarks {
    /// Numbered dishes.
    var items: [PhotoOverlay.Item] = []
    var underlines: [WordUnderline] = []
    /// Outlines of barcodes, and of values of a receipt or price tag.
    var barcodes: [[Point]] = []
    var documentValues: [[Point]] = []
}

extension PageTexts {
    func title(of outcome: Outcome) -> String {
        outcome.game.map { figure(GameFigure($0)) } ?? outcome.title.map { amounts(in: $0, outcome.domains) }
            ?? untitled(
                outcome.domains, status: outcome.status, reason: outcome.reason?.code, path: outcome.source.path)
    }

    /// The title of a receipt or a price tag with its amount as people write it: `Lidl, €18.42`.
    func amounts(in title: String, _ domains: [Outcome.Domain]) -> String {
        guard domains.contains(.receipt) || domains.contains(.priceTag) else { return title }
        return title.replacing(/([0-9]+(?:\.[0-9]+)?) ([A-Z]{3})$/) { match in
            Currency(String(match.2)) == nil ? String(match.0) : amount(String(match.1), String(match.2))
        }
    }

    /// A number as people write it, with its currency: `€18.42`, `18,42 €`, and `0,19` without one. Other texts stay.
    func amount(_ text: String, _ currency: String?) -> String {
        let locale = Locale(identifier: language == "en" ? "en_GB" : language)
        guard let amount = Decimal(digits: text) else {
            return [text, currency].compactMap(\.self).joined(separator: " ")
        }
        if let currency, Currency(currency) != nil {
            return amount.formatted(.currency(code: currency).locale(locale))
        }
        let places = text.split(separator: ".").dropFirst().first?.count ?? 0
        let number = amount.formatted(.number.precision(.fractionLength(places)).grouping(.never).locale(locale))
        return [number, currency].compactMap(\.self).joined(separator: " ")
    }

    /// The title of a photo that names nothing. A file that was not opened has the name of the file, so that people
    /// know which it is.
    func untitled(_ domains: [Outcome.Domain], status: Outcome.Status, reason: String?, path: String) -> String {
        let isUnread = self.isUnread(reason)
        if status == .failed, !isUnread, let name = path.split(separator: "/").last { return String(name) }
        if status == .unreadable || isUnread {
            return text(
                reason == ItemFailure.Code.nothingRead.rawValue ? "untitled.nothing" : "untitled.unreadable")
        }
        return text("untitled.\(domains.first?.rawValue ?? "none")")
    }

    /// The kinds of things on a photo, each once; "Photo" if there are none.
    ///
    /// - Parameter reason: why the file was not read, if it was not.
    func kinds(_ domains: [Outcome.Domain], reason: String?) -> [String] {
        if isNoPhoto(reason) { return [text("kind.file")] }
        var shown: [String] = []
        // The bars of a receipt are its own number.
        let domains = domains.contains(.receipt) ? domains.filter { $0 != .barcode } : domains
        for kind in domains.isEmpty ? ["none"] : domains.map(\.rawValue) {
            let text = text("kind.\(kind)")
            if !shown.contains(text) { shown.append(text) }
        }
        return shown
    }

    func isNoPhoto(_ reason: String?) -> Bool {
        reason.flatMap(ItemFailure.Code.init(rawValue:)).map { [.notAnImage, .unsupportedFormat].contains($0) } ?? false
    }

    /// True for a photo that was opened and whose reading then broke off.
    func isUnread(_ reason: String?) -> Bool {
        switch reason.flatMap(ItemFailure.Code.init(rawValue:)) {
        case .workerCrashed, .workerTimeout, .workerMemory, .workerUnavailable: true
        default: false
        }
    }
}
