import Foundation
import Core

/// Interprets the layout of a menu: lines → segments → roles → dishes under headings. Has no mutable state.
public struct MenuReader: Sendable {
    let words: MenuWords
    let amounts: AmountWords
    let model: RoleModel
    /// Nil while pages are read to fit the model.
    let confidence: PageConfidence?

    /// The versions of the role and confidence models. Every outcome stores them.
    public var version: String { "roles@\(model.version)+words@\(words.version)+page@\(confidence?.version ?? "none")" }

    /// - Throws: `StartupError` with the file.
    public init(from models: ModelFolder) throws {
        self.init(
            words: try MenuWords(from: models), amounts: try AmountWords(from: models),
            model: try RoleModel(from: models),
            confidence: try PageConfidence(from: models))
    }

    public init(words: MenuWords, amounts: AmountWords, model: RoleModel, confidence: PageConfidence?) {
        self.words = words
        self.amounts = amounts
        self.model = model
        self.confidence = confidence
    }

    public func print(of lines: [TextLine]) -> PrintedPage { PrintedPage(lines, amounts: amounts) }

    public func layout(of page: PrintedPage) -> PageLayout { PageLayout(page, isSize: { words.isSize($0) }) }

    /// - Parameters:
    ///   - layout: the layout of the page's lines.
    ///   - fixed: roles from another source, by index of the text, such as the lines of a legend.
    public func page(_ layout: PageLayout, fixed: [Int: MenuRole] = [:]) -> MenuPage {
        let features = RoleFeatures(layout, words: words, letters: model.letters)
        let probabilities = RoleDecoder.settled(model.probabilities(of: features), styles: features.styles)
        let roles = layout.texts.indices.map { index in
            fixed[index] ?? RoleDecoder.role(probabilities.indices.contains(index) ? probabilities[index] : [])
        }
        var assembler = DishAssembler(layout, roles)
        assembler.assemble()
        return MenuPageBuilder(layout, probabilities, fixed: Set(fixed.keys)).page(assembler)
    }

    /// Probability 0…1 that the dish F1 of the page is at least .9; see `docs/guide/menus.md`.
    public func confidence(in page: MenuPage) -> Double { confidence?.probability(page.features) ?? 0 }
}

/// Chooses roles from class probabilities.
enum RoleDecoder {
    static func role(_ probabilities: [Float]) -> MenuRole {
        let best = probabilities.indices.max { probabilities[$0] < probabilities[$1] }
        return best.flatMap { MenuRole(rawValue: UInt8($0)) } ?? .other
    }

    /// Sizes and extras are set apart from the dish they belong to: a text in the style of a dish is a dish.
    ///
    /// - Parameters:
    ///   - probabilities: of each text, in the order of `MenuRole`'s cases.
    ///   - styles: for each text, the other texts in its style.
    static func settled(_ probabilities: [[Float]], styles: [[Int]]) -> [[Float]] {
        guard probabilities.count == styles.count else { return probabilities }
        let roles = probabilities.map(role)
        var settled = probabilities
        let (dish, variant) = (Int(MenuRole.dish.rawValue), Int(MenuRole.variant.rawValue))
        for index in roles.indices
        where roles[index] == .variant && styles[index].contains(where: { roles[$0] == .dish }) {
            settled[index][dish] += 0.98 * settled[index][variant]
            settled[index][variant] *= 0.02
        }
        return settled
    }
}
