/// Suggestions for mistyped names.
public enum Suggestion {
    /// `: did you mean workers.count?`, or an empty string if no name is similar.
    public static func text(for name: String, among names: [String]) -> String {
        nearest(to: name, among: names).map { ": did you mean \($0)?" } ?? ""
    }

    /// The name with the smallest edit distance, at most a third of its letters, or nil.
    public static func nearest(to name: String, among names: [String]) -> String? {
        let typed = Array(name.lowercased())
        return names.map { ($0, distance(typed, Array($0.lowercased()))) }
            .filter { $0.1 * 3 <= max(typed.count, 3) }
            .min { ($0.1, $0.0) < ($1.1, $1.0) }?.0
    }

    /// Edit distance with insertions, deletions, substitutions and transpositions (optimal string alignment).
    private static func distance(_ one: [Character], _ other: [Character]) -> Int {
        var before: [Int] = []
        var row = Array(0...other.count)
        for (index, letter) in one.enumerated() {
            var next = [index + 1]
            for place in other.indices {
                var least = min(next[place] + 1, row[place + 1] + 1, row[place] + (letter == other[place] ? 0 : 1))
                if index > 0, place > 0, letter == other[place - 1], one[index - 1] == other[place] {
                    least = min(least, before[place - 1] + 1)
                }
                next.append(least)
            }
            (before, row) = (row, next)
        }
        return row[other.count]
    }
}
