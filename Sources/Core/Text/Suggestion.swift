/// Suggestions for mistyped names.
public enum Suggestion {
    /// `: did you mean workers.count?`, or an empty string if no name is similar.
    public static func text(for name: String, among names: [String]) -> String {
        nearest(to: name, among: names).map { ": did you mean \($0)?" } ?? ""
    }

    /// The name with the smallest edit distance, at most a third of its letters, or nil.
    public static func nearest(to name: String, among names: [String]) -> String? {
        let limit = 2 * (max(name.count, 3) / 3)
        return names.map { (EditDistance.typed.between(name.lowercased(), $0.lowercased(), limit: limit), $0) }
            .filter { $0.0 <= limit }.min { $0 < $1 }?.1
    }
}
