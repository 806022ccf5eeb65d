import Foundation

/// Splits a text into words as the index does, without case and diacritics.
enum SearchWords {
    /// At most eight words of at most 40 letters; more do not improve a search.
    static func of(_ text: String) -> [String] {
        let folded = text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
        return folded.split { !$0.isLetter && !$0.isNumber }.prefix(8).map { String($0.prefix(40)) }
    }

    /// 0…1: the share of the words that the product has. Each misspelling costs a fifth of a word, each additional word
    /// of the name a little less.
    ///
    /// - Parameters:
    ///   - groups: the meanings of the words that have any.
    ///   - count: all words.
    static func score(
        _ product: CatalogueProduct, groups: [[(term: String, distance: Int)]], of count: Int
    ) -> Double {
        let words = of(product.searchText)
        let own = Set(words)
        var found = 0.0
        for group in groups {
            let least = group.filter { own.contains($0.term) }.map(\.distance).min()
            found += least.map { 1 - 0.2 * Double($0) } ?? 0
        }
        let others = max(0, words.count - groups.count)
        return found / Double(count) / (1 + 0.05 * Double(others))
    }
}
