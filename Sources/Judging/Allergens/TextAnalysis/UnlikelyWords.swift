import Core

/// Words of a dish that match an allergen's word only by chance: a correct word of the page's language that a
/// correction would change, or a short word of another language. Such a match is weak evidence and is never dropped.
extension TextAnalysis {
    /// True if a match with this mention is probably a chance.
    func isUnlikely(_ mention: Mention) -> Bool {
        guard mention.tokens.count == 1, !mention.meanings.isEmpty else { return false }
        let index = mention.tokens.lowerBound
        if mention.method == .fuzzy { return isEveryday(index) }
        return hasOtherAccents(index, mention.lexicon)
    }

    /// True for a correct word of one of the token's languages, such as the Italian "scelta", which is no misread
    /// "spelta".
    func isEveryday(_ index: Int) -> Bool {
        let text = printed(index)
        return lexiconIndex.lexicons.indices.contains { number in
            let bit: UInt32 = 1 << UInt32(number)
            return active[index] & bit & ~lexiconIndex.everywhere != 0
                && lexiconIndex.everyday.contains(text, in: lexiconIndex.lexicons[number].language)
        }
    }

    /// True if what was found inside a word is the tail of a correct word, and the letters before it are too few for another
    /// one: "lachs" in "Flachs", "maatjes" in "cherrytomaatjes".
    func isTail(_ part: WordAnalysis.Parts, at index: Int) -> Bool {
        guard !part.text.contains("+") else { return false }
        let language = lexiconIndex.lexicons[Int(part.lexicon)].language
        let word = printed(index)
        return (1..<Self.shortestPart).contains { letters in
            let tails = word.indices.filter { start in
                let tail = Folding.fold(String(word[start...]))
                return tail.count > letters && tail.dropFirst(letters).hasPrefix(part.text)
            }
            return tails.contains { start in
                lexiconIndex.everyday.contains(String(word[start...]), in: language)
                    && !isKnown(Folding.fold(String(word[start...].prefix(letters))), in: part.lexicon)
            }
        }
    }

    private func isKnown(_ word: String, in lexicon: UInt8) -> Bool {
        lexiconIndex.trie.id(of: Array(word.utf8)).map {
            lexiconIndex.trie.wordLexicons[Int($0)] & (1 << UInt32(lexicon)) != 0
        } ?? false
    }

    private static let shortestPart = 3
    /// The shortest word that may match whatever its accents are.
    private static let sureLength = 6
    /// Longest word in which an accent that the lexicon's word lacks makes another word, such as "bún".
    private static let shortLength = 3

    /// True for a short word with other accents than the lexicon's word. The Vietnamese "bún" is no bun, and the Malay
    /// "manis" is no "maníes". Print often leaves accents out, so a page that shows the lexicon's language keeps the
    /// match without accents.
    private func hasOtherAccents(_ index: Int, _ lexicon: Int) -> Bool {
        let (token, text) = (tokens[index], printed(index))
        guard token.text.utf8.count < Self.sureLength, !token.isNumber,
            let isAccented = lexiconIndex.isAccented(token.text, lexicon)
        else { return false }
        let isPlain = text.utf8.allSatisfy { $0 < 0x80 }
        if !isPlain { return !isAccented && token.text.utf8.count <= Self.shortLength }
        // "chleb" is Polish for the Czech "chléb".
        let isPlainElsewhere = lexiconIndex.lexicons.indices.contains {
            lexiconIndex.isAccented(token.text, $0) == false
        }
        let hasStem = !lexiconIndex.cache.analysis(of: token.text, make: lexiconIndex.analyser.analysis).stems.isEmpty
        guard isAccented, !isPlainElsewhere, !hasStem, text != text.uppercased() else { return false }
        let bit: UInt32 = 1 << UInt32(lexicon)
        return hint != lexicon && bit & lexiconIndex.everywhere == 0
            && !tokens.indices.contains { $0 != index && !tokens[$0].isNumber && standsAlone($0, in: bit) }
    }

    /// True for a word that is spelt with accents where it names a food, printed without them, and a word of another language
    /// that names none: "Store dry" says nothing of "Störe".
    func isOtherWord(_ index: Int, _ lexemes: [Lexeme]) -> Bool {
        let (token, text) = (tokens[index], printed(index))
        guard token.id >= 0, text.utf8.allSatisfy({ $0 < 0x80 }), text != text.uppercased(),
            lexemes.allSatisfy({ lexiconIndex.isAccented(token.text, Int($0.lexicon)) == true })
        else { return false }
        let own = Set(lexemes.map(\.lexicon))
        return lexiconIndex.trie.single(token.id).contains {
            $0.role != .entry && $0.role != .trap && !own.contains($0.lexicon)
        }
    }

    /// True if the mention is the name of an allergen, or of a part such as lactose.
    func isAllergenName(_ mention: Mention) -> Bool {
        mention.meanings.contains { $0.kind == .declaration }
            || tokens[mention.tokens].contains { token in
                lexiconIndex.partStems.contains { token.text.hasPrefix($0) }
            }
    }

    /// True if the word only ever denies what precedes it, as "nélkül" does; "free" may also mean that it costs nothing.
    func hasOnlyDenials(at index: Int) -> Bool {
        guard let (_, lexemes) = longest(Lexeme.Role.negationAfter.bit, at: index) else { return false }
        return lexemes.allSatisfy { lexeme in
            !lexiconIndex.lexicons[Int(lexeme.lexicon)].negationSuffixes.contains {
                Folding.fold($0) == tokens[index].text
            }
        }
    }

    /// True if the words name a cereal with gluten, such as wheat.
    func namesGrain(_ mention: Mention) -> Bool {
        tokens[mention.tokens].contains { token in lexiconIndex.grainStems.contains { token.text.hasPrefix($0) } }
    }

    private func printed(_ index: Int) -> String { String(scalars: characters[tokens[index].range]) }
}
