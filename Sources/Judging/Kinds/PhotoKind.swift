import Allergens
import Core
import Documents

/// One kind of thing that a photo can show: how its traces look, when a photo holds it, what it says, and its confidence.
/// ``kinds`` lists them, and everything that handles outcomes loops over that list. A new kind is a folder beside
/// the others, one line in the list, one case of `Outcome.Domain`, and its texts.
package protocol PhotoKind: Sendable {
    /// Its value in `domains` and `pageKind`, and the key of its texts.
    static var domain: Outcome.Domain { get }
    /// True if it competes for the print of the page; false for what appears next to any print, such as a barcode.
    static var isPage: Bool { get }

    init(_ readers: KindReaders)

    /// What the print shows of this kind, measured whether it is one or not.
    func evidence(on print: PagePrint) -> Features
    /// True if the outcome has a part for this kind.
    func isHeld(by photo: KindInput) -> Bool
    /// Adds its part to the outcome. The parts of the kinds before it are there already.
    func judge(_ photo: KindInput, into outcome: inout Outcome)
    /// How sure its part is if the photo shows this kind, one claim for each thing that may be wrong alone; empty without
    /// a part.
    static func claims(in outcome: Outcome) -> [Claim]
    /// Its part in a few lines for people; empty without a part.
    static func lines(of outcome: Outcome, in text: OutcomeText) -> [String]
    /// The values that were read for its part, where they are printed, in the order of the print.
    static func values(in outcome: Outcome) -> [NamedValue]
}

extension PhotoKind {
    package static var isPage: Bool { true }
    package var domain: Outcome.Domain { Self.domain }
    package func evidence(on print: PagePrint) -> Features { Features() }
    package static func values(in outcome: Outcome) -> [NamedValue] { [] }
    package func isHeld(by photo: KindInput) -> Bool { photo.decision?.best == domain }
}

/// Every kind, in the order of their parts in an outcome. A product needs the label beside it, so it comes after.
package let kinds: [any PhotoKind.Type] = [
    MenuKind.self, ReceiptKind.self, PriceTagKind.self, LabelKind.self, ProductKind.self, BoardKind.self,
]

/// What an outcome says, and how sure the reading behind it is.
package struct Claim: Sendable, Hashable {
    /// The key of its curve in `models/kinds/decision.json`: `menu`, `receipt`, `nutrition`, …
    package var name: String
    /// The confidence of what was read for it, 0…1; not yet a probability.
    package var score: Double

    init(_ name: String, _ score: Double) {
        self.name = name
        self.score = score
    }
}

/// The print of one photo, prepared once for all kinds.
package struct PagePrint: Sendable {
    package let reading: TextReading
    let rows: DocumentPage
    let text: PageText
    let evidence: TextEvidence
    /// The accepted barcodes beside the print.
    let barcodes: [BarcodeReading]

    var retailCodes: Int { barcodes.count { $0.gtin != nil } }
}

/// What the kinds judge a photo from.
package struct KindInput: Sendable {
    package let readings: Readings
    /// Nil if the photo was not read for text.
    let print: PagePrint?
    /// What the print is; nil without print.
    let decision: KindDecision?
    /// The kind that a person named.
    let forced: Outcome.Domain?
    let profiles: [AllergenProfile]
    /// Dishes of the photo's kitchen with known allergens.
    var house: [DeclaredDish] = []
    /// What people said of the photo, oldest first.
    var reviews: [Review] = []
}

/// What kinds are read with: lexicons, words, catalogue, games and evidence, loaded once.
package struct KindReaders: Sendable {
    let allergens: AllergenInterpreter
    let documents: DocumentReader
    let foods: ProductInterpreter
    let games: GameInterpreter
    let risk: LazyRisk
}

enum Mean {
    /// The mean; 0 for an empty list, because unread content earns no confidence.
    static func of(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
    }
}

extension Outcome {
    /// The values of all kinds, where they are printed.
    package var values: [NamedValue] { kinds.flatMap { $0.values(in: self) } }
}

/// The kinds that compete for the print of a page.
let pageKinds = kinds.filter { $0.isPage }
