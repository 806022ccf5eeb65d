import Foundation
import Core

/// The words on a photo, to search for the brand or name of a record.
struct LabelWords {
    private let words: Set<String>
    /// True if so many words were read that a brand would be among them.
    private let isWellRead: Bool

    private static let minimumConfidence = 0.6
    /// Minimum number of words for a label to count as well read. A well-read label without brand and name is
    /// probably of another product.
    private static let wellRead = 12

    init(_ text: TextReading?) {
        let sure = (text?.lines ?? []).flatMap(\.words).filter { $0.confidence >= Self.minimumConfidence }
        words = Set(sure.flatMap { Self.words(of: $0.text) })
        isWellRead = sure.count >= Self.wellRead
    }

    /// - Parameters:
    ///   - brand: one or several brands, separated by commas.
    ///   - name: the product name.
    func verdict(brand: String?, name: String?) -> CodeAgreement.Verdict {
        guard !words.isEmpty else { return .unseen }
        let brands = (brand ?? "").split(separator: ",").map { Self.words(of: String($0)) }.filter { !$0.isEmpty }
        if brands.contains(where: { $0.joined().count >= 3 && $0.allSatisfy(has) }) { return .agrees }
        // Short words of a name occur on many packages.
        let telling = Self.words(of: name ?? "").filter { $0.count >= 5 }
        let found = telling.count(where: has)
        if found >= 2 { return .agrees }
        let any = found > 0 || brands.contains { $0.contains { $0.count >= 3 && has($0) } }
        return isWellRead && !any && !(brands.isEmpty && telling.isEmpty) ? .disagrees : .unseen
    }

    /// True if the word occurs. A word of at least six letters may differ in one.
    private func has(_ word: String) -> Bool {
        words.contains(word) || (word.count >= 6 && words.contains { Self.differInOne(word, $0) })
    }

    private static func words(of text: String) -> [String] {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
            .split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    private static func differInOne(_ one: String, _ other: String) -> Bool {
        one.count == other.count && zip(one, other).count(where: { $0 != $1 }) == 1
    }
}
