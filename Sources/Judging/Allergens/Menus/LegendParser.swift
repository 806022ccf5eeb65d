import Core
import Documents

/// Finds the legend entries of a row: "A = gluten", "(1) milk", "G Milch, L Sellerie".
struct LegendParser: Sendable {
    let detector: FindingDetector

    /// True if the row starts with the heading of a legend.
    func isHeading(_ text: String) -> Bool { isHeading(detector.lexiconIndex.tokens(of: text)) }

    /// - Parameter tokens: the words of the row, with their ids.
    func isHeading(_ tokens: [Token]) -> Bool {
        detector.lexiconIndex.hasPhrase(.legendHeading, at: 0, of: tokens)
    }

    /// True if the row has so many codes between words that it must be a legend, even without a legible heading.
    func looksLikeEntries(_ text: String) -> Bool {
        let pieces = pieces(of: CodeShape.lowered(text))
        let words = pieces.filter { !$0.isSign }
        let codes = words.map(\.text).filter {
            CodeShape.matches($0) && ($0.first?.isNumber == true || $0.first?.isUppercase == true)
        }
        // "2 eggs, 2 sausages, 2 rashers, 2 slices of toast" counts things. A legend has each code once, with numbers
        // in order.
        return codes.count >= 4 && words.count >= 2 * codes.count && codes.count * 6 >= words.count
            && Set(codes).count == codes.count && Self.isRising(codes)
    }

    /// True if the numbers among the codes increase. Letters may have any order.
    private static func isRising(_ codes: [String]) -> Bool {
        let numbers = codes.compactMap { Int($0) }
        return zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
    }

    /// A word of a row, or a sign between two words.
    private struct Piece {
        var text: String
        var isSign: Bool
    }

    /// A code of a row and the words beside it.
    private struct Part {
        var code: String
        var isMarked: Bool
        /// The signs directly before and after the code; empty without one.
        var signs: (before: String, after: String)
        var label: [String] = []
        var before: [String]

        /// Signs that divide entries.
        private static let dividers: Set = [",", ";", "•", "·", "|", "/"]

        var isBracketed: Bool { ["(", "["].contains(signs.before) && [")", "]"].contains(signs.after) }
        var beginsEntry: Bool { Self.dividers.contains(signs.before) }
        var endsEntry: Bool { Self.dividers.contains(signs.after) }
    }

    /// The entries of one row: "A = gluten", "(1) milk", "1-gluten", "G Milch, L Sellerie", "gluten (A), eggs (C)".
    /// - Parameter isInLegend: true below a legend's heading. Entries then need no sign between code and word.
    func entries(in text: String, isInLegend: Bool) -> [(code: String, meaning: Legend.Meaning)] {
        let pieces = pieces(of: CodeShape.lowered(text))
        var parts: [Part] = []
        var pending: [String] = []
        for index in pieces.indices where !pieces[index].isSign {
            let isMarked = isMarked(pieces, index)
            if isCode(pieces, index, isMarked: isMarked, after: parts.last, isInLegend: isInLegend) {
                let signs = (before: sign(pieces, index - 1), after: sign(pieces, index + 1))
                parts.append(Part(code: pieces[index].text, isMarked: isMarked, signs: signs, before: pending))
                pending = []
            } else {
                if !parts.isEmpty { parts[parts.count - 1].label.append(pieces[index].text) }
                pending.append(pieces[index].text)
            }
        }
        // "gluten (A), eggs (C)": the words come first, and nothing follows the last code.
        var isWordFirst =
            parts.count >= 2 && parts.allSatisfy { !$0.before.isEmpty } && parts.last?.label.isEmpty == true
        // A row may also be cut before a word and behind a code: "gluten, C eggs, D fish, F" of "A gluten, C eggs, …".
        // The signs that divide its entries decide. Without them, a code may belong to the word on either side.
        if isWordFirst, !parts.allSatisfy(\.isBracketed) {
            if parts.contains(where: \.beginsEntry) {
                isWordFirst = false
            } else if !parts.dropLast().allSatisfy({ $0.isBracketed || $0.endsEntry }) {
                return []
            }
        }
        let explained = parts.compactMap { part -> (code: String, isMarked: Bool, meaning: Legend.Meaning)? in
            meaning(of: (isWordFirst ? part.before : part.label).joined(separator: " ")).map {
                (part.code, part.isMarked, $0)
            }
        }
        // "Fried eggs (2) with toast" is a dish. Words before the first code must be a heading or labels.
        let isDefinition = isInLegend || isWordFirst || parts.first?.before.isEmpty == true || startsAfterColon(pieces)
        guard isDefinition || explained.allSatisfy({ $0.isMarked }) && text.contains("=") else { return [] }
        let unmarked = explained.filter { !$0.isMarked }
        let codes = unmarked.map(\.code)
        // "2 Eier, 3 Würste" is not a legend. Bare numbers need a heading, and bare letters a second entry. A repeated
        // code is a count or an article: "A bowl of milk, A slice of cheese".
        let isOnceEach = Set(codes).count == codes.count && Self.isRising(codes)
        // The sign of an entry may be missing: "A fish, B: milk, C: peanuts".
        let all = explained.map(\.code)
        let isBesideMarked =
            explained.count(where: \.isMarked) >= 2 && Set(all).count == all.count && Self.isRising(all)
        let bareAllowed =
            isOnceEach
            && (isInLegend || isBesideMarked
                || (unmarked.count >= 2 && unmarked.allSatisfy { $0.code.first?.isLetter == true }))
        return explained.filter { $0.isMarked || bareAllowed }.map { ($0.code, $0.meaning) }
    }

    /// True for "Allergens: A gluten", with a colon before the first code.
    private func startsAfterColon(_ pieces: [Piece]) -> Bool {
        guard let colon = pieces.firstIndex(where: { $0.text == ":" }), colon + 1 < pieces.count else { return false }
        return pieces[(colon + 1)...].first { !$0.isSign }.map { CodeShape.matches($0.text) } ?? false
    }

    private func sign(_ pieces: [Piece], _ index: Int) -> String {
        pieces.indices.contains(index) && pieces[index].isSign ? pieces[index].text : ""
    }

    /// Words and the signs "= : ( ) [ ] - . , ;" as separate pieces. "1-gluten" and "1.gluten" give three pieces.
    private func pieces(of text: String) -> [Piece] {
        var pieces: [Piece] = []
        var word = String.UnicodeScalarView()
        func close() {
            if !word.isEmpty { pieces.append(Piece(text: String(word), isSign: false)) }
            word = String.UnicodeScalarView()
        }
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            let isHyphen = Self.hyphens.contains(scalar)
            // A hyphen inside a word stays; after a code it is a separator.
            let isInside = isHyphen && index + 1 < scalars.count && Letters.isLetter(scalars[index + 1])
            if scalar == " " || scalar.properties.isWhitespace {
                close()
            } else if Self.signs.contains(scalar) || isHyphen && !(isInside && !CodeShape.matches(String(word))) {
                close()
                pieces.append(Piece(text: String(scalar), isSign: true))
            } else {
                word.append(scalar)
            }
        }
        close()
        return pieces
    }

    private static let hyphens = Array("-–—.".unicodeScalars)
    private static let signs = Array("=:()[],;•·|/*".unicodeScalars)

    /// True if a sign binds the code to words: "A =", "1.", "(1)", "1-".
    private func isMarked(_ pieces: [Piece], _ index: Int) -> Bool {
        guard index + 1 < pieces.count, pieces[index + 1].isSign else { return false }
        if ["=", ":", "-", "–", "—"].contains(pieces[index + 1].text) { return true }
        if ["(", "["].contains(index > 0 ? pieces[index - 1].text : "") {
            return [")", "]"].contains(pieces[index + 1].text)
        }
        return [")", "]"].contains(pieces[index + 1].text)
    }

    /// True for a text that holds one code and nothing else.
    func isCode(_ text: String) -> Bool {
        let pieces = pieces(of: text)
        return pieces.count == 1 && (CodeShape.matches(pieces[0].text) || Self.isMixed(pieces[0].text))
    }

    /// "Gl", "Sel": a word or a code.
    private static func isMixed(_ text: String) -> Bool {
        (2...4).contains(text.count) && text.first?.isUppercase == true
            && text.allSatisfy { $0.isLetter || $0.isNumber }
    }

    /// True for "Sel" of "Se Sennep Sel Selleri": no allergen, before the name of one, where the entry before it is complete.
    private func isMixedEntry(_ pieces: [Piece], _ index: Int, after last: Part?) -> Bool {
        guard pieces[index].text.count <= Self.longestMixed, index + 1 < pieces.count, !pieces[index + 1].isSign,
            last.map({ meaning(of: $0.label.joined(separator: " ")) != nil }) ?? (index == 0)
        else { return false }
        return meaning(of: pieces[index].text) == nil && meaning(of: pieces[index + 1].text) != nil
    }

    private static let longestMixed = 3

    private func isCode(_ pieces: [Piece], _ index: Int, isMarked: Bool, after last: Part?, isInLegend: Bool) -> Bool {
        let text = pieces[index].text
        guard CodeShape.matches(text) else {
            // "Gl = …", "Sf: …": letters of mixed case form a code next to a sign.
            return Self.isMixed(text) && (isMarked || isInLegend && isMixedEntry(pieces, index, after: last))
        }
        if isMarked { return true }
        guard text.first?.isUppercase == true || text.first?.isNumber == true else { return false }
        // A bare code starts an entry at the start or after another entry.
        if index == 0 || last != nil { return true }
        let before = pieces[index - 1]
        return before.isSign && (isInLegend || before.text == ":" || text.first?.isLetter == true)
    }

    /// The meaning of the words after a code; nil if they are in no lexicon.
    private func meaning(of label: String) -> Legend.Meaning? {
        let findings = detector.findings(in: RecognizedText(label), language: nil)
        let bindings = findings.compactMap { finding -> Legend.Binding? in
            switch finding.polarity {
            case .contains, .likely: Legend.Binding(allergen: finding.allergen, leaf: finding.leaf, polarity: .contains)
            case .freeClaim, .option:
                Legend.Binding(allergen: finding.allergen, leaf: finding.leaf, polarity: finding.polarity)
            case .mayContain: nil
            }
        }
        if !bindings.isEmpty { return .allergens(bindings) }
        let analysis = detector.analyse(RecognizedText(label), language: nil)
        let isOther = analysis.tokens.indices.contains { index in
            analysis.hits(at: index).contains { detector.lexiconIndex.has(.additive, $0) }
        }
        return isOther ? .other : nil
    }
}
