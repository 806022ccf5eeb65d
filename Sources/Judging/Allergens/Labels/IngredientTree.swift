import Core

/// Parses "flour (wheat, iron), sugar 12%" into a tree of ingredients in reading order.
struct IngredientTree: Sendable {
    let text: RecognizedText
    let lexiconIndex: LexiconIndex

    /// The ingredients of a range of characters.
    func parse(_ range: Range<Int>) -> [Label.Ingredient] {
        AnalysisSteps.take(range.count)
        let parts = IngredientScanner.parts(of: text.characters, in: range, isConjunction: isConjunction)
        return list(parts[...], depth: 0).ingredients
    }

    private func list(
        _ parts: ArraySlice<IngredientScanner.Part>, depth: Int
    ) -> (ingredients: [Label.Ingredient], rest: ArraySlice<IngredientScanner.Part>) {
        var result: [Label.Ingredient] = []
        var rest = parts
        var heading: Range<Int>?
        while let part = rest.first, part.depth == depth {
            rest.removeFirst()
            var range = part.range
            if let heading { range = heading.lowerBound..<(range.isEmpty ? heading : range).upperBound }
            if part.end == .heading, part.printedShares.isEmpty, rest.first?.depth == depth {
                // "emulsifier: lecithin" is one ingredient; the share in "emulsifier 2 %: lecithin" is that of the group.
                if !range.isEmpty { heading = range }
                continue
            }
            heading = nil
            var children: [Label.Ingredient] = []
            if part.end == .opening { (children, rest) = list(rest, depth: depth + 1) }
            if range.isEmpty { result += children } else { append(range, part, children, to: &result) }
        }
        return (result, rest)
    }

    private func append(
        _ range: Range<Int>, _ part: IngredientScanner.Part, _ children: [Label.Ingredient],
        to result: inout [Label.Ingredient]
    ) {
        let tokens = Folding.tokens(of: text.characters, in: range)
        // "salt and pepper" are two ingredients; "mono- and diglycerides" are one.
        if children.isEmpty, let link = tokens.firstIndex(where: { isConjunction($0.text) }), link > 0,
            link + 1 < tokens.count, link <= 3, tokens.count - link <= 4,
            // "colour E 160a" has no Italian "e".
            tokens[link + 1].text.first?.isNumber == false,
            text.characters[tokens[link - 1].range.upperBound] != "-", part.printedShares.isEmpty
        {
            for half in [
                range.lowerBound..<tokens[link].range.lowerBound, tokens[link].range.upperBound..<range.upperBound,
            ] {
                result.append(Label.Ingredient(text: text.text(in: half), percent: nil, box: text.box(of: half)))
            }
            return
        }
        let name = RangeSet(range).subtracting(part.printedShares).ranges.map(text.text(in:))
        result.append(
            Label.Ingredient(
                text: name.filter { !$0.isEmpty }.joined(separator: " "), percent: part.share, box: text.box(of: range),
                ingredients: children))
    }

    private func isConjunction(_ word: String) -> Bool {
        lexiconIndex.trie.single(word).contains { $0.role == .conjunction }
    }
}
