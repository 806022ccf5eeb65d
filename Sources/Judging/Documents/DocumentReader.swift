import Core
import Synchronization

/// Interprets stored readings as receipts, price tags, nutrition tables and dates. Has no mutable state: the same
/// readings give the same values.
package struct DocumentReader: Sendable {
    /// A kind of text that a person may name for text without a photo.
    package enum TextKind: String, Sendable, Hashable, Codable, CaseIterable {
        case receipt, nutrition, priceTag, dates
    }

    /// The versions of words and weights. Every outcome stores them.
    package let version: String

    private let amounts: AmountWords
    let receipts: ReceiptReader
    let nutrition: NutritionReader
    let dateReader: DateReader
    private let scanner: DateScanner
    let tags: TagReader
    let weights: FittedWeights

    /// Loads and checks words and weights.
    /// - Throws: `StartupError` with the file and the key.
    package init(from models: ModelFolder) throws {
        amounts = try AmountWords(from: models)
        weights = try models.load(FittedWeights.self, from: "documents/weights.json")
        let months = try models.load(MonthNames.self, from: MonthNames.path)
        let chains = try models.load(Chains.File.self, from: "documents/chains.json")
        func words<Meaning>(_ name: String, _ type: Meaning.Type) throws -> (Phrases<Meaning>, String)
        where Meaning: RawRepresentable & CaseIterable & Hashable & Sendable, Meaning.RawValue == String {
            let file = "documents/\(name).json"
            let table = try models.load(WordTable.self, from: file)
            return (try table.phrases(as: type, file: file), "\(name)@\(table.version)")
        }
        let receiptWords = try words("receipts", ReceiptMeaning.self)
        let nutritionWords = try words("nutrition", NutritionMeaning.self)
        let dateWords = try words("dates", DateMeaning.self)
        let tagWords = try words("price-tags", TagMeaning.self)
        receipts = ReceiptReader(phrases: receiptWords.0, weights: weights, chains: Chains(chains, amounts))
        scanner = months.scanner
        let nutrients = try models.load(WordTable.self, from: "documents/nutrition.json")
            .pairs(as: NutritionMeaning.self).filter { TableFinder.isLabel($0.0) }
        nutrition = NutritionReader(phrases: nutritionWords.0, near: NearPhrases(nutrients), weights: weights)
        let dateTable = try models.load(WordTable.self, from: "documents/dates.json")
        let useDates = dateTable.pairs(as: DateMeaning.self).filter { [.bestBefore, .useBy, .sellBy].contains($0.0) }
        dateReader = DateReader(
            phrases: dateWords.0, near: NearPhrases(useDates), customs: DateOrder.customs(dateTable), weights: weights)
        let brandWords = try words("brands", BrandMeaning.self)
        tags = TagReader(phrases: tagWords.0, brands: brandWords.0, weights: weights)
        version = [
            receiptWords.1, nutritionWords.1, dateWords.1, tagWords.1, brandWords.1, "months@\(months.version)",
            "chains@\(chains.version)", "weights@\(weights.version)",
        ].joined(separator: "+")
    }

    /// The printed rows of a reading, for all questions about it.
    package func page(of text: TextReading) -> DocumentPage { page(of: text, print: print(of: text)) }

    /// The rows of a reading whose print other stages need too. Print in several directions has other rows.
    package func page(of text: TextReading, print: PrintedPage) -> DocumentPage {
        let groups = LineDirections.groups(of: text.lines)
        let scripts = text.unreadScripts ?? []
        guard groups.count > 1 else { return DocumentPage(print, scripts: scripts) }
        return DocumentPage(
            PrintedPage(groups[0], amounts: amounts),
            others: groups.dropFirst().map { PrintedPage($0, amounts: amounts) }, scripts: scripts)
    }

    /// The print of a reading, for rows and for menus.
    package func print(of text: TextReading) -> PrintedPage { PrintedPage(text.lines, amounts: amounts) }

    /// The text of each row, with tabs between the cells. For finding the cause of a missing value.
    package func rows(of page: DocumentPage) -> [String] {
        ([page.printed] + page.others).flatMap { part in
            part.rows.map { row in row.cells.map { row.string($0) }.joined(separator: "\t") }
        }
    }

    /// The rows of plain text. Two blanks or a tab separate columns; no value gets a box.
    package func page(ofText text: String) -> DocumentPage {
        DocumentPage(PrintedPage(PlainText.lines(of: text), amounts: amounts, hasBoxes: false))
    }

    package func receipt(from page: DocumentPage) -> Receipt { receipts.receipt(from: receiptPage(page)) }

    /// - Parameter barcodes: the accepted barcodes of the photo.
    package func priceTag(from page: DocumentPage, barcodes: [BarcodeReading]) -> PriceTag {
        tags.tag(from: page.printed, barcodes: barcodes, scripts: page.scripts)
    }

    /// The price tags of a shelf photo, in the order of the shelf; one for a photo of one tag.
    ///
    /// - Parameter barcodes: the accepted barcodes of the photo; each belongs to the nearest tag.
    package func priceTags(from text: TextReading, page: DocumentPage, barcodes: [BarcodeReading]) -> [PriceTag] {
        let parts = TagSplitter(phrases: tags.phrases, amounts: amounts).parts(of: text.lines)
        guard parts.count > 1 else { return [priceTag(from: page, barcodes: barcodes)] }
        return parts.enumerated().map { number, part in
            let own = barcodes.filter { code in
                let distances = parts.map { $0.distance(to: code.corners) }
                return distances.indices.min { distances[$0] < distances[$1] } == number
            }
            return tags.tag(from: PrintedPage(part.lines, amounts: amounts), barcodes: own, scripts: page.scripts)
        }
    }

    /// The nutrition table; nil if the page shows no table.
    package func nutrition(from page: DocumentPage) -> Nutrition? { table(page)?.nutrition }

    /// The dates of a package, in the order of the print.
    package func dates(from page: DocumentPage) -> [PrintedDate] { datesOfUse(page).dates }

    /// True if the page has a date of packing or use with words beside it.
    package func haveNamedDates(on page: DocumentPage) -> Bool {
        let found = datesOfUse(page)
        return found.haveWords && !found.dates.isEmpty
    }

    func datesOfUse(_ page: DocumentPage) -> DateReader.Dates {
        page.shared(\.dates) {
            dateReader.dates(
                in: [(page.printed, scans(page))] + page.others.map { ($0, scans(of: $0)) }, scripts: page.scripts)
        }
    }

    func table(_ page: DocumentPage) -> NutritionReader.Found? {
        page.shared(\.table) {
            nutrition.table(in: page.printed) ?? page.others.lazy.compactMap { nutrition.table(in: $0) }.first
        }
    }

    func receiptPage(_ page: DocumentPage) -> ReceiptPage {
        page.shared(\.receipt) { receipts.page(page.printed, scans(page)) }
    }

    /// The dates of each row.
    private func scans(_ page: DocumentPage) -> [[DateReading]] {
        page.shared(\.scans) { scans(of: page.printed) }
    }

    private func scans(of page: PrintedPage) -> [[DateReading]] { page.rows.map { scanner.dates(in: $0.text) } }
}

/// The printed rows of one photo, with what several questions need. Each part is computed when it is first asked for,
/// always by the same reader.
package final class DocumentPage: Sendable {
    let printed: PrintedPage
    /// The print in other directions, such as the date on a package.
    let others: [PrintedPage]
    /// The scripts of lines that are not read.
    let scripts: [PrintScript]
    private let parts = Mutex(Parts())

    struct Parts: Sendable {
        var scans: [[DateReading]]?
        var dates: DateReader.Dates?
        var receipt: ReceiptPage?
        /// The inner nil means that there is no table.
        var table: NutritionReader.Found??
    }

    init(_ page: PrintedPage, others: [PrintedPage] = [], scripts: [PrintScript] = []) {
        printed = page
        self.others = others
        self.scripts = scripts
    }

    /// The part, computed outside the lock if it is missing: it may need another part.
    func shared<Part: Sendable>(_ key: WritableKeyPath<Parts, Part?> & Sendable, _ make: () -> Part) -> Part {
        if let known = parts.withLock({ $0[keyPath: key] }) { return known }
        let made = make()
        parts.withLock { $0[keyPath: key] = made }
        return made
    }
}
