import Core

/// Finds the words that share the last part of a later word: "Erd- und Haselnüsse" are Erdnüsse and Haselnüsse.
struct SharedParts {
    let text: TextAnalysis

    /// The most words between a shortened word and the word that completes it: "Erd-, Wal- und Haselnüsse".
    private static let maximumDistance = 8
    private static let shortestPart = 3

    /// The shortened words by token, each with the whole word that it is most likely short for.
    func found() -> [(token: Int, word: String)] {
        text.tokens.indices.compactMap { index in
            guard isShortened(index), let head = head(of: index) else { return nil }
            let (own, whole) = (text.tokens[index].text, text.tokens[head].text)
            if let word = completed(own, by: whole) { return (index, word) }
            let knowledge = text.lexiconIndex.knowledge
            guard knowledge(own).allergens == 0, knowledge(whole).allergens != 0,
                let word = beginning(with: own, at: index)
            else { return nil }
            return (index, word)
        }
    }

    /// True for a word with a hyphen behind it, and no word behind the hyphen: "Erd- und", "Erd-, ", "Erd-/Hasel".
    private func isShortened(_ index: Int) -> Bool {
        let end = text.tokens[index].range.upperBound
        guard !text.tokens[index].isNumber, text.tokens[index].text.utf8.count >= 2, end < text.characters.count,
            Folding.isHyphen(text.characters[end])
        else { return false }
        return end + 1 < text.characters.count && !Folding.isWordPart(text.characters[end + 1])
    }

    /// The first whole word behind conjunctions and other shortened words.
    private func head(of index: Int) -> Int? {
        let end = min(text.punctuation.end(of: index), index + Self.maximumDistance, text.tokens.count - 1)
        guard index < end else { return nil }
        for place in (index + 1)...end {
            if text.tokens[place].isNumber { return nil }
            if text.has(.conjunction, at: place) || isShortened(place) { continue }
            return place
        }
        return nil
    }

    /// The shortened word with the longest last part of the whole one that makes a known word.
    private func completed(_ own: String, by whole: String) -> String? {
        let letters = Array(whole.unicodeScalars)
        guard letters.count > Self.shortestPart else { return nil }
        let words = (1...(letters.count - Self.shortestPart)).map { own + String(scalars: letters[$0...]) }
        return words.first { text.lexiconIndex.trie.id(of: $0) != nil }
            ?? words.first { text.lexiconIndex.knowledge(of: $0).isWhole }
    }

    /// The shortest name of an allergen that begins with the shortened word, in a language of the text with compounds.
    private func beginning(with own: String, at index: Int) -> String? {
        guard own.utf8.count >= Self.shortestPart else { return nil }
        let (trie, vocabulary) = (text.lexiconIndex.trie, text.lexiconIndex.vocabulary)
        let compounds = vocabulary.lexicons.indices.reduce(UInt32(0)) {
            vocabulary.lexicons[$1].compounds ? $0 | 1 << UInt32($1) : $0
        }
        let start = Array(own.utf8)
        let ids = (0..<Int32(trie.count)).filter { id in
            vocabulary.allergens[Int(id)] != 0 && trie.wordLexicons[Int(id)] & compounds & text.active[index] != 0
                && trie.bytes(id).count > start.count && trie.bytes(id).starts(with: start)
        }
        return ids.min { trie.bytes($0).count < trie.bytes($1).count }.map(trie.text)
    }
}
