import Core

/// What a symbol says of itself.
extension ScannedSymbol {
    /// The number of a retail code, where its check digit is right.
    var gtin: GTIN? {
        switch symbology {
        case .ean8, .ean13, .upcA, .isbn13: GTIN(text)
        case .upcE: GTIN(upcE: text) ?? GTIN(text)
        // Application identifier 01 and the 14 digits of the number; some decoders leave out what is always the same.
        case .dataBar, .dataBarLimited: GTIN(text.count == 16 && text.hasPrefix("01") ? text.dropFirst(2) : text[...])
        case .dataBarExpanded: text.hasPrefix("01") ? GTIN(text.dropFirst(2).prefix(14)) : nil
        default: nil
        }
    }

    /// False for a retail code with a wrong check digit, and for a code without content.
    var isPlausible: Bool {
        switch symbology {
        case .ean8, .ean13, .upcA, .upcE, .isbn13: gtin != nil
        default: !text.isEmpty
        }
    }

    /// What makes two readings the same code, whichever decoder spells it.
    struct Identity: Hashable {
        /// A retail code's number is the same in every one of their symbologies.
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

/// How a code came to be believed; the calibration table has a probability for each, by what the code proves of itself.
enum Belief: String, CaseIterable {
    /// Two decoders read the same.
    case bothDecoders
    /// One decoder read it on the picture as it is.
    case plain
    /// One decoder read it, and always the same, on several views.
    case severalViews
    /// One decoder read it once.
    case once
}

/// Which codes are believed. A wrong text is worse than none.
///
/// Measured on some 500 photos: never did both decoders misread a code that has a check digit alike, while each alone misread
/// up to one retail code in forty on doctored views. So a retail code wants both, or the same number on three views and two
/// more than for any other number; codes that guard themselves better want less. Codes without any check are not believed
/// where they are short, or where another text was read too: parts of longer ones read as whole ones, by both decoders.
struct BeliefRules {
    /// False where ZBar is alone: then nothing can be confirmed, and its plain reading is taken as it always was.
    var hasTwoDecoders: Bool

    private static let manyViews = 3
    private static let shortest = 6

    /// - Parameter rivals: the most views on which another text of the same kind was read.
    /// - Parameter isLast: no more views will come.
    /// - Returns: nil where it is not believed, not yet at least.
    func belief(in evidence: SymbolEvidence, rivals: Int, isLast: Bool) -> Belief? {
        let kind = evidence.symbol.symbology
        let isPlain = !evidence.plainEngines.isEmpty
        let views = evidence.sightings.count
        if evidence.isSeenByBoth, kind.guardedBy != .none { return .bothDecoders }
        if kind.guardedBy == .corrected { return isPlain ? .plain : .once }
        let isSettled = isLast && views >= Self.manyViews && views >= rivals + 2
        switch kind {
        case .dataBar, .dataBarLimited, .dataBarExpanded: return isPlain ? .plain : .once
        case .code93, .code128:
            // ZBar misreads Code 128's extended characters, and does so on every view: ZXing's word goes before its own.
            if !hasTwoDecoders || evidence.sightings.contains(where: { $0.engine == .zxing }) {
                return isPlain ? .plain : .once
            }
            return isLast && views >= 2 && rivals == 0 ? .severalViews : nil
        case .code39, .itf, .codabar:
            let isLong = evidence.symbol.text.count >= Self.shortest
            if evidence.isSeenByBoth, isLong || kind == .code39, rivals == 0 { return .bothDecoders }
            let vouched: Sighting.Engine = hasTwoDecoders ? .zxing : .zbar
            if evidence.plainEngines.contains(vouched), isLong || kind == .code39, rivals == 0 { return .plain }
            return isSettled && isLong ? .severalViews : nil
        default:
            if !hasTwoDecoders, isPlain { return .plain }
            return isSettled ? .severalViews : nil
        }
    }
}
