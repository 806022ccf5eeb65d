extension Sequence where Element: Comparable {
    /// The median: of an even count, the upper of the two middle elements. Nil for an empty sequence.
    @inlinable public var median: Element? { quantile(0.5) }

    /// The element at this share of the sorted sequence. Nil for an empty sequence.
    ///
    /// - Parameter share: 0…1; 0 gives the smallest, 1 the largest.
    @inlinable public func quantile(_ share: Double) -> Element? {
        let sorted = sorted()
        let place = Int(share * Double(sorted.count))
        return sorted.isEmpty ? nil : sorted[Swift.max(0, Swift.min(sorted.count - 1, place))]
    }
}
