import Core

/// The overall confidence of an outcome: the minimum over its domains, each the mean of its readings.
///
/// A menu uses its calibrated layout confidence; the other domains use recognition confidence.
enum OverallConfidence {
    static func of(_ outcome: Outcome) -> Double {
        var parts: [Double] = []
        if let menu = outcome.menu {
            // The layout confidence is fitted to recognised pages, so it already accounts for misread words.
            parts.append(menu.confidence?.score ?? mean(menu.sections.flatMap(\.items).map(\.confidence)))
        }
        if let label = outcome.label { parts.append(label.coverage.ocrQuality) }
        if let receipt = outcome.receipt {
            parts.append(mean([receipt.merchant, receipt.date, receipt.total].map { $0?.confidence ?? 0 }))
        }
        if let tag = outcome.priceTag { parts.append(tag.price?.confidence ?? 0) }
        if outcome.domains.contains(.barcode) { parts.append(mean(outcome.readings.barcodes?.map(\.confidence) ?? [])) }
        if let game = outcome.game { parts.append(game.outcome.confidence) }
        if parts.isEmpty { parts.append(mean(outcome.readings.text?.lines.map(\.confidence) ?? [])) }
        return parts.min() ?? 0
    }

    /// The mean; 0 for an empty list, because unread content earns no confidence.
    private static func mean(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
    }
}
