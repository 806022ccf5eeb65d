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
    /// True if so many words look misread that words with one or two wrong letters are corrected to the nearest
    /// entry.
    private(set) var isPoorlyRead = false
    private var hits: [Hit] = []
    private var firstHit: [Int] = []
    let lexiconIndex: LexiconIndex
    /// Index of the lexicon that the caller named; nil if the language was unknown.
    let hint: Int?

    /// The share of words one or two letters from a known word above which a text counts as poorly recognised.
    private static let badShare = 0.05

    /// - Parameter language: index of the lexicon that the caller names; nil if unknown.
    init(_ text: RecognizedText, range: Range<Int>? = nil, language: Int?, lexiconIndex: LexiconIndex) {
        self.lexiconIndex = lexiconIndex
        hint = language
        characters = text.characters
        var tokens = Folding.tokens(of: text.characters, in: range)
        for index in tokens.indices { tokens[index].id = lexiconIndex.trie.words[tokens[index].text] ?? -1 }
        tokens = GluedWords(lexiconIndex: lexiconIndex).split(tokens, text.characters)
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
            corrections[index] = lexiconIndex.cache.correction(of: tokens[index].text, in: active[index]) {
                lexiconIndex.corrector.correction(of: $0, in: $1)
            }
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
        token.text = lexiconIndex.trie.texts[Int(id)]
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
        if isKnown(index, in: active[index]) || analyses[index]?.compounds.contains(where: isActive(index)) == true {
            return false
        }
        return !Self.isNumbered(token.text)
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
        if let analysis = analyses[place], !analysis.bases.isEmpty {
            // "store" is an English word and no form of the German "Stör".
            let isForeignWord =
                token.id >= 0 && lexiconIndex.trie.aloneLexicons(token.id) != 0 && token.text.utf8.count < 6
            for base in analysis.bases
            where !isForeignWord && base.id != token.id && before.lexicons & (1 << UInt32(base.lexicon)) != 0 {
                var hit = before
                hit.lexicons = 1 << UInt32(base.lexicon)
                follow(base.id, place, start, node, hit)
            }
        }
        if let correction = corrections[place] {
            var hit = before
            hit.isCorrected = true
            hit.isSure = hit.isSure && (correction.isSure || isPoorlyRead)
            hit.cost += correction.cost
            for id in isPoorlyRead ? correction.wideIds : correction.ids where id != token.id {
                follow(id, place, start, node, hit)
                // "rggs": the lexicon has "eggs" only in phrases and as a form of "egg".
                guard lexiconIndex.trie.aloneLexicons(id) & active[place] == 0 else { continue }
                let word = lexiconIndex.trie.texts[Int(id)]
                for base in lexiconIndex.cache.analysis(of: word, make: lexiconIndex.analyser.analysis).bases
                where hit.lexicons & (1 << UInt32(base.lexicon)) != 0 && base.id != token.id {
                    var inflected = hit
                    inflected.lexicons = 1 << UInt32(base.lexicon)
                    follow(base.id, place, start, node, inflected)
                }
            }
        }
        // "Kokos-Milch" has no hyphen in the lexicon.
        if node == 0, place + 1 < tokens.count, tokens[place + 1].isHyphenated,
            let joined = lexiconIndex.trie.words[token.text + tokens[place + 1].text],
            let child = lexiconIndex.trie.next(0, joined), lexiconIndex.trie.roles[Int(child)] != 0
        {
            var hit = before
            hit.length = 2
            hit.node = child
            hits.append(hit)
        }
    }

    private mutating func follow(_ id: Int32, _ place: Int, _ start: Int, _ node: Int32, _ before: Hit) {
        guard let child = lexiconIndex.trie.next(node, id) else { return }
        var hit = before
        hit.length = place - start + 1
        hit.node = child
        if lexiconIndex.trie.roles[Int(child)] != 0, lexiconIndex.trie.lexicons[Int(child)] & hit.lexicons != 0 {
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

    /// The longest phrase at the token with one of these roles in a language of the text, before correction.
    func longest(_ roles: UInt32, at index: Int, below limit: Int = .max) -> (length: Int, lexemes: [Lexeme])? {
        longestHit(roles, at: index, below: limit).map { best in
            (
                best.length,
                lexiconIndex.trie.lexemes[Int(best.node)].filter {
                    $0.role.bit & roles != 0 && best.lexicons & (1 << UInt32($0.lexicon)) != 0
                }
            )
        }
    }

    private func longestHit(
        _ roles: UInt32, at index: Int, below limit: Int = .max
    ) -> (length: Int, node: Int32, lexicons: UInt32)? {
        var best: (length: Int, node: Int32, lexicons: UInt32)?
        for hit in hits(at: index) where !hit.isCorrected && lexiconIndex.trie.roles[Int(hit.node)] & roles != 0 {
            let lexicons = hit.lexicons & active[index]
            guard lexiconIndex.trie.lexicons[Int(hit.node)] & lexicons != 0, hit.length < limit,
                hit.length > best?.length ?? 0
            else { continue }
            let fits = lexiconIndex.trie.lexemes[Int(hit.node)].contains {
                $0.role.bit & roles != 0 && lexicons & (1 << UInt32($0.lexicon)) != 0
            }
            if fits { best = (hit.length, hit.node, lexicons) }
        }
        return best
    }

    /// True if this single word has the role in any language of the text.
    func has(_ role: Lexeme.Role, at index: Int) -> Bool { longestHit(role.bit, at: index) != nil }
}
