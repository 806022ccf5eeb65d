import Vocabulary

/// A GS1 Digital Link: a web address that names a product in its path, `https://id.gs1.org/01/09506000134352/10/ABC`.
struct DigitalLink {
    /// The number after `/01/`, or after the older short name `/gtin/`.
    let gtin: GTIN

    /// Nil for a text that is no web address, or names no product with a right check digit.
    init?(_ text: String) {
        let scheme = text.prefix { $0 != ":" }
        guard ["http", "https"].contains(scheme.lowercased()), text.dropFirst(scheme.count).hasPrefix("://") else {
            return nil
        }
        let path = text.dropFirst(scheme.count + 3).prefix { $0 != "?" && $0 != "#" }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let numbers = zip(segments, segments.dropFirst()).compactMap { key, value in
            key == "01" || key == "gtin" ? GTIN(value) : nil
        }
        guard let gtin = numbers.first else { return nil }
        self.gtin = gtin
    }
}
