import Core

/// Finds names by words that somebody types: folded, unfinished, misspelt, as part of a compound, or in another
/// language.
public struct NameSearch: Sendable {
    public struct Match: Sendable, Hashable {
        public var id: Int64
        /// 0…1.
        public var score: Double
    }

    private let ids: [Int64]
    private let lengths: [Int]
    private let vocabulary: [[UInt8]]
    private let letters: [UInt64]
    /// The names that have a word of the vocabulary.
    private let names: [[Int32]]
    private let foods: FoodWords

    /// - Parameter names: in an order that decides between equal scores.
    public init(_ names: [(id: Int64, text: String)], foods: FoodWords) {
        var numbers: [String: Int] = [:]
        var (vocabulary, having): ([[UInt8]], [[Int32]]) = ([], [])
        var lengths: [Int] = []
        for (index, name) in names.enumerated() {
            let words = Set(Folding.words(of: name.text).prefix(40))
            lengths.append(words.count)
            for word in words {
                if let number = numbers[word] {
                    having[number].append(Int32(index))
                } else {
                    numbers[word] = vocabulary.count
                    vocabulary.append(Array(word.utf8))
                    having.append([Int32(index)])
                }
            }
        }
        ids = names.map(\.id)
        letters = vocabulary.map { Self.letters(of: $0) }
        (self.lengths, self.vocabulary, self.names, self.foods) = (lengths, vocabulary, having, foods)
    }

    /// The best names, best first. Every typed word counts the same.
    public func matches(_ typed: String, limit: Int) -> [Match] {
        let words = Array(Folding.words(of: typed).prefix(6))
        guard !words.isEmpty else { return [] }
        var scores: [Int32: Double] = [:]
        for word in words {
            var best: [Int32: Double] = [:]
            for (number, fit) in fits(word) {
                for name in names[number] { best[name] = max(best[name] ?? 0, fit) }
            }
            for (name, fit) in best { scores[name, default: 0] += fit }
        }
        let least = 0.5 * Double(words.count)
        return scores.compactMap { name, score -> (name: Int32, score: Double)? in
            guard score >= least || words.count == 1 else { return nil }
            // Each additional word of the name makes it a little less likely to be what is meant.
            let others = Double(max(0, lengths[Int(name)] - words.count))
            return (name, score / Double(words.count) / (1 + 0.02 * others))
        }
        .sorted { ($1.score, $0.name) < ($0.score, $1.name) }.prefix(limit)
        .map { Match(id: ids[Int($0.name)], score: $0.score) }
    }

    /// How well the words of the vocabulary fit a typed one, 0…1; those that do not fit are left out.
    private func fits(_ word: String) -> [(Int, Double)] {
        let typed = Array(word.utf8)
        let letters = Self.letters(of: typed)
        let most = Self.mostErrors(typed)
        let translated = foods.translations(of: word).map {
            (word: Array($0.utf8), letters: Self.letters(of: Array($0.utf8)))
        }
        return vocabulary.indices.compactMap { number in
            let (known, own) = (vocabulary[number], self.letters[number])
            var fit = 0.0
            // Most words lack too many of the typed letters; comparing them would take most of the time.
            if (letters & ~own).nonzeroBitCount <= most || own & ~letters == 0 {
                fit = Self.fit(typed, known, most: most)
            }
            for other in translated where other.letters & ~own == 0 {
                fit = max(fit, 0.85 * Self.translatedFit(other.word, known))
            }
            return fit > 0 ? (number, fit) : nil
        }
    }

    /// A bit for each letter of a word; other bytes share bits.
    private static func letters(of word: [UInt8]) -> UInt64 { word.reduce(0) { $0 | 1 << UInt64($1 & 63) } }

    /// Wrong letters that a typed word may have.
    private static func mostErrors(_ typed: [UInt8]) -> Int { typed.count >= 8 ? 2 : typed.count >= 4 ? 1 : 0 }

    private static func translatedFit(_ word: [UInt8], _ known: [UInt8]) -> Double {
        if word == known { return 1 }
        guard word.count >= 3, known.count > word.count else { return 0 }
        if known.starts(with: word) { return known.count - word.count <= 2 ? 0.95 : 0.7 }
        return word.count >= 4 && known.suffix(word.count) == word[...] ? 0.9 : 0
    }

    private static func fit(_ typed: [UInt8], _ known: [UInt8], most: Int) -> Double {
        if typed == known { return 1 }
        if known.starts(with: typed) { return 0.8 + 0.15 * Double(typed.count) / Double(known.count) }
        guard typed.count >= 3 else { return 0 }
        if known.count > typed.count, contains(known, typed) {
            return known.suffix(typed.count) == typed[...] ? 0.78 : 0.6
        }
        // Receipts abbreviate: VOLLM for Vollmilch.
        if known.count >= 3, typed.starts(with: known) { return 0.4 + 0.4 * Double(known.count) / Double(typed.count) }
        guard most > 0, known.count + most >= typed.count, couldBegin(typed, known) else { return 0 }
        let errors = misspelling(typed, known, most: most)
        return errors > most ? 0 : 0.8 - 0.15 * Double(errors)
    }

    private static func contains(_ word: [UInt8], _ part: [UInt8]) -> Bool {
        (1...(word.count - part.count)).contains { start in
            word[start] == part[0] && word[start..<(start + part.count)] == part[...]
        }
    }

    /// Almost nobody misses both of the first two letters.
    private static func couldBegin(_ typed: [UInt8], _ known: [UInt8]) -> Bool {
        known.count > 1
            && (typed[0] == known[0] || typed[1] == known[1] || typed[1] == known[0] || typed[0] == known[1])
    }

    /// The Damerau-Levenshtein distance of a typed word to the beginning of a known one that is nearest to it; more than
    /// `most` counts as `most` + 1.
    static func misspelling(_ typed: [UInt8], _ known: [UInt8], most: Int) -> Int {
        let width = min(known.count, typed.count + most)
        var before: [Int] = []
        var last = Array(0...width)
        for i in 1...typed.count {
            var row = [i] + Array(repeating: 0, count: width)
            for j in stride(from: 1, through: width, by: 1) {
                row[j] = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (typed[i - 1] == known[j - 1] ? 0 : 1))
                if i > 1, j > 1, typed[i - 1] == known[j - 2], typed[i - 2] == known[j - 1] {
                    row[j] = min(row[j], before[j - 2] + 1)
                }
            }
            guard row.contains(where: { $0 <= most }) else { return most + 1 }
            (before, last) = (last, row)
        }
        // A whole word that is as near counts like a beginning; shorter beginnings never help.
        return min(last.min() ?? most + 1, most + 1)
    }
}
