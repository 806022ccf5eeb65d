import Core

/// Currency signs and names on menus and receipts.
struct CurrencyMarks: Sendable {
    struct Mark: Sendable {
        /// The side of a number on which the mark counts.
        enum Side: String, Decodable { case before, after }

        var text: [Unicode.Scalar]
        /// ISO 4217; nil for a mark that several currencies use.
        var code: String?
        /// Nil for both sides. OCR often reads `R$` as `RS`, which counts only before a number.
        var side: Side?
        /// A name must end at a word boundary: `kr` does not match in `kräftig`.
        var isName: Bool { text.last.map(Letters.isLetter) ?? false }
    }

    /// Scalars of the longest mark.
    fileprivate static let longest = 6

    /// Marks by first scalar, in the order of the file: of two with the same beginning the longer one is first.
    private let byFirst: [Unicode.Scalar: [Mark]]

    init(_ marks: [Mark]) { byFirst = Dictionary(grouping: marks) { $0.text[0] } }

    /// True if the character before a number is an `S` that was probably misread for `$`: "S4.25".
    static func isMisreadDollar(before place: Int, in text: [Unicode.Scalar]) -> Bool {
        guard place > 0, text[place - 1] == "S" || text[place - 1] == "s" else { return false }
        return place == 1 || !Letters.isWordPart(text[place - 2])
    }

    /// The mark that ends at `end`, with its start, or nil.
    func before(_ end: Int, in text: [Unicode.Scalar]) -> (start: Int, code: String?)? {
        var best: (start: Int, code: String?)?
        for length in 1...Self.longest where end >= length {
            let start = end - length
            guard let candidates = byFirst[text[start]] else { continue }
            for mark in candidates where mark.text.count == length && mark.side != .after {
                let isAlone = !mark.isName || start == 0 || !Letters.isWordPart(text[start - 1])
                let isSign = mark.isName || start == 0 || !Letters.isWordPart(text[start - 1])
                guard isAlone, isSign, text[start..<end].elementsEqual(mark.text) else { continue }
                best = (start, mark.code)
            }
        }
        return best
    }

    /// The mark that starts at `start`, with its end, or nil.
    func after(_ start: Int, in text: [Unicode.Scalar]) -> (end: Int, code: String?)? {
        guard start < text.count, let candidates = byFirst[text[start]] else { return nil }
        for mark in candidates where mark.side != .before && start + mark.text.count <= text.count {
            let end = start + mark.text.count
            guard text[start..<end].elementsEqual(mark.text) else { continue }
            if end < text.count, Letters.isLetter(text[end]) { continue }
            return (end, mark.code)
        }
        return nil
    }
}

extension CurrencyMarks.Mark: Decodable {
    private struct File: Decodable {
        var text: String
        var code: String?
        var side: Side?
    }

    init(from decoder: any Decoder) throws {
        let file = try File(from: decoder)
        guard (1...CurrencyMarks.longest).contains(file.text.unicodeScalars.count) else {
            throw DataFileProblem(
                at: decoder, key: "text", "\(file.text): give 1 to \(CurrencyMarks.longest) characters")
        }
        text = Array(file.text.unicodeScalars)
        code = file.code
        side = file.side
    }
}
