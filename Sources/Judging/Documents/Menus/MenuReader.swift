import Foundation
import Core

/// Interprets the layout of a menu: lines → segments → roles → dishes under headings. Has no mutable state.
public struct MenuReader: Sendable {
    let words: MenuWords
    let amounts: AmountWords
    let model: RoleModel
    let pattern: PatternModel
    /// Nil while pages are read to fit the model.
    let confidence: PageConfidence?

    /// The versions of the role and confidence models. Every outcome stores them.
    public var version: String {
        "roles@\(model.version)+pattern@\(pattern.version)+words@\(words.version)+page@\(confidence?.version ?? "none")"
    }

    /// - Throws: `StartupError` with the file.
    public init(from models: ModelFolder) throws {
        self.init(
            words: try MenuWords(from: models), amounts: try AmountWords(from: models),
            model: try RoleModel(from: models), pattern: try PatternModel(from: models),
            confidence: try PageConfidence(from: models))
    }

    public init(
        words: MenuWords, amounts: AmountWords, model: RoleModel, pattern: PatternModel, confidence: PageConfidence?
    ) {
        self.words = words
        self.amounts = amounts
        self.model = model
        self.pattern = pattern
        self.confidence = confidence
    }

    public func print(of lines: [TextLine]) -> PrintedPage { PrintedPage(lines, amounts: amounts) }

    public func layout(of page: PrintedPage) -> PageLayout { PageLayout(page, isSize: { words.isSize($0) }) }

    /// - Parameters:
    ///   - layout: the layout of the page's lines.
    ///   - fixed: roles from another source, by index of the text, such as the lines of a legend.
    public func page(_ layout: PageLayout, fixed: [Int: MenuRole] = [:]) -> MenuPage {
        let features = RoleFeatures(layout, words: words, letters: model.letters)
        let probabilities = model.probabilities(of: features)
        let roles = RoleDecoder(layout, features, pattern).roles(probabilities, fixed: fixed)
        var assembler = DishAssembler(layout, roles, words: words)
        assembler.assemble()
        return MenuPageBuilder(layout, probabilities, fixed: Set(fixed.keys)).page(assembler)
    }

    /// Probability 0…1 that the dish F1 of the page is at least .9; see `docs/guide/menus.md`.
    public func confidence(in page: MenuPage) -> Double { confidence?.probability(page.features) ?? 0 }
}

/// Chooses roles by the pattern of a page.
struct RoleDecoder {
    private let days: [Int: MenuRole]
    private let texts: PatternTexts
    private let pattern: PatternModel

    init(_ page: PageLayout, _ features: RoleFeatures, _ pattern: PatternModel) {
        texts = PatternTexts(page, features)
        self.pattern = pattern
        days = Dictionary(
            uniqueKeysWithValues: page.texts.indices.filter { page.texts[$0].isDay }.map { ($0, .section) })
    }

    /// - Parameters:
    ///   - probabilities: the network's, of each text; empty if it does not fit the program.
    ///   - fixed: roles from another source.
    func roles(_ probabilities: [[Float]], fixed: [Int: MenuRole]) -> [MenuRole] {
        guard probabilities.count == texts.count else { return (0..<texts.count).map { fixed[$0] ?? .other } }
        let known = days.merging(fixed) { $1 }
        let found = PagePattern(texts, pattern, probabilities: probabilities, fixed: known).roles()
        return found.indices.map { index in
            if let role = known[index] { return role }
            let best = found[index].indices.max { found[index][$0] < found[index][$1] } ?? 0
            let others =
                switch ItemRole(rawValue: best) {
                case .other: best..<probabilities[index].count
                // The pattern decides that a text is part of an item, the network which part.
                case .continuation, .description: ItemRole.continuation.rawValue..<(ItemRole.description.rawValue + 1)
                // A name in small letters below one that starts with a capital continues it, if the network says so.
                case .name where texts.continuesName(index): best..<(ItemRole.continuation.rawValue + 1)
                default: best..<(best + 1)
                }
            let role = others.max { probabilities[index][$0] < probabilities[index][$1] }
            return role.flatMap { MenuRole(rawValue: UInt8($0)) } ?? .other
        }
    }
}
