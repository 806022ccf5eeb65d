import Core

/// One figure for the whole outcome: the weakest of its domains, each being the mean over what was read in it.
///
/// A menu's figure is the fitted confidence of its layout; the others inherit the readers' own figures.
enum OverallConfidence {
    static func of(_ outcome: Outcome) -> Double {
        var parts: [Double] = []
        if let menu = outcome.menu {
            // Fitted on pages as they were read: misread words are counted in it.
            parts.append(menu.confidence?.score ?? mean(menu.sections.flatMap(\.items).map(\.confidence)))
        }
        if let label = outcome.label { parts.append(label.coverage.ocrQuality) }
        if outcome.domains.contains(.barcode) { parts.append(mean(outcome.readings.barcodes?.map(\.confidence) ?? [])) }
        if let game = outcome.game { parts.append(game.outcome.confidence) }
        if parts.isEmpty { parts.append(mean(outcome.readings.text?.lines.map(\.confidence) ?? [])) }
        return parts.min() ?? 0
    }

    /// 0 for nothing: what was not read is not trusted.
    private static func mean(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
    }
}
