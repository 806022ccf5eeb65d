import Core

/// The effect of surrounding words on a mention.
enum MentionContext: Sendable { case plain, declared, precaution, free, option }

/// Finds the range of declarations, precautions and denials. In doubt a denial ends earlier and a precaution ends
/// sooner. Both cases leave the word as a warning.
struct ScopeFinder: Sendable {
    let text: TextAnalysis

    private static let triggers =
        Lexeme.Role.precaution.bit | Lexeme.Role.declaration.bit | Lexeme.Role.negation.bit
        | Lexeme.Role.ingredientHeading.bit | Lexeme.Role.listEnd.bit | Lexeme.Role.advice.bit

    /// The context of each token.
    func contexts(mentions: [Mention]) -> [MentionContext] {
        let tokens = text.tokens
        var contexts = [MentionContext](repeating: .plain, count: tokens.count)
        var index = 0
        while index < tokens.count {
            guard let (length, lexeme) = trigger(at: index) else {
                index += 1
                continue
            }
            let after = index + length
            let lexicon = text.lexiconIndex.lexicons[Int(lexeme.lexicon)]
            switch lexeme.role {
            case .precaution:
                let phrase = lexicon.precaution[Int(lexeme.index)]
                if let range = reach(of: phrase, from: index, after: after) {
                    for place in range where contexts[place] != .free { contexts[place] = .precaution }
                }
            case .declaration:
                let isAmount = after < tokens.count && tokens[after].isNumber
                let end = text.punctuation.end(of: index)
                if !isAmount, after <= end {
                    for place in after...end where contexts[place] == .plain { contexts[place] = .declared }
                }
            case .negation:
                deny(lexicon.negationBefore[Int(lexeme.index)].scope, from: index, after, mentions, &contexts)
            default: break
            }
            index = after
        }
        denyBackwards(mentions, &contexts)
        return contexts
    }

    private func trigger(at index: Int) -> (Int, Lexeme)? {
        guard let (length, lexemes) = text.longest(Self.triggers, at: index) else { return nil }
        // A word that may be a declaration or a denial counts as a declaration, which hides no allergen.
        let order: [Lexeme.Role] = [.precaution, .declaration]
        return (length, order.lazy.compactMap { role in lexemes.first { $0.role == role } }.first ?? lexemes[0])
    }

    private func reach(of phrase: AllergenLexicon.Precaution, from index: Int, after: Int) -> Range<Int>? {
        let end = text.punctuation.end(of: index)
        if phrase.wholeSentence == true { return sentenceStart(index)..<(end + 1) }
        if let close = phrase.close.map({ Folding.fold($0) }) {
            guard after <= end, let last = (after...end).first(where: { text.tokens[$0].text == close }) else {
                return nil
            }
            return index..<last
        }
        // A declaration with a colon or at the start of a line starts a new scope; "that also contains" does not.
        var stop = after
        while stop <= end {
            if let (length, lexeme) = trigger(at: stop), lexeme.role != .precaution, lexeme.role != .negation,
                text.punctuation.isFollowedByColon(stop + length - 1) || text.punctuation.startsLine(stop)
            {
                break
            }
            stop += 1
        }
        return index..<stop
    }

    /// The start of the sentence, or the last declaration in it: "Contains milk, traces of nuts are possible".
    private func sentenceStart(_ index: Int) -> Int {
        let start = text.punctuation.start(of: index)
        var first = index
        while first > start {
            if let (length, lexeme) = trigger(at: first - 1), lexeme.role == .declaration, first - 1 + length <= index {
                return first
            }
            first -= 1
        }
        return first
    }

    private func deny(
        _ scope: AllergenLexicon.Negation.Scope, from index: Int, _ start: Int, _ mentions: [Mention],
        _ contexts: inout [MentionContext]
    ) {
        if scope == .sentence {
            for place in text.punctuation.start(of: index)...text.punctuation.end(of: index) { contexts[place] = .free }
            return
        }
        let end = start < text.tokens.count ? text.punctuation.end(of: max(0, start - 1)) : -1
        var place = start
        var isFirst = true
        while place <= end {
            if !isFirst {
                let isLink = text.has(scope == .list ? .conjunction : .alternative, at: place)
                if isLink, !text.punctuation.hasBreak(before: place) {
                    place += 1
                    guard place <= end else { return }
                } else if !(scope == .list && text.punctuation.hasOnlyComma(before: place)) {
                    return
                }
            } else if text.punctuation.hasBreak(before: place),
                !(scope == .list && text.punctuation.isFollowedByColon(place - 1))
            {
                return
            }
            if let mention = mentions.first(where: { $0.tokens.lowerBound == place && !$0.meanings.isEmpty }) {
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

    /// Applies "gluten-free" and "milk free" to the word before, or marks it as an option.
    private func denyBackwards(_ mentions: [Mention], _ contexts: inout [MentionContext]) {
        for mention in mentions {
            var end = mention.tokens.upperBound
            var isFree = mention.isDenied || mention.tokens.contains { contexts[$0] == .free }
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
