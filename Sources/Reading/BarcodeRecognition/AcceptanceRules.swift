import Core

/// Checks on the content of a symbol.
extension ScannedSymbol {
    /// The number of a retail code with a valid check digit, else nil.
    var gtin: GTIN? {
        switch symbology {
        case .ean8, .ean13, .upcA, .isbn13: GTIN(text)
        case .upcE: GTIN(upcE: text) ?? GTIN(text)
        // Application identifier 01 and 14 digits. Some decoders omit the identifier because it is always the same.
        case .dataBar, .dataBarLimited: GTIN(text.count == 16 && text.hasPrefix("01") ? text.dropFirst(2) : text[...])
        case .dataBarExpanded: text.hasPrefix("01") ? GTIN(text.dropFirst(2).prefix(14)) : nil
        default: nil
        }
    }

    /// Shortest content of a Data Matrix. The smallest symbols have little error correction, and textures can pass it.
    private static let shortestMatrix = 6

    /// False for a retail code with a wrong check digit, and for a code without content.
    var isPlausible: Bool {
        guard !isBroken else { return false }
        return switch symbology {
        case .ean8, .ean13, .upcA, .upcE, .isbn13: gtin != nil
        case .dataMatrix: text.count >= Self.shortestMatrix && !text.contains("\u{FFFD}")
        default: !text.isEmpty
        }
    }

    /// Identifies a code independently of the decoder's spelling.
    struct Identity: Hashable {
        /// One symbology for all retail codes, because they share their numbers.
        var symbology: Symbology
        var text: String
    }

    var identity: Identity {
        switch symbology {
        case .ean8, .ean13, .upcA, .upcE, .isbn10, .isbn13:
            Identity(symbology: .ean13, text: gtin?.digits ?? text)
        case .codabar: Identity(symbology: .codabar, text: text.uppercased())
        default: Identity(symbology: symbology, text: text)
        }
    }
}

/// Why a code was accepted. The calibration table has a probability for each reason and error check.
enum AcceptanceReason: String, CaseIterable {
    /// Both decoders read the same text.
    case bothDecoders
    /// One decoder read it on the unchanged picture.
    case plain
    /// One decoder read the same text on several views.
    case severalViews
    /// One decoder read it once.
    case once
    /// Its bars explain a located patch clearly better than those of any other number, by the margin of the fit.
    case fittedNarrowly, fitted, fittedClearly
    /// Decoders read it, but two of its digits look like a mixture with another number's.
    case mixed
    /// Decoders read it, but its bars cannot be compared, or look a little like another number's.
    case unproven
    /// The other number of such a mixture. It is not accepted by itself.
    case rival

    /// True if codes with this error check can be accepted for this reason.
    func applies(to kind: Symbology.ErrorCheck) -> Bool {
        switch self {
        case .fittedNarrowly, .fitted, .fittedClearly, .mixed, .unproven, .rival: kind == .digit
        case .bothDecoders, .plain, .severalViews, .once: true
        }
    }
}

/// The rules by which a code is accepted. A wrong text is worse than none.
///
/// On some 500 photos, the two decoders never misread a code with a check digit alike. Each alone misread up to one
/// retail code in forty on distorted views. A retail code therefore needs both decoders, or three views with the same
/// number and two more views than any other number, or a fit of its bars: one with a large margin, or any plausible one if
/// a decoder reads the same number. Codes with stronger error checks need less. Codes without a check
/// are rejected if they are short or if another text was read too. Both decoders read parts of longer codes as whole
/// ones.
struct AcceptanceRules {
    /// False if only ZBar is installed. Its plain reading is then accepted without confirmation.
    var hasTwoDecoders: Bool

    private static let manyViews = 3
    private static let shortest = 6
    /// A fit counts as clear from this many times the least margin.
    private static let clearness = 3.0

    /// - Parameters:
    ///   - rivals: The largest number of views that read another text of the same kind.
    ///   - isLast: True if no further views follow.
    ///
    /// - Returns: The reason, or nil if the evidence does not suffice yet.
    func acceptance(of evidence: SymbolEvidence, rivals: Int, isLast: Bool) -> AcceptanceReason? {
        let reason = reason(for: evidence, rivals: rivals, isLast: isLast)
        guard let reason, let doubt = evidence.doubt else { return reason }
        if doubt.isMisplaced { return nil }
        if doubt.isMixed || evidence.rivalOf != nil { return .mixed }
        if doubt.isConfirmed || evidence.decoders.isEmpty { return reason }
        // Views are of the same bars: they repeat what one decoder makes of bars that are no code.
        return reason == .severalViews && !doubt.isCompared ? nil : .unproven
    }

    private func reason(for evidence: SymbolEvidence, rivals: Int, isLast: Bool) -> AcceptanceReason? {
        let kind = evidence.symbol.symbology
        let isPlain = !evidence.plainEngines.isEmpty
        let views = evidence.detections.count
        // Both decoders round a damaged digit alike on a distorted view; only longer numbers are compared with their bars.
        let needsFit = kind == .ean8 && !isPlain
        if evidence.isDetectedByBoth, kind.errorCheck != .none, !needsFit { return .bothDecoders }
        if kind.errorCheck == .corrected { return isPlain ? .plain : .once }
        let isSettled = isLast && views >= Self.manyViews && views >= rivals + 2
        switch kind {
        case .dataBar, .dataBarLimited, .dataBarExpanded: return isPlain ? .plain : .once
        case .code93, .code128:
            // ZBar misreads extended characters of Code 128 on every view, so ZXing's reading has priority.
            if !hasTwoDecoders || evidence.detections.contains(where: { $0.engine == .zxing }) {
                return isPlain ? .plain : .once
            }
            return isLast && views >= 2 && rivals == 0 ? .severalViews : nil
        case .code39, .itf, .codabar:
            let isLong = evidence.symbol.text.count >= Self.shortest
            if evidence.isDetectedByBoth, isLong || kind == .code39, rivals == 0 { return .bothDecoders }
            let trusted: Detection.Engine = hasTwoDecoders ? .zxing : .zbar
            if evidence.plainEngines.contains(trusted), isLong || kind == .code39, rivals == 0 { return .plain }
            return isSettled && isLong ? .severalViews : nil
        default:
            if !hasTwoDecoders, isPlain { return .plain }
            return Self.fit(evidence) ?? (isSettled && !needsFit ? .severalViews : nil)
        }
    }

    private static func fit(_ evidence: SymbolEvidence) -> AcceptanceReason? {
        guard let margin = evidence.margin, let rule = FitRule.of(evidence.symbol.symbology) else { return nil }
        guard margin >= rule.leastMarginAlone else {
            return margin >= rule.leastMargin && !evidence.decoders.isEmpty ? .fittedNarrowly : nil
        }
        return margin >= Self.clearness * rule.leastMargin ? .fittedClearly : .fitted
    }
}
