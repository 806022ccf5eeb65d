/// Tells whether a text is nearly a known name. A near name is never looked up: a misread word may be another word.
struct NearNames: Sendable {
    /// Names by their first and by their last four bytes. One wrong letter leaves one of both unchanged.
    private let byStart, byEnd: [UInt32: [[UInt8]]]

    /// Shorter names have too many neighbours that are words of their own.
    private static let shortest = 7
    private static let longest = 48

    init(_ names: some Sequence<String>) {
        var byStart: [UInt32: [[UInt8]]] = [:]
        var byEnd: [UInt32: [[UInt8]]] = [:]
        for name in names {
            let bytes = Array(name.utf8)
            guard (Self.shortest...Self.longest).contains(bytes.count) else { continue }
            byStart[Self.key(bytes[..<4]), default: []].append(bytes)
            byEnd[Self.key(bytes[(bytes.count - 4)...]), default: []].append(bytes)
        }
        self.byStart = byStart
        self.byEnd = byEnd
    }

    private static func key(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }

    /// True if one letter differs from a known name, or two in a name of 12 letters and more.
    func contains(near text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard (Self.shortest...Self.longest).contains(bytes.count) else { return false }
        let allowed = bytes.count < 12 ? 1 : 2
        return [byStart[Self.key(bytes[..<4])], byEnd[Self.key(bytes[(bytes.count - 4)...])]].contains { names in
            names?.contains { Self.isWithin(allowed, bytes, $0) } == true
        }
    }

    /// Levenshtein distance, computed in a band around the diagonal.
    static func isWithin(_ allowed: Int, _ first: [UInt8], _ second: [UInt8]) -> Bool {
        guard abs(first.count - second.count) <= allowed else { return false }
        return withUnsafeTemporaryAllocation(of: Int.self, capacity: second.count + 1) { row in
            for j in 0...second.count { row[j] = j }
            for i in 1...first.count {
                var diagonal = row[0]
                row[0] = i
                var smallest = i
                for j in max(1, i - allowed - 1)...max(1, min(second.count, i + allowed + 1)) where j <= second.count {
                    let kept = row[j]
                    row[j] = min(diagonal + (first[i - 1] == second[j - 1] ? 0 : 1), row[j] + 1, row[j - 1] + 1)
                    diagonal = kept
                    smallest = min(smallest, row[j])
                }
                if smallest > allowed { return false }
            }
            return row[second.count] <= allowed
        }
    }
}
