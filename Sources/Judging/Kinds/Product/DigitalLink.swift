import Foundation
import Core

/// A GS1 Digital Link, a web address with a product number in its path:
/// `https://id.gs1.org/01/09506000134352/10/ABC?17=271231`.
struct DigitalLink {
    let gtin: GTIN
    let facts: PackFacts
    /// True for the older short name `/gtin/` and for a number with fewer than 14 digits.
    let isLenient: Bool

    /// Nil if the text is no web address or has no product number with a valid check digit.
    init?(_ text: String) {
        let scheme = text.prefix { $0 != ":" }
        guard ["http", "https"].contains(scheme.lowercased()), text.dropFirst(scheme.count).hasPrefix("://") else {
            return nil
        }
        let address = text.dropFirst(scheme.count + 3).prefix { $0 != "#" }
        let path = address.prefix { $0 != "?" }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        var (elements, isLenient, from) = (GS1Elements(), false, segments.count)
        for (index, pair) in zip(segments, segments.dropFirst()).enumerated() where elements.gtin == nil {
            guard pair.0 == "01" || pair.0 == "gtin", let number = GTIN(pair.1) else { continue }
            elements.name(number)
            isLenient = pair.0 != "01" || pair.1.count != 14
            from = index + 2
        }
        guard let gtin = elements.gtin else { return nil }
        let rest = Array(segments.dropFirst(from))
        let inPath = stride(from: 0, to: rest.count - 1, by: 2).map { (rest[$0], rest[$0 + 1]) }
        let inQuery = address.dropFirst(path.count + 1).split(separator: "&").compactMap { part in
            let sides = part.split(separator: "=", maxSplits: 1).map(String.init)
            return sides.count == 2 ? (sides[0], sides[1]) : nil
        }
        for (key, value) in inPath + inQuery {
            guard let identifier = ApplicationIdentifier(key: key) else { continue }
            _ = elements.add(value.removingPercentEncoding ?? value, as: identifier)
        }
        (self.gtin, facts, self.isLenient) = (gtin, elements.facts, isLenient)
    }
}
