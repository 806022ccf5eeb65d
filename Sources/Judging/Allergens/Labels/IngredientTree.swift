import Core

/// Parses "flour (wheat, iron), sugar 12%" into a tree of ingredients in reading order.
struct IngredientTree: Sendable {
    let text: RecognizedText
    let lexiconIndex: LexiconIndex

    /// Maximum nesting depth of brackets. Real labels nest at most five deep. Deeper content becomes part of the
    /// enclosing ingredient, because every level uses stack in the parser and in readers of the tree.
    static let maximumDepth = 16

    private static let opening = Set("([{（［〔".unicodeScalars)
    private static let closing = Set(")]}）］〕".unicodeScalars)

    /// The ingredients of a token range.
    func parse(_ range: Range<Int>) -> [Label.Ingredient] {
        var position = range.lowerBound
        return parseList(&position, range.upperBound, depth: 0)
    }

    /// The position behind the bracket that closes this one; `end` if it is never closed.
    private func skipNested(from start: Int, _ end: Int) -> Int {
        var open = 1
        var position = start
        while position < end, open > 0 {
            if Self.opening.contains(text.characters[position]) { open += 1 }
            if Self.closing.contains(text.characters[position]) { open -= 1 }
            position += 1
        }
        AnalysisSteps.take(position - start)
        return position
    }

    private func parseList(_ position: inout Int, _ end: Int, depth: Int) -> [Label.Ingredient] {
        var result: [Label.Ingredient] = []
        var start = position
        var children: [Label.Ingredient] = []
        var nameEnd: Int?
        func close(_ until: Int) {
            append(start..<until, nameEnd: nameEnd, children: children, to: &result)
            children = []
            nameEnd = nil
        }
        while position < end {
            AnalysisSteps.take()
            let character = text.characters[position]
            if Self.opening.contains(character) {
                if nameEnd == nil { nameEnd = position }
                position += 1
                if depth + 1 < Self.maximumDepth {
                    children += parseList(&position, end, depth: depth + 1)
                } else {
                    position = skipNested(from: position, end)
                }
            } else if Self.closing.contains(character) {
                close(position)
                position += 1
                if depth > 0 { return result }
                start = position
            } else if isSeparator(at: position, end: end) {
                close(position)
                position += 1
                start = position
            } else {
                position += 1
            }
        }
        close(end)
        return result
    }

    private func isSeparator(at position: Int, end: Int) -> Bool {
        let character = text.characters[position]
        if ";•·|、。・／".unicodeScalars.contains(character) { return true }
        if character == "," {
            let isDecimal =
                position > 0 && text.characters[position - 1].properties.numericType != nil && position + 1 < end
                && text.characters[position + 1].properties.numericType != nil
            return !isDecimal
        }
        return character == "." && (position + 1 >= end || Folding.isSpace(text.characters[position + 1]))
    }

    private func append(
        _ range: Range<Int>, nameEnd: Int?, children: [Label.Ingredient], to result: inout [Label.Ingredient]
    ) {
        let nameRange = range.lowerBound..<(nameEnd ?? range.upperBound)
        let (name, percent) = split(text.text(in: range.lowerBound..<range.upperBound), name: text.text(in: nameRange))
        // "(12%)" alone is the share of the preceding ingredient.
        let isShare = { (child: Label.Ingredient) in child.text.isEmpty && child.percent != nil }
        let share = percent ?? children.first(where: isShare)?.percent
        let parts = children.filter { !isShare($0) }
        guard !name.isEmpty || share != nil || !parts.isEmpty else { return }
        let tokens = Folding.tokens(of: text.characters, in: nameRange)
        // "salt and pepper" are two ingredients; "mono- and diglycerides" are one.
        if parts.isEmpty, let link = tokens.firstIndex(where: isConjunction), link > 0,
            link + 1 < tokens.count, link <= 3, tokens.count - link <= 4,
            text.characters[tokens[link - 1].range.upperBound] != "-", percent == nil
        {
            for half in [
                nameRange.lowerBound..<tokens[link].range.lowerBound,
                tokens[link].range.upperBound..<nameRange.upperBound,
            ] {
                result.append(Label.Ingredient(text: text.text(in: half), percent: nil, box: text.box(of: half)))
            }
            return
        }
        result.append(Label.Ingredient(text: name, percent: share, box: text.box(of: nameRange), ingredients: parts))
    }

    private func isConjunction(_ token: Token) -> Bool {
        lexiconIndex.trie.single(token.text).contains { $0.role == .conjunction }
    }

    /// Separates a percentage from the name.
    private func split(_ whole: String, name: String) -> (name: String, percent: Double?) {
        var words = name.split(separator: " ").map(String.init)
        var percent: Double?
        for index in words.indices.reversed() {
            var word = words[index].trimmingSuffix(while: { ",.;:*".contains($0) })
            if word == "%", index > 0, let value = Self.number(words[index - 1]) {
                percent = value
                words.removeSubrange((index - 1)...index)
                break
            }
            guard word.hasSuffix("%") else { continue }
            word.removeLast()
            if let value = Self.number(word) {
                percent = value
                words.remove(at: index)
                break
            }
        }
        let cleaned = words.joined(separator: " ").trimmingPrefix(while: { " ,.;:*•".contains($0) })
        return (String(cleaned).trimmingSuffix(while: { " ,.;:*•_".contains($0) }), percent)
    }

    private static func number(_ text: String) -> Double? {
        Double(text.map { $0 == "," ? "." : String($0) }.joined()).flatMap { (0...100).contains($0) ? $0 : nil }
    }
}

extension String {
    /// The string without trailing characters that satisfy the predicate.
    func trimmingSuffix(while fits: (Character) -> Bool) -> String {
        var text = self[...]
        while let last = text.last, fits(last) { text.removeLast() }
        return String(text)
    }
}
