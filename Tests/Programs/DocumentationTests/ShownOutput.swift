/// Output that a page shows, shortened: `…` stands for lines, or for the rest of a line, that are left out.
struct ShownOutput {
    private let lines: [String]

    init(_ lines: [String]) {
        self.lines = lines.filter { !$0.isEmpty && $0 != "…" }
    }

    /// The first line that the output does not have, or has only before the lines above it.
    func missing(in output: String) -> String? {
        var rest = output.split(separator: "\n").map { Self.comparable(String($0)) }[...]
        for line in lines {
            let parts = Self.comparable(line).split(separator: "…", omittingEmptySubsequences: false)
            guard let place = rest.firstIndex(where: { Self.matches($0, parts) }) else { return line }
            rest = rest[rest.index(after: place)...]
        }
        return nil
    }

    /// Without the blanks in front, and with one figure for all percentages: they differ between processors.
    private static func comparable(_ line: String) -> String {
        String(line.drop { $0 == " " }).replacing(/[0-9]+ %/, with: "50 %")
    }

    /// True if the line begins with the first part, ends with the last, and has the others between them, in order.
    private static func matches(_ line: String, _ parts: [Substring]) -> Bool {
        guard let first = parts.first, let last = parts.last else { return false }
        if parts.count == 1 { return line == first }
        guard line.hasPrefix(first), line.hasSuffix(last), line.count >= first.count + last.count else { return false }
        var rest = line.dropFirst(first.count).dropLast(last.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = rest.firstRange(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }
}
