import Core

/// The effect of surrounding words on a mention.
enum MentionContext: Sendable { case plain, declared, precaution, free, option }

/// Finds the range of declarations, precautions and denials. In doubt a denial ends earlier and a precaution ends
/// sooner. Both cases leave the word as a warning.
struct ScopeFinder: Sendable {
    let text: TextAnalysis

    fileprivate static let triggers =
        Lexeme.Role.precaution.bit | Lexeme.Role.declaration.bit | Lexeme.Role.negation.bit
        | Lexeme.Role.ingredientHeading.bit | Lexeme.Role.listEnd.bit | Lexeme.Role.advice.bit

    /// The context of each token.
    func contexts(mentions: [Mention]) -> [MentionContext] {
        var sweep = Sweep(text: text, mentions: mentions)
        var index = 0
        while index < text.tokens.count {
            guard let (length, lexeme) = sweep.trigger(at: index) else {
                index += 1
                continue
            }
            let after = index + length
            let lexicon = text.lexiconIndex.lexicons[Int(lexeme.lexicon)]
            switch lexeme.role {
            case .precaution: sweep.warn(lexicon.precaution[Int(lexeme.index)], from: index, after: after)
            case .declaration: sweep.declare(from: index, after: after)
            case .negation: sweep.deny(lexicon.negationBefore[Int(lexeme.index)].scope, from: index, after)
            default: break
            }
            index = after
        }
        denyBackwards(mentions, &sweep.contexts)
        return sweep.contexts
    }

    /// The contexts while the triggers are read in the order of the text. A sentence may hold thousands of triggers, and
    /// each reaches to its end, so no place is marked twice with the same context and no answer is searched for twice.
    private struct Sweep {
        let text: TextAnalysis
        var contexts: [MentionContext]
        /// The mention with a meaning that starts at a token.
        private let mentionAt: [Int: Mention]
        /// The triggers that were looked up, by token; the inner nil is a token without one.
        private var triggers: [Trigger??]
        /// Places that have a context already.
        private var declared, warned, denied: Range<Int>
        /// The last stop of a precaution: every search from a place of the range finds it.
        private var stop: (from: Range<Int>, place: Int)
        /// The places of a closing word, ascending.
        private var closings: [String: [Int]] = [:]
        /// The declarations before a token, with their ends; looked up as far as `declarationsKnown`.
        private var declarations: [(start: Int, end: Int)] = []
        private var declarationsKnown = 0

        typealias Trigger = (length: Int, lexeme: Lexeme)

        init(text: TextAnalysis, mentions: [Mention]) {
            self.text = text
            contexts = [MentionContext](repeating: .plain, count: text.tokens.count)
            mentionAt = Dictionary(
                mentions.lazy.filter { !$0.meanings.isEmpty }.map { ($0.tokens.lowerBound, $0) },
                uniquingKeysWith: { first, _ in first })
            triggers = [Trigger??](repeating: nil, count: text.tokens.count)
            (declared, warned, denied) = (0..<0, 0..<0, 0..<0)
            stop = (0..<0, 0)
        }

        mutating func trigger(at index: Int) -> Trigger? {
            if let known = triggers[index] { return known }
            let found = text.longest(ScopeFinder.triggers, at: index).map { length, lexemes -> Trigger in
                // A word that may be a declaration or a denial counts as a declaration, which hides no allergen.
                let order: [Lexeme.Role] = [.precaution, .declaration]
                return (length, order.lazy.compactMap { role in lexemes.first { $0.role == role } }.first ?? lexemes[0])
            }
            triggers[index] = .some(found)
            return found
        }

        /// Marks the places of a range that are not in the range that was marked last.
        private mutating func mark(
            _ range: Range<Int>, _ context: MentionContext, _ last: WritableKeyPath<Sweep, Range<Int>>,
            where fits: (MentionContext) -> Bool
        ) {
            guard !range.isEmpty else { return }
            let known = self[keyPath: last]
            let joins = range.lowerBound >= known.lowerBound && range.lowerBound <= known.upperBound
            let new = joins ? min(range.upperBound, known.upperBound)..<range.upperBound : range
            AnalysisSteps.take(new.count)
            for place in new where fits(contexts[place]) { contexts[place] = context }
            self[keyPath: last] = joins ? known.lowerBound..<max(known.upperBound, range.upperBound) : range
        }

        // MARK: Declarations

        mutating func declare(from index: Int, after: Int) {
            let isAmount = after < text.tokens.count && text.tokens[after].isNumber
            let end = text.punctuation.end(of: index)
            guard !isAmount, after <= end else { return }
            mark(after..<(end + 1), .declared, \.declared) { $0 == .plain }
        }

        // MARK: Precautions

        mutating func warn(_ phrase: AllergenLexicon.Precaution, from index: Int, after: Int) {
            guard let range = reach(of: phrase, from: index, after: after) else { return }
            mark(range, .precaution, \.warned) { $0 != .free }
        }

        private mutating func reach(
            of phrase: AllergenLexicon.Precaution, from index: Int, after: Int
        ) -> Range<Int>? {
            let end = text.punctuation.end(of: index)
            if phrase.wholeSentence == true { return sentenceStart(index)..<(end + 1) }
            if let close = phrase.close.map({ Folding.fold($0) }) {
                guard after <= end, let last = closing(close, from: after), last <= end else { return nil }
                return index..<last
            }
            // A declaration with a colon or at the start of a line starts a new scope; "that also contains" does not.
            if !stop.from.contains(after) {
                var place = after
                while place <= end, !startsScope(place) { place += 1 }
                AnalysisSteps.take(place - after)
                stop = (after..<max(after, place <= end ? place + 1 : end + 1), place)
            }
            return index..<max(after, min(stop.place, end + 1))
        }

        private mutating func startsScope(_ place: Int) -> Bool {
            guard let (length, lexeme) = trigger(at: place), lexeme.role != .precaution, lexeme.role != .negation else {
                return false
            }
            return text.punctuation.isFollowedByColon(place + length - 1) || text.punctuation.startsLine(place)
        }

        /// The next place of a word.
        private mutating func closing(_ word: String, from start: Int) -> Int? {
            if closings[word] == nil {
                AnalysisSteps.take(text.tokens.count)
                closings[word] = text.tokens.indices.filter { text.tokens[$0].text == word }
            }
            let places = closings[word] ?? []
            let next = places.partition(where: { $0 >= start })
            return next < places.count ? places[next] : nil
        }

        /// The start of the sentence, or the last declaration in it: "Contains milk, traces of nuts are possible".
        private mutating func sentenceStart(_ index: Int) -> Int {
            let start = text.punctuation.start(of: index)
            while declarationsKnown < index {
                if let (length, lexeme) = trigger(at: declarationsKnown), lexeme.role == .declaration {
                    declarations.append((declarationsKnown, declarationsKnown + length))
                }
                declarationsKnown += 1
            }
            for one in declarations.reversed() where one.start < index {
                AnalysisSteps.take()
                if one.start < start { break }
                if one.end <= index { return one.start + 1 }
            }
            return start
        }

        // MARK: Denials

        mutating func deny(_ scope: AllergenLexicon.Negation.Scope, from index: Int, _ start: Int) {
            let punctuation = text.punctuation
            if scope == .sentence {
                let sentence = punctuation.start(of: index)..<(punctuation.end(of: index) + 1)
                mark(sentence, .free, \.denied) { _ in true }
                return
            }
            let end = start < text.tokens.count ? punctuation.end(of: max(0, start - 1)) : -1
            var place = start
            var isFirst = true
            while place <= end {
                AnalysisSteps.take()
                if !isFirst {
                    let isLink = text.has(scope == .list ? .conjunction : .alternative, at: place)
                    if isLink, !punctuation.hasBreak(before: place) {
                        place += 1
                        guard place <= end else { return }
                    } else if !(scope == .list && punctuation.hasOnlyComma(before: place)) {
                        return
                    }
                } else if punctuation.hasBreak(before: place),
                    !(scope == .list && punctuation.isFollowedByColon(place - 1))
                {
                    return
                }
                if let mention = mentionAt[place] {
                    for token in mention.tokens { contexts[token] = .free }
                    place = mention.tokens.upperBound
                    isFirst = false
                } else if isFirst, text.has(.function, at: place) {
                    place += 1
                } else {
                    return
                }
            }
        }
    }

    /// The first token of an abbreviated denial before an allergen's name, "s/gluten" and "w/o gluten"; nil without one.
    /// Only the allergen's own name counts, because "s/ pan" is also "sobre pan", on bread.
    func slashDenialStart(_ mention: Mention) -> Int? {
        let first = mention.tokens.lowerBound
        guard first > 0, !mention.meanings.isEmpty, text.isAllergenName(mention) else { return nil }
        var end = text.tokens[first].range.lowerBound
        while end > 0, Folding.isSpace(text.characters[end - 1]), !Folding.isNewline(text.characters[end - 1]) {
            end -= 1
        }
        for form in text.lexiconIndex.slashNegations {
            let letters = Array(form.unicodeScalars)
            let start = end - letters.count
            guard start >= 0, String(scalars: text.characters[start..<end]).lowercased() == form,
                start == 0 || !Folding.isWordPart(text.characters[start - 1])
            else { continue }
            return text.tokens[..<first].lastIndex { $0.range.lowerBound == start }
        }
        return nil
    }

    /// Applies "gluten-free" and "milk free" to the word before, or marks it as an option.
    private func denyBackwards(_ mentions: [Mention], _ contexts: inout [MentionContext]) {
        for mention in mentions {
            var end = mention.tokens.upperBound
            var isFree =
                mention.isDenied || mention.tokens.contains { contexts[$0] == .free }
                || slashDenialStart(mention) != nil
            if end < text.tokens.count, !text.punctuation.hasBreak(before: end), text.has(.negationAfter, at: end),
                !(end + 1 < text.tokens.count && text.has(.negationAfterException, at: end + 1)
                    && !text.punctuation.hasBreak(before: end + 1))
            {
                isFree = true
                end += 1
            }
            guard isFree else { continue }
            let follows = end..<min(text.tokens.count, end + 3)
            let precedes = max(0, mention.tokens.lowerBound - 4)..<mention.tokens.lowerBound
            let isOption =
                follows.contains { text.has(.optionAfter, at: $0) }
                || precedes.contains { text.has(.optionBefore, at: $0) }
            for token in mention.tokens { contexts[token] = isOption ? .option : .free }
        }
    }
}

extension [Int] {
    /// The index of the first element of an ascending list from which on the predicate holds.
    fileprivate func partition(where holds: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
