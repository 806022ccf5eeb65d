import Vocabulary

/// When a symbol that the scanner reports is believed, and how much.
///
/// The probabilities are set by judgement from how such codes guard themselves; they are not calibrated yet.
extension ScannedSymbol {
    /// The number of a retail code, where its check digit is right.
    var gtin: GTIN? {
        switch symbology {
        case .ean8, .ean13, .upcA, .isbn13: GTIN(text)
        case .upcE: GTIN(upcE: text)
        // Application identifier 01 and the 14 digits of the number.
        case .dataBar, .dataBarExpanded: text.hasPrefix("01") ? GTIN(text.dropFirst(2).prefix(14)) : nil
        default: nil
        }
    }

    /// False for a retail code with a wrong check digit, and for a code without content.
    var isPlausible: Bool {
        switch symbology {
        case .ean8, .ean13, .upcA, .upcE, .isbn13, .dataBar: gtin != nil
        default: !text.isEmpty
        }
    }

    /// How many rescue steps must read the same before it is believed.
    ///
    /// A doctored picture shows bars that are not there. Error correction (QR) and checks of one in 79 and more (DataBar,
    /// Code 93, Code 128) vouch for one reading; the check digit of EAN and UPC, one in ten, does not; ITF, Codabar and
    /// Code 39 have none, so that short ones are never believed.
    var neededRescueReadings: Int? {
        switch symbology {
        case .qrCode, .sqCode, .pdf417, .code128, .code93, .dataBar, .dataBarExpanded: 1
        case .ean8, .ean13, .upcA, .upcE, .isbn10, .isbn13: 2
        case .itf, .codabar, .code39: text.count >= 8 ? 2 : nil
        }
    }

    /// Probability 0…1 that the text is right: by what the code checks and by the scan lines that agree.
    var confidence: Double {
        switch symbology {
        case .qrCode, .sqCode, .pdf417: 0.99
        case .itf, .codabar, .code39: agreeingLines >= 10 ? 0.85 : 0.6
        default: agreeingLines >= 10 ? 0.98 : 0.88
        }
    }
}
