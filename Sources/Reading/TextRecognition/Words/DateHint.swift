/// Tells whether a line may show a date that was not read.
enum DateHint {
    /// Words before a date, also as printers shorten them.
    private static let words: Set<String> = [
        "best", "bb", "bbe", "bbf", "bbd", "exp", "expiry", "exd", "mfg", "mfd", "pkd", "prod", "prd", "haltbar", "mhd",
        "dlc", "ddm", "dluo", "scad", "tht", "tgt", "skt", "tett", "hsd", "nsx",
    ]
    /// Digits that a date has at least.
    private static let digits = 4
    /// Share of digits among letters and digits from which a doubtful line may be a date.
    private static let share = 0.5

    /// Letters and digits of a line that names a date, at most.
    private static let longest = 40

    /// True for print with several digits.
    static func hasDigits(_ letters: [LineDecoder.Letter]) -> Bool {
        letters.count { $0.character.isASCII && $0.character.isNumber } >= 3
    }

    /// Higher for a line that more probably is a date; 0 for none.
    static func score(of letters: [LineDecoder.Letter], isDoubtful: Bool) -> Double {
        let digits = letters.count { $0.character.isASCII && $0.character.isNumber }
        let printed = letters.count { $0.character.isLetter || $0.character.isNumber }
        guard printed > 0 else { return 0 }
        let share = Double(digits) / Double(printed)
        let words = letters.split { !$0.character.isLetter }.map { $0.text.lowercased() }
        let named = words.count { self.words.contains($0) }
        if named > 0, printed <= longest { return (digits > 1 ? 2 : 1) + share }
        guard isDoubtful, digits >= Self.digits, share >= Self.share else { return 0 }
        return share
    }
}

extension ArraySlice<LineDecoder.Letter> {
    fileprivate var text: String { String(map(\.character)) }
}
