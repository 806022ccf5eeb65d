import Core
import Layout

/// The kind of a page with its probability.
public struct PageKind: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable { case receipt, priceTag, label, menu }

    public var kind: Kind
    /// Calibrated probability 0…1.
    public var probability: Double
}

/// The probability of every kind of a page, calibrated.
public struct PageKinds: Sendable, Hashable {
    /// The most likely kind; nil if the page is probably of another kind.
    public var best: PageKind?
    private var probabilities: [PageKind.Kind: Double]

    fileprivate init(best: PageKind?, probabilities: [PageKind.Kind: Double]) {
        (self.best, self.probabilities) = (best, probabilities)
    }

    /// The probability of a kind, 0…1; of nil: that the page is of none of these kinds.
    public func probability(of kind: PageKind.Kind?) -> Double {
        kind.map { probabilities[$0] ?? 0 } ?? max(0, 1 - probabilities.values.reduce(0, +))
    }
}

/// What other parts of the program say about a page.
public struct KindHints: Sendable {
    /// True if the page reads as a menu, or as a label with ingredients.
    public var isMenu, isLabel: Bool
    /// True for a menu whose layout was understood with a known confidence.
    public var isClearMenu: Bool
    /// Number of retail codes among the accepted barcodes.
    public var retailCodes: Int

    public init(isMenu: Bool, isClearMenu: Bool = false, isLabel: Bool, retailCodes: Int) {
        self.isMenu = isMenu
        self.isClearMenu = isClearMenu
        self.isLabel = isLabel
        self.retailCodes = retailCodes
    }
}

extension DocumentReader {
    /// The kind of a page; nil if it is another.
    public func kind(of page: DocumentPage, _ hints: KindHints) -> PageKind? { kinds(of: page, hints).best }

    /// How likely each kind of a page is. The one place that decides: menus and labels with ingredients are recognised
    /// elsewhere and weighed here.
    public func kinds(of page: DocumentPage, _ hints: KindHints) -> PageKinds {
        let kinds = PageKind.Kind.allCases
        let features = KindFeatures(page, self, hints)
        let candidates = kinds.map { features.features(of: $0) }
        let scores = weights.probabilities("kind", of: candidates, notes: kinds.map(\.rawValue))
        let calibrated = zip(kinds, scores).map { PageKind(kind: $0, probability: weights.calibrated("kind", $1)) }
        let best = scores.indices.max { scores[$0] < scores[$1] }
        return PageKinds(
            best: best.flatMap { scores[$0] >= 0.5 ? calibrated[$0] : nil },
            probabilities: Dictionary(uniqueKeysWithValues: calibrated.map { ($0.kind, $0.probability) }))
    }
}

/// What a page shows of each kind.
struct KindFeatures {
    private var receipt = Features()
    private var tag = Features()
    private var label = Features()
    private var menu = Features()

    init(_ document: DocumentPage, _ reader: DocumentReader, _ hints: KindHints) {
        let page = document.printed
        let rows = reader.receiptPage(document)
        func has(_ meaning: ReceiptMeaning) -> Bool { rows.rows.contains { $0.has(meaning) } }
        func priced(_ meanings: Set<ReceiptMeaning>) -> Bool {
            rows.rows.indices.contains { rows.rows[$0].has(meanings) && rows.amount(of: $0) != nil }
        }
        let amounts = rows.rows.count { !$0.amounts.isEmpty }
        let hasTotal = priced([.total, .grandTotal])
        let isPaid = priced([.cash, .card])
        let hasChange = priced([.change])
        let isDated = rows.rows.contains { row in row.dates.contains { one in one.isExplicit || row.hasTime } }
        let isTimed = rows.rows.contains(where: \.hasTime)
        let table = reader.table(document)
        let nutrients = Double(table?.nutrients ?? 0)
        let words = page.rows.reduce(0) { $0 + $1.words.count }
        // Beside dishes, only a date with words is one of use: menus print codes, prices and days.
        let found = reader.datesOfUse(document)
        let dates = !hints.isClearMenu || found.haveWords ? found.dates : []
        let marked = dates.contains { $0.confidence >= 0.75 }
        let figures = page.rows.flatMap(\.figures)
        let tallest = figures.filter { !$0.isPercent }.map(\.height).max() ?? 0
        let text = page.rows.flatMap { $0.words.map(\.height) }.sorted()
        let usual = text.isEmpty ? 1 : text[text.count / 2]

        receipt.set("r.total", hasTotal)
        receipt.set("r.cash", isPaid)
        receipt.set("r.change", hasChange)
        receipt.set("r.tax", has(.tax))
        receipt.set("r.subtotal", priced([.subtotal]))
        receipt.set("r.dated", isDated)
        receipt.set("r.timed", isTimed)
        receipt.set("r.document", has(.document))
        receipt.set("r.contact", has(.contact))
        receipt["r.amounts"] = min(1, Double(amounts) / 4)
        receipt["r.nutrients"] = min(1, nutrients / 4)
        receipt.set("r.long", page.bottom - page.top > page.width)
        receipt.set("r.chain", rows.chain != nil)
        receipt.set("r.anyDate", rows.rows.contains { $0.dates.contains { !$0.isWeak } })
        let ending = rows.rows.indices.last { rows.rows[$0].has([.total, .grandTotal]) }
        receipt["r.totalDepth"] = ending.map { Double($0) / Double(max(1, rows.rows.count)) } ?? 0

        let hasUnitPrice = page.rows.contains { row in
            reader.tags.phrases.hits(in: row.squashed).contains { $0.meaning == .unitPrice }
        }
        tag.set("t.unitPrice", hasUnitPrice)
        tag.set("t.few", words <= 14)
        tag.set("t.many", words > 28)
        tag["t.tall"] = min(3, tallest / max(1, usual)) - 1
        tag.set("t.decimals", figures.contains { $0.decimals == 2 })
        tag.set(
            "t.raised",
            page.rows.contains { row in
                row.figures.contains {
                    $0.decimals == 0 && (3...4).contains($0.wholeDigits) && $0.unit.isEmpty && $0.height > 1.2 * usual
                }
            })
        tag.set(
            "t.code",
            hints.retailCodes == 1
                || page.rows.contains { row in row.figures.contains { $0.wholeDigits >= 8 && $0.decimals == 0 } })
        tag["t.nutrients"] = min(1, nutrients / 4)
        tag.set("t.dated", !dates.isEmpty)
        tag.set("t.receipt", hasTotal)
        tag["t.amounts"] = Double(min(4, figures.count { $0.decimals == 2 }))
        tag.set("t.weight", figures.contains { ["g", "kg", "ml", "l", "cl"].contains($0.unit) })
        tag.set("t.marked", figures.contains(where: \.isMarked))
        // "44 90": raised decimals, read as a number of their own.
        let isSplit = page.rows.contains { row in
            row.letters == 0 && row.figures.count == 2 && row.figures[0].isWholePrice && row.figures[1].isCents
                && row.figures[0].height >= usual
        }
        tag.set("t.split", isSplit)
        tag.set("t.priced", isSplit || ["t.decimals", "t.raised", "t.marked"].contains { tag[$0] > 0 })

        label.set("l.ingredients", hints.isLabel)
        label["l.nutrients"] = min(1, nutrients / 4)
        label.set("l.title", table?.hasTitle == true)
        label.set("l.date", !dates.isEmpty)
        label.set("l.markedDate", marked)
        label["l.amounts"] = min(1, Double(amounts) / 4)
        label.set("l.total", hasTotal)
        // Labels whose values were not read.
        label.set("l.dateWords", !hasTotal && found.dates.isEmpty && reader.dateReader.hasWords(page, words: words))
        label.set("l.tableWords", !hasTotal && table == nil && reader.nutrition.hasTitle(page))

        menu.set("m.menu", hints.isMenu)
        menu.set("m.notMenu", !hints.isMenu)
        menu.set("m.total", hasTotal)
        menu.set("m.paid", isPaid || hasChange)
        // Menus print no dates of use.
        menu.set("m.markedDate", marked)
        menu["m.nutrients"] = min(1, nutrients / 4)
        menu["m.amounts"] = min(1, Double(amounts) / 4)
    }

    func features(of kind: PageKind.Kind) -> Features {
        switch kind {
        case .receipt: receipt
        case .priceTag: tag
        case .label: label
        case .menu: menu
        }
    }
}

extension Figure {
    /// One to three digits without decimals: what a price tag prints before raised decimals.
    fileprivate var isWholePrice: Bool { decimals == 0 && (1...3).contains(wholeDigits) && !isPercent && unit.isEmpty }
    /// Two digits without decimals.
    fileprivate var isCents: Bool { decimals == 0 && range.count == 2 && !isPercent && unit.isEmpty }
}
