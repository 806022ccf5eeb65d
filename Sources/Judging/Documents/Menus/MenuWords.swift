import Core

/// Words that indicate the role of a menu line, in the supported languages: `models/menus/words.json`.
public struct MenuWords: Sendable {
    private struct File: DataFile {
        static let schema = "tablesight.menu-words/1"

        var version: String
        /// Words of section headings, of notes, of sizes and extras, and words that join two parts of a name.
        var headings, notes, sizes, joins: [String]

        func validate(name: String) throws(DataFileProblem) {
            for (key, words) in [("headings", headings), ("notes", notes), ("sizes", sizes), ("joins", joins)] {
                try DataFileProblem.check(!words.isEmpty, key, "empty")
            }
        }
    }

    enum Kind: UInt8 { case heading = 1, note = 2, size = 4, join = 8 }

    private let kinds: [String: UInt8]
    let version: String

    /// - Throws: `StartupError` with the file.
    public init(from models: ModelFolder) throws {
        let file = try models.load(File.self, from: "menus/words.json")
        var kinds: [String: UInt8] = [:]
        for (words, kind) in [
            (file.headings, Kind.heading), (file.notes, .note), (file.sizes, .size), (file.joins, .join),
        ] {
            for word in words.flatMap(Folding.words) { kinds[word, default: 0] |= kind.rawValue }
        }
        self.kinds = kinds
        version = file.version
    }

    /// The bits of the word's `Kind`s; 0 if it has none.
    func kinds(of word: String) -> UInt8 { kinds[word] ?? 0 }

    /// True for a size (`large`, `glass`) or a volume (`0,3l`, `0.3 l`, `250 ml`), with words joined by a blank.
    public func isSize(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
        let tokens = Folding.tokens(of: Array(text))
        guard (1...3).contains(tokens.count) else { return false }
        if tokens.count == 1, kinds(of: tokens[0].text) & Kind.size.rawValue != 0 { return true }
        guard tokens[0].text.utf8.first.map({ (0x30...0x39).contains($0) }) ?? false, let last = tokens.last else {
            return false
        }
        return Self.measures(last.text.drop { $0.isNumber })
    }

    /// True for a text with a volume or a weight: "Lattina (33 cl)".
    static func hasVolume(_ tokens: [Token]) -> Bool {
        tokens.indices.contains { index in
            let text = tokens[index].text
            guard let first = text.utf8.first, (0x30...0x39).contains(first) else { return false }
            let unit = text.drop { $0.isNumber }
            return unit.isEmpty
                ? index + 1 < tokens.count && measures(tokens[index + 1].text) : measures(unit)
        }
    }

    private static func measures(_ unit: some StringProtocol) -> Bool {
        AmountUnit.measures(unit) || ["pcs", "stk", "st"].contains(unit)
    }
}
