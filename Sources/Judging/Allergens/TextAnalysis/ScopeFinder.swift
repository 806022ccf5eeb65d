import Core

/// The effect of surrounding words on a mention.
enum MentionContext: Sendable { case plain, declared, precaution, free, option, advisory }

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
            if text.punctuation.isSentenceStart(index) {
                let sentence = index..<(text.punctuation.end(of: index) + 1)
                sweep.warnOfPlace(in: sentence)
                for statement in allergyStatements(in: sentence) { sweep.state(statement.part, statement.context) }
            }
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
        for range in text.advisories { for place in range { sweep.contexts[place] = .advisory } }
        return sweep.contexts
    }

    /// True if a word such as "not" or "never" directly before the place, or with one small word between, turns what begins
    /// there off.
    func isReversed(_ place: Int) -> Bool {
        var before = place
        for _ in 0..<2 where before > 0 && !text.punctuation.hasBreak(before: before) {
            before -= 1
            if text.has(.reversal, at: before) { return true }
            // The Portuguese "é" is folded like "e".
            let isLink = text.has(.addition, at: before) && !(before > 0 && text.has(.reversal, at: before - 1))
            guard text.has(.function, at: before), !isLink else { return false }
        }
        return false
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
            // The Hungarian "nem" denies; "nem au crabe" is a food.
            let isName = found.map { mentionAt[index]?.tokens.count ?? 0 > $0.length } ?? false
            triggers[index] = .some(isName ? nil : found)
            return isName ? nil : found
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

        /// What a part about allergies says of the names in it. A question changes nothing that is said already.
        mutating func state(_ part: Range<Int>, _ context: MentionContext) {
            AnalysisSteps.take(part.count)
            for place in part where context == .free || contexts[place] == .plain { contexts[place] = context }
        }

        // MARK: Precautions

        /// The most words between a place where food is made and what is done there.
        private static let placeReach = 12

        /// A sentence about a place where food is made, and about what it handles: "This factory handles peanuts".
        mutating func warnOfPlace(in sentence: Range<Int>) {
            guard let place = sentence.first(where: { text.has(.place, at: $0) }) else { return }
            let near =
                max(sentence.lowerBound, place - Self.placeReach)..<min(sentence.upperBound, place + Self.placeReach)
            guard let verb = near.first(where: { $0 != place && text.isHandling(at: $0) }) else { return }
            let start = min(place, verb)
            mark(
                listStart(before: start, in: sentence)..<stop(from: start + 1, sentence.upperBound - 1), .precaution,
                \.warned
            ) {
                $0 != .free
            }
        }

        /// The first word of a list of foods that a verb directly follows: "Peanuts and milk are used in this factory". The
        /// sentence must be nothing but the list, so that no list of ingredients is taken down.
        private func listStart(before start: Int, in sentence: Range<Int>) -> Int {
            guard start > sentence.lowerBound, !text.punctuation.hasBreak(before: start),
                text.has(.function, at: start - 1), isList(sentence.lowerBound..<(start - 1))
            else { return start }
            return sentence.lowerBound
        }

        /// True if the words are foods, joined by commas and conjunctions, and nothing else.
        private func isList(_ range: Range<Int>) -> Bool {
            var place = range.lowerBound
            var last = 0
            while place < range.upperBound {
                if let mention = mentionAt[place], mention.tokens.upperBound <= range.upperBound {
                    (place, last) = (mention.tokens.upperBound, mention.tokens.count)
                } else if text.has(.conjunction, at: place) || text.has(.function, at: place) {
                    place += 1
                } else {
                    return false
                }
            }
            return last > 0
        }

        mutating func warn(_ phrase: AllergenLexicon.Precaution, from index: Int, after: Int) {
            // "Produced on 12/05/2026", and a cheese "made in a factory in the Alps", warn of nothing.
            if after < text.tokens.count, text.tokens[after].isNumber { return }
            let end = text.punctuation.end(of: index)
            if (index..<after).contains(where: { text.has(.place, at: $0) }),
                !(index...min(end, after + Self.placeReach)).contains(where: { text.isHandling(at: $0) })
            {
                return
            }
            guard let range = reach(of: phrase, from: index, after: after) else { return }
            mark(range, .precaution, \.warned) { $0 != .free }
        }

        private mutating func reach(
            of phrase: AllergenLexicon.Precaution, from index: Int, after: Int
        ) -> Range<Int>? {
            let end = text.punctuation.end(of: index)
            if phrase.wholeSentence == true {
                return sentenceStart(index)..<max(after, stop(from: after, end))
            }
            if let close = phrase.close.map({ Folding.fold($0) }) {
                guard after <= end, let last = closing(close, from: after), last <= end else { return nil }
                return index..<last
            }
            return index..<max(after, stop(from: after, end))
        }

        /// The first place at which another statement begins; behind `end` without one.
        private mutating func stop(from after: Int, _ end: Int) -> Int {
            if !stop.from.contains(after) {
                var place = after
                while place <= end, !startsScope(place) { place += 1 }
                AnalysisSteps.take(max(0, place - after))
                stop = (after..<max(after, place <= end ? place + 1 : end + 1), place)
            }
            return min(stop.place, end + 1)
        }

        /// A declaration or heading with a colon, at the start of a line, or behind a comma or "but" starts a new scope;
        /// "that also contains" does not.
        private mutating func startsScope(_ place: Int) -> Bool {
            guard let (length, lexeme) = trigger(at: place), lexeme.role != .precaution, lexeme.role != .negation else {
                return false
            }
            if text.punctuation.isFollowedByColon(place + length - 1) || text.punctuation.startsLine(place) {
                return true
            }
            guard lexeme.role == .declaration, place > 0 else { return false }
            if text.punctuation.hasBreak(before: place) { return true }
            return text.has(.contrast, at: place - 1) || text.has(.conjunction, at: place - 1)
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

        /// The start of what a closing phrase qualifies: "traces of nuts are possible". That is its own part of the sentence,
        /// and a list of foods before it that "and" closes: "milk, eggs and nuts may be present". It ends at a declaration.
        private mutating func sentenceStart(_ index: Int) -> Int {
            let start = max(text.punctuation.start(of: index), lastDeclaration(before: index) ?? 0)
            var part = index
            var isClosed = false
            while part > start, !text.punctuation.hasBreak(before: part) {
                part -= 1
                isClosed = isClosed || text.has(.conjunction, at: part)
            }
            return isClosed && part > start && isList(start..<part) ? start : part
        }

        /// The place behind the last declaration before a token.
        private mutating func lastDeclaration(before index: Int) -> Int? {
            while declarationsKnown < index {
                if let (length, lexeme) = trigger(at: declarationsKnown), lexeme.role == .declaration {
                    declarations.append((declarationsKnown, declarationsKnown + length))
                }
                declarationsKnown += 1
            }
            return declarations.last { $0.end <= index }?.end
        }

        // MARK: Denials

        mutating func deny(_ scope: AllergenLexicon.Negation.Scope, from index: Int, _ start: Int) {
            // "Never without butter", "without or with cheese", "with or without cheese".
            if ScopeFinder(text: text).isReversed(index)
                || start < text.tokens.count && text.has(.alternative, at: start)
                || index > 1 && text.has(.alternative, at: index - 1) && text.has(.addition, at: index - 2)
            {
                return
            }
            if scope == .sentence {
                let first = sentenceStart(index)
                for mention in mentionAt.values where (first..<index).contains(mention.tokens.lowerBound) {
                    for token in mention.tokens { contexts[token] = .free }
                }
            }
            let isList = scope != .word
            let reach = isList && isDeniedList(from: start) ? nil : denialEnd(from: start)
            denyMentions(from: start, isList: isList, until: reach)
        }

        /// The place of the first comma behind a denial; what follows it is no list of denied foods.
        private func denialEnd(from start: Int) -> Int {
            let end = start < text.tokens.count ? text.punctuation.end(of: max(0, start - 1)) : -1
            var place = start + 1
            while place <= end, !text.punctuation.hasBreak(before: place) { place += 1 }
            return place
        }

        /// True if nothing but foods follows until the sentence ends: "free from gluten, milk and nuts". In "free from
        /// gluten, milk chocolate chips" only gluten is denied.
        private func isDeniedList(from start: Int) -> Bool {
            start < text.tokens.count && isList(start..<(text.punctuation.end(of: max(0, start - 1)) + 1))
        }

        private mutating func denyMentions(from start: Int, isList: Bool, until limit: Int?) {
            let punctuation = text.punctuation
            let end = start < text.tokens.count ? min(punctuation.end(of: max(0, start - 1)), (limit ?? .max) - 1) : -1
            var place = start
            var isFirst = true
            while place <= end {
                AnalysisSteps.take()
                if !isFirst {
                    let isLink = text.has(isList ? .conjunction : .alternative, at: place)
                    if isLink, !punctuation.hasBreak(before: place) {
                        place += 1
                        guard place <= end else { return }
                    } else if !(isList && punctuation.hasOnlyComma(before: place)) {
                        return
                    }
                } else if punctuation.hasBreak(before: place), !(isList && punctuation.isFollowedByColon(place - 1)) {
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

    /// Applies "gluten-free" and "milk free" to the word before, or marks it as an option.
    private func denyBackwards(_ mentions: [Mention], _ contexts: inout [MentionContext]) {
        // A word that two others may be together denies nothing of them.
        for mention in mentions where mention.method != .joined {
            var end = mention.tokens.upperBound
            // "flocons d'avoine sans gluten" is one name, and oats.
            let isBefore = contexts[mention.tokens.lowerBound] == .free || slashDenialStart(mention) != nil
            let isOwn = mention.isDenied && !isReversed(mention.tokens.lowerBound)
            let isBehind = isDeniedByNextWord(mention) && !isReversed(mention.tokens.lowerBound)
            if isBehind { end += 1 }
            guard isBefore || isOwn || isBehind || isDeniedByAnswer(mention.tokens) else { continue }
            let follows = end..<min(text.tokens.count, end + 3)
            let precedes = max(0, mention.tokens.lowerBound - 4)..<mention.tokens.lowerBound
            let isOption =
                follows.contains { text.has(.optionAfter, at: $0) }
                || precedes.contains { text.has(.optionBefore, at: $0) } || hasSurcharge(after: end)
            for token in mention.tokens { contexts[token] = isOption ? .option : .free }
        }
    }

    /// True for "milk free" and "milk-free". "Cheese free with every order" and "eggs free on Mondays" give something away:
    /// without a hyphen only the name of an allergen is denied, and nothing but the food that is free of it may follow.
    func isDeniedByNextWord(_ mention: Mention) -> Bool {
        let end = mention.tokens.upperBound
        guard end < text.tokens.count, !text.punctuation.hasBreak(before: end), !text.punctuation.startsLine(end),
            text.has(.negationAfter, at: end)
        else { return false }
        if text.tokens[end].isHyphenated || text.hasOnlyDenials(at: end) { return true }
        let next = end + 1
        let isGift =
            next < text.tokens.count && !text.punctuation.startsLine(next)
            && (!text.punctuation.hasBreak(before: next) || text.punctuation.hasOnlyComma(before: next))
            && (text.has(.negationAfterException, at: next) || text.has(.addition, at: next))
        return !isGift && text.isAllergenName(mention)
    }

    /// True if a price on top follows within the bracket or line: "gluten-free base +3".
    func hasSurcharge(after end: Int) -> Bool {
        let start = text.tokens[end - 1].range.upperBound
        let rest = text.characters[start...].prefix { !Folding.isNewline($0) && $0 != ")" && $0 != "," }.prefix(24)
        guard let plus = rest.firstIndex(of: "+") else { return false }
        return rest[(plus + 1)...].contains { (0x30...0x39).contains($0.value) }
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
