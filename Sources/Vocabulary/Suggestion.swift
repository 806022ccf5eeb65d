/// What somebody may have meant who mistyped a name.
public enum Suggestion {
    /// `: did you mean workers.count?`, or nothing where no name is near.
    public static func text(for name: String, among names: [String]) -> String {
        nearest(to: name, among: names).map { ": did you mean \($0)?" } ?? ""
    }

    /// The name that differs in the fewest letters, in at most a third of them; nil where none does.
    public static func nearest(to name: String, among names: [String]) -> String? {
        let typed = Array(name.lowercased())
        return names.map { ($0, distance(typed, Array($0.lowercased()))) }
            .filter { $0.1 * 3 <= max(typed.count, 3) }
            .min { ($0.1, $0.0) < ($1.1, $1.0) }?.0
    }

    /// Letters that are put in, left out or others (Levenshtein).
    private static func distance(_ one: [Character], _ other: [Character]) -> Int {
        var row = Array(0...other.count)
        for (index, letter) in one.enumerated() {
            var before = row[0]
            row[0] = index + 1
            for place in other.indices {
                let next = min(row[place] + 1, row[place + 1] + 1, before + (letter == other[place] ? 0 : 1))
                before = row[place + 1]
                row[place + 1] = next
            }
        }
        return row[other.count]
    }
}
