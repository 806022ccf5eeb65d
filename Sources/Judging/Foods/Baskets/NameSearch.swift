import Core

/// Finds names by words that somebody types: folded, unfinished, misspelt, as part of a compound, or in another
/// language.
package struct NameSearch: Sendable {
    package struct Match: Sendable, Hashable {
        package var id: Int64
        /// 0…1.
        package var score: Double
    }

    private let ids: [Int64]
    private let lengths: [Int]
    private let vocabulary: [[UInt8]]
    private let letters: [UInt64]
    /// The names that have a word of the vocabulary.
    private let names: [[Int32]]
    private let foods: FoodWords

    /// - Parameter names: in an order that decides between equal scores.
    package init(_ names: [(id: Int64, text: String)], foods: FoodWords) {
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
    package func matches(_ typed: String, limit: Int) -> [Match] {
        let all = Array(Folding.words(of: typed).prefix(6))
        let words = foods.meaningful(all).map { foods.withoutDigraphs($0) }
        guard !words.isEmpty else { return [] }
        var scores = scores(words)
        // Two or three words may be the goods together: toilet paper, pommes de terre.
        for (several, joined) in [(words, 2), (all, 3)] where several.count >= joined {
            for start in 0...(several.count - joined) {
                let goods = several[start..<start + joined].joined()
                guard foods.isKnown(goods) else { continue }
                let together = several[..<start] + [goods] + several[(start + joined)...]
                for (name, score) in self.scores(Array(together)) { scores[name] = max(scores[name] ?? 0, score) }
            }
        }
        return scores.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(limit)
            .map { Match(id: ids[Int($0.key)], score: $0.value) }
    }

    /// The names that fit some of the words, 0…1.
    private func scores(_ words: [String]) -> [Int32: Double] {
        var scores: [Int32: Double] = [:]
        for word in words {
            var best: [Int32: Double] = [:]
            for (number, fit) in fits(word) {
                for name in names[number] { best[name] = max(best[name] ?? 0, fit) }
            }
            for (name, fit) in best { scores[name, default: 0] += fit }
        }
        let least = 0.5 * Double(words.count)
        return scores.reduce(into: [:]) { found, one in
            guard one.value >= least || words.count == 1 else { return }
            // Each additional word of the name makes it a little less likely to be what is meant.
            let others = Double(max(0, lengths[Int(one.key)] - words.count))
            found[one.key] = one.value / Double(words.count) / (1 + 0.02 * others)
        }
    }

    /// How well the words of the vocabulary fit a typed one, 0…1; those that do not fit are left out.
    private func fits(_ word: String) -> [(Int, Double)] {
        let typed = Array(word.utf8)
        let letters = Self.letters(of: typed)
        let most = Self.mostErrors(typed)
        let others = others(for: word, typed, most: most)
        return vocabulary.indices.compactMap { number in
            let (known, own) = (vocabulary[number], self.letters[number])
            var fit = 0.0
            // Most words lack too many of the typed letters; comparing them would take most of the time.
            if (letters & ~own).nonzeroBitCount <= most || own & ~letters == 0 {
                fit = Self.fit(typed, known, most: most)
            }
            if fit == 0, own & ~letters == 0 { fit = Self.skeletonFit(typed, known) }
            if fit == 0 { fit = Self.cutFit(typed, known) }
            for other in others where other.letters & ~own == 0 || own & ~other.letters == 0 || other.endsInY {
                fit = max(fit, other.weight * Self.translatedFit(other.word, known))
            }
            return fit > 0 ? (number, fit) : nil
        }
    }

    /// A word that is looked for in place of the typed one.
    private struct Other {
        var word: [UInt8]
        var letters: UInt64
        var weight: Double
        /// Its plural lacks this letter.
        var endsInY: Bool { word.last == UInt8(ascii: "y") }

        init(_ word: String, _ weight: Double) {
            self.word = Array(word.utf8)
            letters = NameSearch.letters(of: self.word)
            self.weight = weight
        }
    }

    /// The same goods in other languages, their sorts and makes, and the same for the word that a misspelt one means.
    private func others(for word: String, _ typed: [UInt8], most: Int) -> [Other] {
        let meant = foods.meant(by: word) { other in
            let other = Array(other.utf8)
            guard most > 0, other.count >= 4, Self.couldBegin(typed, other) else { return nil }
            let errors = Self.misspelling(typed, other, most: most)
            return errors > most ? nil : errors + abs(other.count - typed.count)
        }
        let known = meant ?? word
        let own = meant.map { [Other($0, 0.8)] } ?? []
        return own + foods.translations(of: known).map { Other($0, 0.85) }
            + foods.sorts(of: known).map { Other($0, 0.7) }
    }

    /// A bit for each letter of a word; other bytes share bits.
    private static func letters(of word: [UInt8]) -> UInt64 { word.reduce(0) { $0 | 1 << UInt64($1 & 63) } }

    /// Wrong letters that a typed word may have.
    private static func mostErrors(_ typed: [UInt8]) -> Int { typed.count >= 7 ? 2 : typed.count >= 4 ? 1 : 0 }

    private static func translatedFit(_ word: [UInt8], _ known: [UInt8]) -> Double {
        if word == known { return 1 }
        guard word.count >= 3 else { return 0 }
        if known.count >= 4, word.starts(with: known) { return 0.4 + 0.4 * Double(known.count) / Double(word.count) }
        guard known.count > word.count else { return skeletonFit(word, known) }
        // berry, berries
        if word.count >= 4, word.last == UInt8(ascii: "y"), known.starts(with: word.dropLast() + Array("ies".utf8)) {
            return 0.95
        }
        if known.starts(with: word) {
            // Three letters begin many other words: jam is no jambon.
            guard word.count > 3 || plurals.contains(known.suffix(known.count - 3)) else { return 0.3 }
            return known.count - word.count <= 2 ? 0.95 : 0.7
        }
        return word.count >= 4 && known.suffix(word.count) == word[...] ? 0.9 : 0
    }

    private static func fit(_ typed: [UInt8], _ known: [UInt8], most: Int) -> Double {
        if typed == known { return 1 }
        if known.starts(with: typed) { return 0.8 + 0.15 * Double(typed.count) / Double(known.count) }
        guard typed.count >= 3 else { return 0 }
        if known.count > typed.count, contains(known, typed) {
            return known.suffix(typed.count) == typed[...] ? 0.78 : 0.6
        }
        // The last part of a typed compound: flocken of haferflocken.
        if known.count >= 5, typed.count > known.count, typed.suffix(known.count) == known[...] {
            return 0.4 + 0.3 * Double(known.count) / Double(typed.count)
        }
        if known.count >= 3, typed.starts(with: known), plurals.contains(typed.suffix(typed.count - known.count)) {
            return 0.95
        }
        // Receipts abbreviate: VOLLM for Vollmilch.
        if known.count >= 3, typed.starts(with: known) { return 0.4 + 0.4 * Double(known.count) / Double(typed.count) }
        guard most > 0, known.count + most >= typed.count, couldBegin(typed, known) else { return 0 }
        let errors = misspelling(typed, known, most: most)
        return errors > most ? 0 : 0.8 - 0.15 * Double(errors)
    }

    private static let plurals = Set(["s", "n", "e", "es", "en"].map { ArraySlice(Array($0.utf8)) })

    /// A receipt leaves vowels out: CHKN BRST for chicken breast. The printed letters are letters of the typed word in its
    /// order, with few vowels and most of the consonants.
    private static func skeletonFit(_ typed: [UInt8], _ known: [UInt8]) -> Double {
        guard known.count >= 3, typed.count > known.count, typed[0] == known[0] else { return 0 }
        var place = 0
        for letter in known {
            guard let next = typed[place...].firstIndex(of: letter) else { return 0 }
            place = next + 1
        }
        let (kept, all) = (known.count { !vowels.contains($0) }, typed.count { !vowels.contains($0) })
        guard (known.count - kept) * 4 <= known.count, all > 0, kept * 5 >= all * 3 else { return 0 }
        return 0.45 + 0.25 * Double(min(kept, all)) / Double(all)
    }

    private static let vowels = Set("aeiou".utf8)

    /// A receipt cuts a compound: KULTURHEIDELB for Heidelbeeren. The end of the printed word begins the typed one.
    private static func cutFit(_ typed: [UInt8], _ known: [UInt8]) -> Double {
        let longest = min(typed.count - 1, known.count - 1)
        // Four letters say enough at the end of a long word: SPEISEKART for Kartoffeln.
        let least = known.count >= longWord ? leastCut - 1 : leastCut
        guard longest >= least else { return 0 }
        for length in stride(from: longest, through: least, by: -1)
        where known[known.count - length] == typed[0] && known.suffix(length) == typed.prefix(length) {
            return 0.3 + 0.4 * Double(length) / Double(typed.count)
        }
        return 0
    }

    private static let (leastCut, longWord) = (5, 9)

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

    /// Wrong letters of a typed word in the beginning of a known one that is nearest to it. Values above `most` are not exact.
    private static func misspelling(_ typed: [UInt8], _ known: [UInt8], most: Int) -> Int {
        (EditDistance.typed.between(typed, known[...], limit: 2 * most, .beginning) + 1) / 2
    }
}
