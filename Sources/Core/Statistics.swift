extension Sequence where Element: Comparable {
    /// The middle one in order, the upper of two; nil if there is none.
    @inlinable public var median: Element? { quantile(0.5) }

    /// The one below which this share of all lies; nil if there is none.
    ///
    /// - Parameter share: 0…1; 0 gives the smallest, 1 the largest.
    @inlinable public func quantile(_ share: Double) -> Element? {
        let sorted = sorted()
        let place = Int(share * Double(sorted.count))
        return sorted.isEmpty ? nil : sorted[Swift.max(0, Swift.min(sorted.count - 1, place))]
    }
}
