import Foundation

/// Non-maximum suppression: of things that cannot be there together, the best stays.
enum Suppression {
    /// The elements by falling score, without those that conflict with a better one.
    static func best<Element>(
        of all: some Sequence<Element>, most: Int = .max, by score: (Element) -> Double,
        conflict: (Element, Element) -> Bool
    ) -> [Element] {
        var kept: [Element] = []
        for (one, _) in all.map({ ($0, score($0)) }).sorted(by: { $0.1 > $1.1 })
        where kept.count < most && !kept.contains(where: { conflict($0, one) }) { kept.append(one) }
        return kept
    }
}

/// The size on which most of a photo agrees: pieces of a set have equal sizes.
enum SizeConsensus {
    /// The elements near the size with the most support.
    ///
    /// - Parameters:
    ///   - tried: Candidate sizes; those of all elements without it.
    ///   - deviation: Largest deviation from a size, as a natural logarithm.
    static func agreeing<Element>(
        _ all: [Element], size: (Element) -> Double, tried: [Double]? = nil, within deviation: Double,
        support: ([Element]) -> Double
    ) -> [Element] {
        func near(_ one: Double) -> [Element] { all.filter { abs(log(size($0) / one)) < deviation } }
        let votes = (tried ?? all.map(size)).map { (size: $0, support: support(near($0))) }
        return votes.max { $0.support < $1.support }.map { near($0.size) } ?? []
    }
}
