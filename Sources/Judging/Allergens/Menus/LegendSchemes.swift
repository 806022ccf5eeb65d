import Core

/// Code schemes that many restaurants share: `models/legends/schemes.json`. A scheme applies if the page names it. It
/// also applies if three entries of the page agree with it and none disagrees. The shape of a code is never enough.
struct LegendSchemes: Sendable {
    /// Number of entries of the page that must agree before the scheme is accepted.
    static let minimumAgreeing = 3

    struct Scheme: Sendable, Codable {
        var name: String
        /// Alternative word sequences. All words of one sequence must be on the page; the last is a word prefix.
        var named: [[String]]
        var codes: [String: Allergen]
    }

    private struct File: DataFile {
        static let schema = "tablesight.legendSchemes/1"

        var schemes: [Scheme]

        func validate(name: String) throws(DataFileProblem) {
            for (index, scheme) in schemes.enumerated() {
                try DataFileProblem.check(
                    !scheme.codes.isEmpty && !scheme.name.isEmpty, "schemes[\(index)]", "give a name and codes")
            }
        }
    }

    var schemes: [Scheme] = []

    /// - Throws: `StartupError` with the file.
    static func load(from models: ModelFolder) throws -> LegendSchemes {
        LegendSchemes(schemes: try models.load(File.self, from: "legends/schemes.json").schemes)
    }

    /// Adds the codes of the scheme that the page names or agrees with.
    func complete(_ legend: inout Legend, page: String) {
        let words = Array((" " + Folding.words(of: page).joined(separator: " ") + " ").utf8)
        for scheme in schemes where isNamed(scheme, in: words) || agrees(scheme, with: legend) {
            for (code, allergen) in scheme.codes where legend.meanings[code] == nil {
                legend.share(code, .allergens([.init(allergen: allergen, leaf: nil, polarity: .contains)]))
            }
            return
        }
    }

    private func isNamed(_ scheme: Scheme, in words: [UInt8]) -> Bool {
        scheme.named.contains { parts in
            parts.enumerated().allSatisfy { number, part in
                Self.contains(words, Array((number + 1 == parts.count ? " \(part)" : " \(part) ").utf8))
            }
        }
    }

    /// Byte substring search. Foundation's string search took longer than the rest of a dish.
    private static func contains(_ whole: [UInt8], _ part: [UInt8]) -> Bool {
        guard let first = part.first, whole.count >= part.count else { return part.isEmpty }
        return (0...(whole.count - part.count)).contains {
            whole[$0] == first && whole[$0..<($0 + part.count)].elementsEqual(part)
        }
    }

    private func agrees(_ scheme: Scheme, with legend: Legend) -> Bool {
        var agreeing = 0
        for (code, meaning) in legend.meanings {
            guard case .allergens(let bindings) = meaning, let expected = scheme.codes[code] else { continue }
            guard bindings.allSatisfy({ $0.allergen == expected && $0.polarity == .contains }) else { return false }
            agreeing += 1
        }
        return agreeing >= Self.minimumAgreeing
    }
}
