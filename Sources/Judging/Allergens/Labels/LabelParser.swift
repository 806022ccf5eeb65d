import Core

/// Finds the ingredient lists of a label and the statements around them.
struct LabelParser: Sendable {
    /// One ingredient list.
    struct IngredientList: Sendable {
        /// Token range of the analysis.
        var tokens: Range<Int>
        /// Range of Unicode scalars in the text.
        var range: Range<Int>
        /// True if other text or a full stop follows the list and all parentheses are closed.
        var isEndSeen: Bool
        /// Number of ingredients that are in no lexicon, and of all ingredients.
        var unknown: Int
        var total: Int

        /// Share of ingredients that are in no lexicon; 1 for an empty list.
        var unknownRatio: Double { total == 0 ? 1 : Double(unknown) / Double(total) }
    }

    /// The parts of a label.
    struct Layout: Sendable {
        var lists: [IngredientList]
        var hasStatement: Bool
        /// The evidence weight of each token.
        var weights: [FindingDetector.Weight]
    }

    private enum Mark { case heading, statement, advice, end }
    private typealias Place = (kind: Mark, tokens: Range<Int>)

    private static let marks =
        Lexeme.Role.ingredientHeading.bit | Lexeme.Role.listEnd.bit | Lexeme.Role.advice.bit
        | Lexeme.Role.declaration.bit | Lexeme.Role.precaution.bit

    /// - Parameter isPlain: true for the ingredient field of a record, which is a list without a heading.
    func parse(_ analysis: TextAnalysis, isPlain: Bool) -> Layout {
        let tokens = analysis.tokens
        let places = places(in: analysis)
        var lists: [IngredientList] = []
        for (number, place) in places.enumerated() where place.kind == .heading {
            let first = place.tokens.upperBound
            let next = number + 1 < places.count ? places[number + 1].tokens.lowerBound : tokens.count
            guard first < next else { continue }
            let last = lastToken(from: first, before: next, analysis)
            lists.append(
                list(first..<(last + 1), analysis, endsEarly: isPlain || last + 1 < tokens.count, isPlain: isPlain))
        }
        let firstHeading = places.first { $0.kind == .heading }?.tokens.lowerBound
        let firstMark = places.first?.tokens.lowerBound ?? tokens.count
        let before = 0..<min(firstHeading ?? firstMark, firstMark)
        // Text before the first heading may be a list too: "Filling 60 %: …, ingredients of the base: …".
        let commas = before.count { analysis.punctuation.hasBreak(before: $0) }
        let isList = !before.isEmpty && (firstHeading == nil ? isPlain : commas >= 3)
        if isList {
            lists.append(
                list(before, analysis, endsEarly: isPlain || before.upperBound < tokens.count, isPlain: isPlain))
        }
        let titleEnd = isList || firstHeading == nil ? 0 : before.upperBound
        return Layout(
            lists: lists, hasStatement: places.contains { $0.kind == .statement },
            weights: weights(places, tokens.count, titleEnd: titleEnd))
    }

    private func places(in analysis: TextAnalysis) -> [Place] {
        let punctuation = analysis.punctuation
        var places: [Place] = []
        var index = 0
        while index < analysis.tokens.count {
            guard let (length, lexemes) = analysis.longest(Self.marks, at: index) else {
                index += 1
                continue
            }
            let hasColon = punctuation.isFollowedByColon(index + length - 1)
            let starts = hasColon || punctuation.startsLine(index) || punctuation.isSentenceStart(index)
            // "…, sugar,⏎preparation of soy" and "carrots. Preparation of soy." continue the list.
            let startsTopic =
                hasColon || length > 1 && starts
                || punctuation.startsLine(index) && !punctuation.continuesList(index)
            let kinds = lexemes.compactMap { lexeme -> Mark? in
                switch lexeme.role {
                case .ingredientHeading: hasColon || punctuation.startsLine(index) ? .heading : nil
                case .listEnd: startsTopic ? .end : nil
                case .advice: starts ? .advice : nil
                case .declaration:
                    starts && !(index + length < analysis.tokens.count && analysis.tokens[index + length].isNumber)
                        ? .statement : nil
                case .precaution:
                    starts
                        || analysis.lexiconIndex.lexicons[Int(lexeme.lexicon)].precaution[Int(lexeme.index)].close
                            == nil
                        ? .statement : nil
                default: nil
                }
            }
            if let kind = kinds.last { places.append((kind, index..<(index + length))) }
            index += length
        }
        return places
    }

    /// A list continues after a full stop if a list of three or more entries follows: "Base: flour, salt. Filling:
    /// …".
    private func lastToken(from first: Int, before limit: Int, _ analysis: TextAnalysis) -> Int {
        var end = min(analysis.punctuation.end(of: first), limit - 1)
        while end + 1 < limit {
            let next = min(analysis.punctuation.end(of: end + 1), limit - 1)
            let commas = (end + 2..<max(end + 2, next + 1)).count { analysis.punctuation.hasOnlyComma(before: $0) }
            guard commas >= 2 else { break }
            end = next
        }
        return end
    }

    private func list(_ tokens: Range<Int>, _ analysis: TextAnalysis, endsEarly: Bool, isPlain: Bool) -> IngredientList
    {
        let all = analysis.tokens
        let limit = tokens.upperBound < all.count ? all[tokens.upperBound].range.lowerBound : analysis.characters.count
        let range = (tokens.isEmpty ? 0 : all[tokens.lowerBound].range.lowerBound)..<limit
        var depth = 0
        var last: Unicode.Scalar?
        for scalar in analysis.characters[range] {
            if IngredientScanner.opens(scalar) { depth += 1 } else if IngredientScanner.closes(scalar) { depth -= 1 }
            if !Folding.isSpace(scalar) { last = scalar }
        }
        let endsWell = last.map { !",-(:;[、（：".unicodeScalars.contains($0) } ?? false
        let (unknown, total) = unknownIngredients(tokens, analysis)
        // Records often omit parentheses. On a photo an open parenthesis shows that the rest was not captured.
        return IngredientList(
            tokens: tokens, range: range,
            isEndSeen: depth <= (isPlain ? 2 : 0) && endsWell && (endsEarly || last == "."),
            unknown: unknown, total: total)
    }

    /// An ingredient is known if at least half of its words are in a lexicon.
    private func unknownIngredients(_ tokens: Range<Int>, _ analysis: TextAnalysis) -> (unknown: Int, total: Int) {
        var unknown = 0
        var total = 0
        var known = 0
        var words = 0
        func close() {
            if words > 0 {
                total += 1
                if known * 2 < words { unknown += 1 }
            }
            known = 0
            words = 0
        }
        for index in tokens {
            if analysis.punctuation.hasBreak(before: index) { close() }
            let token = analysis.tokens[index]
            guard !token.isNumber, token.text.utf8.count > 1 else { continue }
            words += 1
            if analysis.corrections[index] == nil { known += 1 }
        }
        close()
        return (unknown, total)
    }

    /// Excludes text after headings such as storage or nutrition, until a heading about contents follows.
    private func weights(_ places: [Place], _ count: Int, titleEnd: Int) -> [FindingDetector.Weight] {
        var weights = [FindingDetector.Weight](repeating: .whole, count: count)
        for index in 0..<titleEnd { weights[index] = .title }
        var excludedFrom: Int?
        for place in places {
            switch place.kind {
            case .end: excludedFrom = excludedFrom ?? place.tokens.lowerBound
            case .heading, .statement, .advice:
                if let from = excludedFrom { for index in from..<place.tokens.lowerBound { weights[index] = .none } }
                excludedFrom = nil
            }
        }
        if let from = excludedFrom { for index in from..<count { weights[index] = .none } }
        return weights
    }
}
