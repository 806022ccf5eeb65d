import Core

/// The meanings of allergen codes by the page's own legend. Codes of other pages never apply.
struct Legend: Sendable {
    /// The allergen of one code on this page.
    struct Binding: Sendable, Hashable {
        var allergen: Allergen
        var leaf: String?
        /// `contains`, or `freeClaim` for entries such as "GF = gluten free".
        var polarity: AllergenFinding.Polarity
    }

    /// The meaning of a code. A code explained by unknown words stays unresolved.
    enum Meaning: Sendable, Hashable {
        case allergens([Binding])
        /// An additive or a diet: explained, but no allergen.
        case other
    }

    private(set) var meanings: [String: Meaning] = [:]
    /// Codes of a scheme that the page names or agrees with. They explain the codes of dishes but support no absence
    /// claim, because the page does not list them itself.
    private(set) var shared: [String: Meaning] = [:]

    var isEmpty: Bool { meanings.isEmpty }

    /// The allergens that the codes of the page declare.
    var declared: Set<Allergen> { Set(entries.map(\.allergen)) }

    /// All codes.
    var codes: Set<String> { Set(meanings.keys).union(shared.keys) }

    /// The declaring codes for the outcome, sorted.
    var entries: [Menu.LegendEntry] {
        meanings.keys.sorted().flatMap { code -> [Menu.LegendEntry] in
            guard case .allergens(let bindings) = meanings[code] else { return [] }
            var seen: Set<Allergen> = []
            return bindings.filter { $0.polarity == .contains && seen.insert($0.allergen).inserted }
                .map { Menu.LegendEntry(code: code, allergen: $0.allergen) }
        }
    }

    /// Adds a meaning. Two meanings of one code are both kept, because presence outranks absence.
    mutating func bind(_ code: String, to meaning: Meaning) {
        guard case .allergens(let old) = meanings[code], case .allergens(let new) = meaning else {
            if case .allergens = meanings[code] { return }
            meanings[code] = meaning
            return
        }
        meanings[code] = .allergens(old + new.filter { !old.contains($0) })
    }

    mutating func share(_ code: String, _ meaning: Meaning) { shared[code] = meaning }

    /// The meaning of a code as printed. If the legend has it in one case only, the other case means the same.
    func meaning(of code: String) -> Meaning? {
        if let meaning = meanings[code] { return meaning }
        let similar = meanings.filter { $0.key.lowercased() == code.lowercased() }
        return similar.count == 1 ? similar.first?.value : similar.isEmpty ? shared[code] : nil
    }
}

/// Tests for the shape of a code: A, A1, GF, 1, 12, 1a, a.
enum CodeShape {
    static func matches(_ text: String) -> Bool {
        let bytes = text.utf8
        guard (1...3).contains(bytes.count), bytes.allSatisfy({ $0 < 0x80 }) else { return false }
        let letters = bytes.prefix { isUpper($0) || isLower($0) }
        if letters.isEmpty {
            let digits = bytes.prefix(while: isDigit)
            let rest = bytes.dropFirst(digits.count)
            return (1...2).contains(digits.count) && rest.count <= 1 && rest.allSatisfy(isLower)
                && digits.first != UInt8(ascii: "0")
        }
        guard bytes.dropFirst(letters.count).allSatisfy(isDigit) else { return false }
        return letters.count == 1 || letters.allSatisfy(isUpper)
    }

    private static func isUpper(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }
    private static func isLower(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// The text with superscript digits replaced by plain ones.
    static func lowered(_ text: String) -> String {
        guard mayHaveRaised(text) else { return text }
        return String(text.map { raised[$0] ?? $0 })
    }

    /// False for plain ASCII, which has no superscript. A look-up of every character takes much longer.
    static func mayHaveRaised(_ text: String) -> Bool { text.utf8.contains { $0 >= 0x80 } }

    static let raised: [Character: Character] = [
        "⁰": "0", "¹": "1", "²": "2", "³": "3", "⁴": "4", "⁵": "5", "⁶": "6", "⁷": "7", "⁸": "8", "⁹": "9", "˒": ",",
        "ᵃ": "a", "ᵇ": "b", "ᶜ": "c", "ᵈ": "d", "ᵉ": "e", "ᶠ": "f", "ᵍ": "g", "ʰ": "h", "ⁱ": "i", "ʲ": "j",
    ]
}
