import Vocabulary

/// Finds the ingredient lists of a label and the statements around them.
struct LabelParser: Sendable {
    /// One ingredient list.
    struct IngredientList: Sendable {
        var range: Range<Int>
        var language: String
        var ingredients: [Label.Ingredient]
        /// True where something follows the list or a full stop ends it, and all parentheses are closed.
        var isEndSeen: Bool
        /// Share of its ingredients that no lexicon knows.
        var unknownRatio: Double
    }

    /// What the label is made of.
    struct Layout: Sendable {
        var lists: [IngredientList]
        /// Spans that speak of what is inside, with their language where known.
        var readable: [(range: Range<Int>, language: String?)]
        var hasStatement: Bool
    }

    let lexicons: [LexiconIndex]

    private enum Mark { case heading, statement, advice, end }

    func parse(_ text: ReadText) -> Layout {
        let tokens = Folding.tokens(of: text.characters)
        let punctuation = Punctuation(tokens: tokens, characters: text.characters)
        let marks = marks(in: tokens, punctuation)
        var lists: [IngredientList] = []
        for (number, mark) in marks.enumerated() where mark.kind == .heading {
            let first = mark.tokens.upperBound
            guard first < tokens.count else { continue }
            let nextMark = number + 1 < marks.count ? marks[number + 1].tokens.lowerBound : tokens.count
            let last = lastToken(from: first, before: nextMark, tokens, punctuation, text)
            guard last >= first else { continue }
            // Closing parentheses and the full stop after the last word belong to the list.
            let limit = last + 1 < tokens.count ? tokens[last + 1].range.lowerBound : text.characters.count
            let range = tokens[first].range.lowerBound..<limit
            lists.append(list(range, language: mark.language, text, endsEarly: last + 1 < tokens.count))
        }
        return Layout(
            lists: lists, readable: readable(tokens, marks, text.characters.count),
            hasStatement: marks.contains { $0.kind == .statement })
    }

    /// A list without a heading, the text of a catalogue: what stands before the first statement.
    func list(of text: ReadText, language: String) -> IngredientList? {
        let tokens = Folding.tokens(of: text.characters)
        let marks = marks(in: tokens, Punctuation(tokens: tokens, characters: text.characters))
        let end = marks.first.map { tokens[$0.tokens.lowerBound].range.lowerBound } ?? text.characters.count
        return end == 0 ? nil : list(0..<end, language: language, text, endsEarly: true)
    }

    private func marks(
        in tokens: [Token], _ text: Punctuation
    ) -> [(kind: Mark, tokens: Range<Int>, language: String)] {
        var marks: [(kind: Mark, tokens: Range<Int>, language: String)] = []
        var index = 0
        while index < tokens.count {
            var best: (kind: Mark, length: Int, language: String)?
            for lexicon in lexicons {
                guard let found = lexicon.triggers.longest(in: tokens, at: index), found.length > (best?.length ?? 0)
                else { continue }
                let hasColon = text.isFollowedByColon(index + found.length - 1)
                let starts = hasColon || text.startsLine(index) || text.start(of: index) == index
                for payload in found.payloads {
                    let kind: Mark? =
                        switch payload {
                        case .ingredientHeading: hasColon || text.startsLine(index) ? .heading : nil
                        case .listEnd: starts ? .end : nil
                        case .advice: starts ? .advice : nil
                        case .declaration:
                            starts && !(index + found.length < tokens.count && tokens[index + found.length].isNumber)
                                ? .statement : nil
                        case .precaution(let number):
                            starts || lexicon.lexicon.precaution[number].close == nil ? .statement : nil
                        case .legendHeading, .negation, .optionBefore: nil
                        }
                    if let kind { best = (kind, found.length, lexicon.lexicon.language) }
                }
            }
            if let best {
                marks.append((best.kind, index..<(index + best.length), best.language))
                index += best.length
            } else {
                index += 1
            }
        }
        return marks
    }

    /// The list goes on after a full stop where another list of three or more follows: "Base: flour, salt. Filling: …".
    private func lastToken(
        from first: Int, before limit: Int, _ tokens: [Token], _ punctuation: Punctuation, _ text: ReadText
    ) -> Int {
        var end = min(punctuation.end(of: first), limit - 1)
        while end + 1 < limit {
            let next = min(punctuation.end(of: end + 1), limit - 1)
            let span = text.characters[tokens[end + 1].range.lowerBound..<tokens[next].range.upperBound]
            guard span.count(where: { $0 == "," }) >= 2 else { break }
            end = next
        }
        return end
    }

    private func list(_ range: Range<Int>, language: String, _ text: ReadText, endsEarly: Bool) -> IngredientList {
        let order =
            lexicons.filter { $0.lexicon.language == language } + lexicons.filter { $0.lexicon.language != language }
        let tree = IngredientTree(text: text, conjunctions: order.first?.conjunctions ?? [])
        let (ingredients, isBalanced) = tree.parse(range)
        let last = text.characters[range].last { !$0.isWhitespace }
        let endsWell = last.map { !",-(:;[".contains($0) } ?? false
        return IngredientList(
            range: range, language: language, ingredients: ingredients,
            isEndSeen: isBalanced && endsWell && (endsEarly || last == "."),
            unknownRatio: unknownRatio(of: ingredients, order))
    }

    private func unknownRatio(of ingredients: [Label.Ingredient], _ order: [LexiconIndex]) -> Double {
        var known = 0
        var total = 0
        func visit(_ ingredient: Label.Ingredient) {
            ingredient.ingredients.forEach(visit)
            let tokens = Folding.tokens(of: Array(ingredient.text)).filter { !$0.isNumber && $0.text.count > 1 }
            guard !tokens.isEmpty else { return }
            total += 1
            let finder = MentionFinder(
                lexicons: order, compoundLanguages: [order.first?.lexicon.language ?? ""], isFuzzy: false)
            let covered = finder.mentions(in: tokens).reduce(0) { $0 + $1.tokens.count }
            let others = tokens.count { token in
                Self.isAdditiveNumber(token.text) || order.contains { $0.knows(token.text) }
            }
            if max(covered, others) * 2 >= tokens.count { known += 1 }
        }
        ingredients.forEach(visit)
        return total == 0 ? 1 : Double(total - known) / Double(total)
    }

    /// E300, E472e.
    private static func isAdditiveNumber(_ word: String) -> Bool {
        word.first == "e" && (4...6).contains(word.count) && word.dropFirst().prefix(3).allSatisfy(\.isNumber)
    }

    /// Everything but what follows the heading of something else, storage or nutrition, until it speaks of contents again.
    private func readable(
        _ tokens: [Token], _ marks: [(kind: Mark, tokens: Range<Int>, language: String)], _ count: Int
    ) -> [(range: Range<Int>, language: String?)] {
        var spans: [(Range<Int>, String?)] = []
        var start: Int? = 0
        var language: String?
        for mark in marks {
            let place = tokens[mark.tokens.lowerBound].range.lowerBound
            switch mark.kind {
            case .end:
                if let from = start, from < place { spans.append((from..<place, language)) }
                start = nil
            case .heading:
                if let from = start, from < place { spans.append((from..<place, language)) }
                start = place
                language = mark.language
            case .statement, .advice:
                if start == nil { start = place }
            }
        }
        if let from = start, from < count { spans.append((from..<count, language)) }
        return spans
    }
}
