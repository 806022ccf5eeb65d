/// The symbols of `icons.mustache`.
enum Icons {
    /// The page without the symbols of `icons.mustache` that it does not use. Each symbol is on its own line.
    static func withoutUnused(_ html: String) -> String {
        let bytes = Array(html.utf8)
        let (use, symbol) = (Array("\"#i-".utf8), Array("<symbol id=\"i-".utf8))
        var used: Set<ArraySlice<UInt8>> = []
        func name(from start: Int) -> ArraySlice<UInt8> {
            bytes[start...].prefix { $0 != UInt8(ascii: "\"") }
        }
        for start in bytes.indices.dropLast(use.count)
        where bytes[start] == use[0] && bytes[start..<start + use.count].elementsEqual(use) {
            used.insert(name(from: start + use.count))
        }
        var kept: [UInt8] = []
        kept.reserveCapacity(bytes.count)
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if line.starts(with: symbol), !used.contains(name(from: line.startIndex + symbol.count)) { continue }
            kept += line
            kept.append(UInt8(ascii: "\n"))
        }
        return String(decoding: kept.dropLast(), as: UTF8.self)
    }
}
