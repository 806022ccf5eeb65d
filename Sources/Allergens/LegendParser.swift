import Vocabulary

/// Finds the entries of a legend in a row: "A = gluten", "(1) milk", "G Milch, L Sellerie".
struct LegendParser: Sendable {
    let detector: FindingDetector

    /// True where the row's words begin with the heading of a legend.
    func isHeading(_ text: String) -> Bool {
        let analysis = detector.analyse(ReadText(text), language: nil)
        return !analysis.tokens.isEmpty && analysis.hits(at: 0).contains { detector.lexica.has(.legendHeading, $0) }
    }

    /// The entries of one row.
    /// - Parameter isInLegend: whether a legend's heading stands above: then entries need no sign between code and word.
    func entries(in text: String, isInLegend: Bool) -> [(code: String, meaning: Legend.Meaning)] {
        let words = spaced(CodeShape.lowered(text)).split(separator: " ").map(String.init)
        var parts: [(code: String, isMarked: Bool, label: [String])] = []
        var index = 0
        while index < words.count {
            if let (code, isMarked, taken) = codeStart(words, index, isFirst: parts.isEmpty) {
                parts.append((code, isMarked, []))
                index += taken
            } else {
                if !parts.isEmpty { parts[parts.count - 1].label.append(words[index]) }
                index += 1
            }
        }
        let explained = parts.compactMap { part -> (code: String, isMarked: Bool, meaning: Legend.Meaning)? in
            meaning(of: part.label.joined(separator: " ")).map { (part.code, part.isMarked, $0) }
        }
        let unmarked = explained.filter { !$0.isMarked }
        // "2 Eier, 3 Würste" is no legend: bare numbers need a heading, bare letters a second entry.
        let bareAllowed = isInLegend || (unmarked.count >= 2 && unmarked.allSatisfy { $0.code.first?.isLetter == true })
        return explained.filter { $0.isMarked || bareAllowed }.map { ($0.code, $0.meaning) }
    }

    private func spaced(_ text: String) -> String {
        var result = ""
        for character in text {
            if "=:".contains(character) { result += " \(character) " } else { result.append(character) }
        }
        return result
    }

    private func codeStart(_ words: [String], _ index: Int, isFirst: Bool) -> (
        code: String, isMarked: Bool, taken: Int
    )? {
        let word = words[index]
        let isBracketed = word.hasPrefix("(") && word.hasSuffix(")") || word.hasPrefix("[") && word.hasSuffix("]")
        let hasParenthesis = word.hasSuffix(")")
        let code = String(word.drop { "([".contains($0) }).trimmingSuffix(while: { ")].*".contains($0) })
        guard CodeShape.matches(code) else { return nil }
        if index + 1 < words.count, ["=", ":", "-", "–", "—"].contains(words[index + 1]) { return (code, true, 2) }
        guard index + 1 < words.count else { return nil }
        if isBracketed || (hasParenthesis && !word.hasPrefix("(")) {
            // "Soup (A) milk": in the middle of words a bracketed code belongs to what stands before it.
            let startsEntry = isFirst ? index == 0 : ",;|•·)".contains(words[index - 1].last ?? " ") || !word.isEmpty
            return startsEntry ? (code, true, 1) : nil
        }
        let isBare = code.first?.isUppercase == true || code.first?.isNumber == true
        let startsItem = index == 0 || !isFirst || words[index - 1] == ":"
        return isBare && startsItem && word == code ? (code, false, 1) : nil
    }

    /// What the words after a code say; nil where no lexicon knows.
    private func meaning(of label: String) -> Legend.Meaning? {
        let findings = detector.findings(in: ReadText(label), language: nil, includesDishes: false)
        let bindings = findings.compactMap { finding -> Legend.Binding? in
            switch finding.polarity {
            case .contains, .likely: Legend.Binding(allergen: finding.allergen, leaf: finding.leaf, polarity: .contains)
            case .freeClaim, .option:
                Legend.Binding(allergen: finding.allergen, leaf: finding.leaf, polarity: finding.polarity)
            case .mayContain: nil
            }
        }
        if !bindings.isEmpty { return .allergens(bindings) }
        let analysis = detector.analyse(ReadText(label), language: nil)
        let isOther = analysis.tokens.indices.contains { index in
            analysis.hits(at: index).contains { detector.lexica.has(.additive, $0) }
        }
        return isOther ? .other : nil
    }
}
