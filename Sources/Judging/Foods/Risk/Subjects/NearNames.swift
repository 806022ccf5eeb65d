import Core

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
        let limit = bytes.count < 12 ? 2 : 4
        return [byStart[Self.key(bytes[..<4])], byEnd[Self.key(bytes[(bytes.count - 4)...])]].contains { names in
            names?.contains { EditDistance.plain.between(bytes, $0[...], limit: limit) <= limit } == true
        }
    }
}
