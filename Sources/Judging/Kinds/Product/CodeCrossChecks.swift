import Core

/// Cross-checks a retail code against the rest of the photo: bars, check digit, printed digits, label.
///
/// Each check multiplies the odds that the number is correct. The factors are expert estimates until enough
/// corrections are counted. Twelve matching digits by chance are practically impossible. A label without its brand is
/// common.
struct CodeCrossChecks {
    private let printed: PrintedNumbers
    private let label: LabelWords
    private let all: Set<GTIN>

    private static let printedAgrees = 100.0
    private static let printedDisagrees = 0.01
    private static let labelAgrees = 10.0
    private static let labelDisagrees = 0.5
    /// Prior for bars that were decoded but not accepted.
    private static let doubtfulPrior = 0.5
    /// Upper limit of a decoder's confidence. Without it, printed digits could not contradict the bars.
    private static let maximumBarsConfidence = 0.995
    /// Maximum confidence if a valid printed number differs from the bars. It keeps both numbers below medium.
    private static let maximumDisputedConfidence = 0.5

    init(_ readings: Readings) {
        printed = PrintedNumbers(readings.text)
        label = LabelWords(readings.text)
        all = Set((readings.barcodes ?? []).compactMap { $0.gtin.flatMap { GTIN($0) } })
    }

    /// The accepted codes with confidence updated by printed digits, and the doubtful codes that printed digits
    /// confirm.
    func barcodes(_ readings: Readings) -> [BarcodeReading] {
        let accepted = (readings.barcodes ?? []).map { code in
            var code = code
            code.confidence = confidence(code.confidence, verdict(on: code))
            return code
        }
        var seen = all
        let confirmed = (readings.doubtfulBarcodes ?? []).compactMap { code -> BarcodeReading? in
            guard verdict(on: code) == .agrees, let gtin = code.gtin.flatMap({ GTIN($0) }), seen.insert(gtin).inserted
            else { return nil }
            var code = code
            code.confidence = confidence(Self.doubtfulPrior, .agrees)
            return code
        }
        return accepted + confirmed
    }

    /// - Parameters:
    ///   - code: the decoded code.
    ///   - bars: the decoder's confidence before the cross-checks; 0 for a doubtful code.
    func agreement(on code: BarcodeReading, bars: Double, record: Product) -> CodeAgreement {
        let digits = verdict(on: code)
        let words = record.name == nil ? .unseen : label.verdict(brand: record.brand, name: record.name)
        var probability = confidence(bars > 0 ? bars : Self.doubtfulPrior, digits)
        switch words {
        case .agrees: probability = Self.updated(probability, by: Self.labelAgrees)
        case .disagrees: probability = Self.updated(probability, by: Self.labelDisagrees)
        case .unseen: break
        }
        if digits == .disagrees { probability = min(probability, Self.maximumDisputedConfidence) }
        return CodeAgreement(
            bars: bars, checkDigit: .agrees, printedDigits: digits, label: words,
            confidence: probability.rounded(toPlaces: 4))
    }

    /// The number printed next to these bars, if it differs from them.
    func contradictingNumber(_ code: BarcodeReading) -> GTIN? { printed.statement(on: code, others: all).number }

    /// The cross-checks of a printed number that differs from the bars.
    ///
    /// - Parameter code: the contradicted bars, with confidence after the contradiction.
    func agreement(onPrintBeside code: BarcodeReading, record: Product) -> CodeAgreement {
        CodeAgreement(
            bars: 0, printedDigits: .disagrees,
            label: record.name == nil ? .unseen : label.verdict(brand: record.brand, name: record.name),
            confidence: min(Self.maximumDisputedConfidence, 1 - code.confidence).rounded(toPlaces: 4))
    }

    private func verdict(on code: BarcodeReading) -> CodeAgreement.Verdict {
        printed.statement(on: code, others: all).verdict
    }

    private func confidence(_ bars: Double, _ printed: CodeAgreement.Verdict) -> Double {
        switch printed {
        case .agrees: Self.updated(bars, by: Self.printedAgrees).rounded(toPlaces: 4)
        case .disagrees:
            min(
                Self.maximumDisputedConfidence,
                Self.updated(min(bars, Self.maximumBarsConfidence), by: Self.printedDisagrees)
            )
            .rounded(toPlaces: 4)
        case .unseen: bars
        }
    }

    /// Applies Bayes' rule to the odds.
    private static func updated(_ probability: Double, by factor: Double) -> Double {
        let odds = probability / max(1e-6, 1 - probability) * factor
        return odds / (1 + odds)
    }
}
