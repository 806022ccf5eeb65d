import Core

/// The tokens of a text with their lexicon matches. One pass serves all later stages.
struct TextAnalysis: Sendable {
    /// A phrase match at a position.
    struct Hit: Sendable {
        /// Number of tokens.
        var length: Int
        /// The trie node of the phrase.
        var node: Int32
        /// Bits of the lexicons that the phrase may belong to.
        var lexicons: UInt32
        /// True if one of its words was misread and corrected.
        var isCorrected: Bool
        var isSure: Bool
        /// True if one of its words is a form of the lexicon's word.
        var isForm = false
        var cost: Double
    }

    let tokens: [Token]
    let characters: [Unicode.Scalar]
    let punctuation: Punctuation
    /// Bits of the lexicons that apply to each token.
    private(set) var active: [UInt32] = []
    /// Index of the text's main lexicon; nil if no language fits.
    private(set) var language: Int?
    /// Analyses of words that are not lexicon entries, by token; nil for the others.
    private(set) var analyses: [WordAnalysis?]
    private(set) var corrections: [Int: WordCorrection] = [:]
    /// What words with a known part may be besides; they are not corrected.
    private(set) var suspicions: [Int: WordCorrection] = [:]
    /// True if so many words look misread that words with one or two wrong letters are corrected to the nearest
    /// entry.
    private(set) var isPoorlyRead = false
    private var hits: [Hit] = []
    private var firstHit: [Int] = []
    let lexiconIndex: LexiconIndex
    /// Index of the lexicon that the caller named; nil if the language was unknown.
    let hint: Int?

    /// The score of a sentence that is long enough to have a language of its own.
    private static let longSentence = 3.0

    /// The share of words one or two letters from a known word above which a text counts as poorly recognised.
    private static let badShare = 0.05

    /// - Parameter language: index of the lexicon that the caller names; nil if unknown.
    init(_ text: RecognizedText, range: Range<Int>? = nil, language: Int?, lexiconIndex: LexiconIndex) {
        self.lexiconIndex = lexiconIndex
        hint = language
        characters = text.characters
        var tokens = Folding.tokens(of: text.characters, in: range)
        for index in tokens.indices { tokens[index].id = lexiconIndex.trie.id(of: tokens[index].text) ?? -1 }
        tokens = GluedWords(lexiconIndex: lexiconIndex).split(tokens, text.characters)
        tokens = TornWords(lexiconIndex: lexiconIndex, characters: text.characters).joined(tokens)
        self.tokens = tokens
        analyses = [WordAnalysis?](repeating: nil, count: tokens.count)
        punctuation = Punctuation(tokens: tokens, characters: text.characters)
        for index in tokens.indices where tokens[index].id < 0 && !tokens[index].isNumber { analyse(index) }
        findLanguages(hint: language)
        // "eggs" is part of the phrase "eggs benedict" and also a form of "egg".
        for index in tokens.indices where tokens[index].id >= 0 && !tokens[index].isNumber {
            if lexiconIndex.trie.aloneLexicons(tokens[index].id) & active[index] == 0 { analyse(index) }
        }
        for index in tokens.indices where needsCorrection(index) {
            let correction = lexiconIndex.cache.correction(of: tokens[index].text, in: active[index]) {
                lexiconIndex.corrector.correction(of: $0, in: $1)
            }
            // A compound with unknown letters beside a known part is read well enough, and may name more.
            if hasPart(index) { suspicions[index] = correction } else { corrections[index] = correction }
        }
        let misread = corrections.values.count { !$0.ids.isEmpty }
        isPoorlyRead =
            misread >= 2 && Double(misread) > Self.badShare * Double(tokens.count)
            && self.language.map(lexiconIndex.isComplete) == true
        firstHit.reserveCapacity(tokens.count + 1)
        for index in tokens.indices {
            firstHit.append(hits.count)
            walk(from: index)
        }
        firstHit.append(hits.count)
    }

    private mutating func analyse(_ index: Int) {
        analyses[index] = lexiconIndex.cache.analysis(of: tokens[index].text) { lexiconIndex.analyser.analysis(of: $0) }
    }

    /// The token, or its correction if a single correction is certain.
    func corrected(_ index: Int) -> Token {
        guard let correction = corrections[index], correction.isSure, let id = correction.ids.first else {
            return tokens[index]
        }
        // "branch" is no misread "brunch".
        let namesFood = lexiconIndex.trie.single(id).contains { $0.role == .entry }
        if namesFood, isEveryday(index) { return tokens[index] }
        var token = tokens[index]
        token.text = lexiconIndex.trie.text(id)
        return token
    }

    // MARK: Languages

    private func lexicons(of index: Int) -> UInt32 {
        let id = tokens[index].id
        let exact = id < 0 ? 0 : lexiconIndex.trie.wordLexicons[Int(id)]
        return exact | (analyses[index]?.lexicons ?? 0)
    }

    private func aloneLexicons(of index: Int) -> UInt32 {
        let id = tokens[index].id
        return (id < 0 ? 0 : lexiconIndex.trie.aloneLexicons(id)) | (analyses[index]?.lexicons ?? 0)
    }

    /// True if one of the lexicons has the word alone, not only in phrases.
    func standsAlone(_ index: Int, in lexicons: UInt32) -> Bool {
        tokens[index].isNumber || aloneLexicons(of: index) & (lexicons | lexiconIndex.everywhere) != 0
    }

    /// True if one of the lexicons has the word, whole or composed of known parts.
    func isKnown(_ index: Int, in lexicons: UInt32) -> Bool {
        tokens[index].isNumber || self.lexicons(of: index) & (lexicons | lexiconIndex.everywhere) != 0
    }

    private mutating func findLanguages(hint: Int?) {
        let count = lexiconIndex.lexicons.count
        active = [UInt32](repeating: 0, count: tokens.count)
        guard !tokens.isEmpty else { return }
        var total = [Double](repeating: 0, count: count)
        var sentences: [(range: Range<Int>, scores: [Double])] = []
        var start = 0
        while start < tokens.count {
            var end = start + 1
            while end < tokens.count, !punctuation.isSentenceStart(end) { end += 1 }
            var scores = [Double](repeating: 0, count: count)
            for index in start..<end where !tokens[index].isNumber && tokens[index].text.utf8.count > 1 {
                let mask = lexicons(of: index) & ~lexiconIndex.everywhere
                guard mask != 0 else { continue }
                // A word in few languages is stronger evidence. "lait" is weak evidence of English, which has "café
                // au lait".
                let weight = 1 / Double(mask.nonzeroBitCount).squareRoot()
                let alone = aloneLexicons(of: index)
                var rest = mask
                while rest != 0 {
                    let number = rest.trailingZeroBitCount
                    scores[number] += alone & (1 << UInt32(number)) != 0 ? weight : 0.4 * weight
                    rest &= rest - 1
                }
            }
            for number in 0..<count { total[number] += scores[number] }
            sentences.append((start..<end, scores))
            start = end
        }
        let best = total.indices.max { total[$0] < total[$1] }
        let detected = best.flatMap { total[$0] > 0 ? $0 : nil }
        let named = hint.flatMap { total[$0] >= 0.6 * (best.map { total[$0] } ?? 0) ? $0 : nil }
        language = named ?? detected ?? hint
        var home: UInt32 = (language.map { 1 << UInt32($0) } ?? 0) | lexiconIndex.everywhere
        if hint == nil, let best {
            // A short text may be in two languages. Both then apply.
            for number in 0..<count where total[number] > 0 && total[number] >= 0.9 * total[best] {
                home |= 1 << UInt32(number)
            }
        }
        for (range, scores) in sentences {
            var mask = home
            let own = language.map { scores[$0] } ?? 0
            if let strongest = scores.indices.max(by: { scores[$0] < scores[$1] }), scores[strongest] >= 1.5,
                own < 0.75 * scores[strongest]
            {
                mask = lexiconIndex.everywhere
                for number in scores.indices where scores[number] >= 0.85 * scores[strongest] {
                    mask |= 1 << UInt32(number)
                }
                // A section keeps the text's language unless another one is clearly ahead.
                if own >= 0.5 * scores[strongest] { mask |= home }
            } else if let strongest = scores.indices.max(by: { scores[$0] < scores[$1] }), scores[strongest] > own,
                scores[strongest] >= Self.longSentence
            {
                // A Portuguese list below a Spanish one shares most of its words.
                mask |= 1 << UInt32(strongest)
            }
            for index in range { active[index] = mask }
        }
    }

    // MARK: Phrases

    private func needsCorrection(_ index: Int) -> Bool {
        let token = tokens[index]
        guard !token.isNumber, token.text.utf8.count > 1 || !token.text.utf8.allSatisfy({ $0 < 128 }) else {
            return false
        }
        if isKnown(index, in: active[index]), !hasPart(index) { return false }
        // "33l" is a can and no misread "eel".
        if AmountUnit.isAmount(token.text) { return false }
        // "c0d" looks like a vitamin's number and is a word of the lexicon with one misread letter.
        return !Self.isNumbered(token.text) || lexiconIndex.corrector.isMisreadDigits(token.text, in: active[index])
    }

    /// True for quantities and additive numbers, "100g", "e471", "b12"; false for "egg5" and "50y".
    private static func isNumbered(_ text: String) -> Bool {
        var letters = 0
        var digits = 0
        var leading = 0
        for byte in text.utf8 {
            if (0x30...0x39).contains(byte) {
                digits += 1
            } else {
                letters += 1
                if digits == 0 { leading += 1 }
            }
        }
        if digits == 0 || letters > 3 { return false }
        return letters <= 2 && !text.hasSuffix("y") || leading <= 1 && digits > 1 && !text.hasSuffix("y")
    }

    /// True if the word is known only by a stem or by parts of a compound.
    private func hasPart(_ index: Int) -> Bool {
        guard tokens[index].id < 0, let analysis = analyses[index] else { return false }
        let isForm = analysis.bases.contains { active[index] & (1 << UInt32($0.lexicon)) != 0 }
        return !isForm && (analysis.compounds + analysis.stems).contains(where: isActive(index))
    }

    private func isActive(_ index: Int) -> (WordAnalysis.Parts) -> Bool {
        let mask = active[index]
        return { mask & (1 << UInt32($0.lexicon)) != 0 }
    }

    private mutating func walk(from index: Int) {
        step(
            at: index, from: index, node: 0,
            Hit(length: 0, node: 0, lexicons: lexiconIndex.all, isCorrected: false, isSure: true, cost: 0))
    }

    private mutating func step(at place: Int, from start: Int, node: Int32, _ before: Hit) {
        let token = tokens[place]
        if token.id >= 0 { follow(token.id, place, start, node, before) }
        for base in lexiconIndex.bases(of: token) where before.lexicons & (1 << UInt32(base.lexicon)) != 0 {
            // "store" is an English word and no form of the German "Stör".
            let alone = token.id >= 0 ? lexiconIndex.trie.aloneLexicons(token.id) : 0
            let isForeignWord =
                alone != 0 && alone & (1 << UInt32(base.lexicon)) == 0 && token.text.utf8.count < 6
                && (alone & active[place] != 0 || !lexiconIndex.trie.single(token.id).contains { $0.role == .entry })
            if isForeignWord { continue }
            // A word with a meaning of its own is no form of another one: "mints" are not "mint". It is one where both name
            // the same allergen: "bizcochos" are wheat by a list, and eggs as each "bizcocho" is.
            let isItself =
                place == start && token.id >= 0
                && lexiconIndex.certain[Int(token.id)] & (1 << UInt32(base.lexicon)) != 0
                && lexiconIndex.named(token.id) & lexiconIndex.named(base.id) == 0
            var hit = before
            // The base may be in the lexicon of all languages: "pizzas".
            hit.lexicons = 1 << UInt32(base.lexicon) | lexiconIndex.everywhere
            hit.isForm = true
            follow(base.id, place, start, node, hit, isWhole: !isItself)
        }
        if let correction = corrections[place] {
            var hit = before
            hit.isCorrected = true
            hit.isSure = hit.isSure && (correction.isSure || isPoorlyRead)
            hit.cost += correction.cost
            for id in isPoorlyRead ? correction.wideIds : correction.ids where id != token.id {
                follow(id, place, start, node, hit)
                // "rggs": "eggs" is a form of "egg".
                for base in lexiconIndex.vocabulary.bases(of: id)
                where hit.lexicons & (1 << UInt32(base.lexicon)) != 0 && base.id != token.id {
                    var inflected = hit
                    inflected.lexicons = 1 << UInt32(base.lexicon)
                    follow(base.id, place, start, node, inflected)
                }
            }
        }
        // "Kokos-Milch" has no hyphen in the lexicon.
        if node == 0, place + 1 < tokens.count, tokens[place + 1].isHyphenated,
            let joined = lexiconIndex.trie.id(of: token.text + tokens[place + 1].text),
            let child = lexiconIndex.trie.next(0, joined), lexiconIndex.trie.roles[Int(child)] != 0
        {
            var hit = before
            hit.length = 2
            hit.node = child
            hit.isForm = true
            hits.append(hit)
        }
    }

    /// - Parameter isWhole: false if no phrase may end with this word.
    private mutating func follow(
        _ id: Int32, _ place: Int, _ start: Int, _ node: Int32, _ before: Hit, isWhole: Bool = true
    ) {
        guard let child = lexiconIndex.trie.next(node, id) else { return }
        var hit = before
        hit.length = place - start + 1
        hit.node = child
        if isWhole, lexiconIndex.trie.roles[Int(child)] != 0,
            lexiconIndex.trie.lexicons[Int(child)] & hit.lexicons != 0
        {
            hits.append(hit)
        }
        if place + 1 < tokens.count, !tokens[place + 1].isSeparated {
            step(at: place + 1, from: start, node: child, hit)
        }
    }

    /// Phrases that start at the token.
    func hits(at index: Int) -> ArraySlice<Hit> {
        AnalysisSteps.take()
        return hits[firstHit[index]..<firstHit[index + 1]]
    }

    /// The longest phrase at the token with one of these roles in a language of the text, before correction, with all its
    /// meanings: a word and the word that it is a form of may both be entries.
    func longest(_ roles: UInt32, at index: Int, below limit: Int = .max) -> (length: Int, lexemes: [Lexeme])? {
        var best: (length: Int, lexemes: [Lexeme]) = (0, [])
        var isItself = false
        for hit in hits(at: index) where hit.length >= best.length && hit.length < limit {
            let found = lexemes(of: hit, with: roles, at: index)
            guard !found.isEmpty else { continue }
            if hit.length > best.length {
                best = (hit.length, Array(found))
                isItself = false
            } else {
                // What the print names exactly is not hidden by a trap that it would be a form of.
                best.lexemes += found.filter {
                    !best.lexemes.contains($0) && !(hit.isForm && isItself && $0.role == .trap)
                }
            }
            isItself = isItself || !hit.isForm && found.contains { $0.role == .entry && !isDish($0) }
        }
        return best.length == 0 ? nil : best
    }

    private func isDish(_ lexeme: Lexeme) -> Bool {
        lexeme.role == .entry
            && lexiconIndex.lexicons[Int(lexeme.lexicon)].entries[Int(lexeme.index)].kind == .dish
    }

    private static let denying =
        Lexeme.Role.negation.bit | Lexeme.Role.negationAfter.bit | Lexeme.Role.reversal.bit

    private func lexemes(
        of hit: Hit, with roles: UInt32, at index: Int
    ) -> LazyFilterSequence<ArraySlice<Lexeme>> {
        // A form of a denying word is another word: the Czech "běžné" is no "bez".
        let roles = hit.isForm ? roles & ~Self.denying : roles
        let lexicons = hit.isCorrected ? 0 : hit.lexicons & active[index]
        let trie = lexiconIndex.trie
        let isPossible = trie.roles[Int(hit.node)] & roles != 0 && trie.lexicons[Int(hit.node)] & lexicons != 0
        return (isPossible ? trie.lexemes(hit.node) : []).lazy.filter {
            $0.role.bit & roles != 0 && lexicons & (1 << UInt32($0.lexicon)) != 0
        }
    }

    /// True for what is done with food at a place, also as the end of a compound: "Milchverarbeitung".
    func isHandling(at index: Int) -> Bool {
        if has(.handling, at: index) { return true }
        return lexiconIndex.handlingEnds.contains { tokens[index].text.hasSuffix($0) }
    }

    /// True if this single word, or a phrase that starts with it, has the role in any language of the text.
    func has(_ role: Lexeme.Role, at index: Int) -> Bool {
        hits(at: index).contains { !lexemes(of: $0, with: role.bit, at: index).isEmpty }
    }
}
