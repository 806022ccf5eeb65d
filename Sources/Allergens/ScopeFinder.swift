/// What the words around a mention make of it.
enum MentionContext: Sendable { case plain, declared, precaution, free, option }

/// Finds how far declarations, precautions and denials reach. Where in doubt a denial reaches less far and a precaution
/// ends sooner: both leave the word as a warning.
struct ScopeFinder: Sendable {
    let lexicons: [LexiconIndex]

    /// The context of every token.
    func contexts(of tokens: [Token], in characters: [Character], mentions: [Mention]) -> [MentionContext] {
        var contexts = [MentionContext](repeating: .plain, count: tokens.count)
        guard !tokens.isEmpty else { return contexts }
        let text = Punctuation(tokens: tokens, characters: characters)
        var index = 0
        while index < tokens.count {
            guard let (length, trigger, lexicon) = trigger(in: tokens, at: index) else {
                index += 1
                continue
            }
            let after = index + length
            switch trigger {
            case .precaution(let number):
                let phrase = lexicon.lexicon.precaution[number]
                if let range = reach(of: phrase, from: index, after: after, tokens: tokens, text: text) {
                    for place in range where contexts[place] != .free { contexts[place] = .precaution }
                }
            case .declaration:
                let isAmount = after < tokens.count && tokens[after].isNumber
                if !isAmount, after <= text.end(of: index) {
                    for place in after...text.end(of: index) where contexts[place] == .plain {
                        contexts[place] = .declared
                    }
                }
            case .negation(let number):
                deny(lexicon.lexicon.negationBefore[number].scope, after, tokens, mentions, text, lexicon, &contexts)
            case .ingredientHeading, .legendHeading, .listEnd, .advice, .optionBefore: break
            }
            index = after
        }
        denyBackwards(tokens, mentions, text, &contexts)
        return contexts
    }

    private func trigger(in tokens: [Token], at index: Int) -> (Int, LexiconIndex.Trigger, LexiconIndex)? {
        var best: (Int, LexiconIndex.Trigger, LexiconIndex)?
        for lexicon in lexicons {
            guard let found = lexicon.triggers.longest(in: tokens, at: index), found.length > (best?.0 ?? 0) else {
                continue
            }
            let chosen = found.payloads.first { $0 == .declaration } ?? found.payloads[0]
            best = (found.length, chosen, lexicon)
        }
        return best
    }

    private func reach(
        of phrase: AllergenLexicon.Precaution, from index: Int, after: Int, tokens: [Token], text: Punctuation
    ) -> Range<Int>? {
        let end = text.end(of: index)
        if phrase.wholeSentence == true { return text.start(of: index)..<(end + 1) }
        if let close = phrase.close.map({ Folding.fold($0) }) {
            guard let last = (after...max(after, end)).first(where: { $0 < tokens.count && tokens[$0].text == close })
            else { return nil }
            return index..<last
        }
        // A declaration with a colon or at a line's start begins something new; "that also contains" does not.
        var stop = after
        while stop <= end {
            if let (length, trigger, _) = self.trigger(in: tokens, at: stop) {
                let startsAnew = text.isFollowedByColon(stop + length - 1) || text.startsLine(stop)
                if startsAnew,
                    trigger == .declaration || trigger == .ingredientHeading || trigger == .listEnd
                        || trigger == .advice
                {
                    break
                }
            }
            stop += 1
        }
        return index..<stop
    }

    private func deny(
        _ scope: AllergenLexicon.Negation.Scope, _ start: Int, _ tokens: [Token], _ mentions: [Mention],
        _ text: Punctuation,
        _ lexicon: LexiconIndex, _ contexts: inout [MentionContext]
    ) {
        let end = start < tokens.count ? text.end(of: max(0, start - 1)) : -1
        var place = start
        var isFirst = true
        while place <= end {
            if !isFirst {
                let word = tokens[place].text
                let isLink = scope == .list ? lexicon.conjunctions.contains(word) : lexicon.alternatives.contains(word)
                if isLink, !text.hasBreak(before: place) {
                    place += 1
                    guard place <= end else { return }
                } else if !(scope == .list && text.hasOnlyComma(before: place)) {
                    return
                }
            } else if text.hasBreak(before: place), !(scope == .list && text.isFollowedByColon(place - 1)) {
                return
            }
            if let mention = mentions.first(where: { $0.tokens.lowerBound == place && !$0.meanings.isEmpty }) {
                for token in mention.tokens { contexts[token] = .free }
                place = mention.tokens.upperBound
                isFirst = false
            } else if isFirst, lexicon.functionWords.contains(tokens[place].text) {
                place += 1
            } else {
                return
            }
        }
    }

    /// "gluten-free", "milk free", and what makes of it an option only.
    private func denyBackwards(
        _ tokens: [Token], _ mentions: [Mention], _ text: Punctuation, _ contexts: inout [MentionContext]
    ) {
        for mention in mentions {
            var end = mention.tokens.upperBound
            var isFree = mention.isDenied || mention.tokens.contains { contexts[$0] == .free }
            if end < tokens.count, !text.hasBreak(before: end),
                let lexicon = lexicons.first(where: { $0.negationAfter.contains(tokens[end].text) }),
                !(end + 1 < tokens.count && lexicon.negationAfterExceptions.contains(tokens[end + 1].text)
                    && !text.hasBreak(before: end + 1))
            {
                isFree = true
                end += 1
            }
            guard isFree else { continue }
            let isOption = lexicons.contains { lexicon in
                let follows = end..<min(tokens.count, end + 3)
                let precedes = max(0, mention.tokens.lowerBound - 4)..<mention.tokens.lowerBound
                return follows.contains { lexicon.optionAfter.longest(in: tokens, at: $0) != nil }
                    || precedes.contains {
                        lexicon.triggers.longest(in: tokens, at: $0)?.payloads.contains(.optionBefore) == true
                    }
            }
            for token in mention.tokens { contexts[token] = isOption ? .option : .free }
        }
    }
}
