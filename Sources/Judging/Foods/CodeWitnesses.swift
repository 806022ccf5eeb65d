import Core

/// What speaks for and against a retail code on one photo: bars, check digit, the digits printed beside them, the label.
///
/// Each witness multiplies the odds that the number is right. By how much is set by judgement, to be replaced once
/// corrections are counted: a photo's text reader prints twelve digits alike by chance never, and a label without its brand
/// is common.
struct CodeWitnesses {
    private let printed: PrintedNumbers
    private let label: LabelWords
    private let all: Set<GTIN>

    private static let printedAgrees = 100.0
    private static let printedDisagrees = 0.01
    private static let labelAgrees = 10.0
    private static let labelDisagrees = 0.5
    /// Of bars that were read and not believed: nothing is known of them.
    private static let doubtful = 0.5
    /// No decoder is surer than this, whatever it says of itself: else nothing printed could speak against it.
    private static let mostOfBars = 0.995
    /// A valid printed number that differs from the bars lowers the confidence of both below medium.
    private static let mostInDispute = 0.5

    init(_ readings: Readings) {
        printed = PrintedNumbers(readings.text)
        label = LabelWords(readings.text)
        all = Set((readings.barcodes ?? []).compactMap { $0.gtin.flatMap { GTIN($0) } })
    }

    /// The believed codes, with the confidence that print gives or takes, and the doubtful ones that print confirms.
    func barcodes(_ readings: Readings) -> [BarcodeReading] {
        let believed = (readings.barcodes ?? []).map { code in
            var code = code
            code.confidence = confidence(code.confidence, verdict(on: code))
            return code
        }
        var seen = all
        let confirmed = (readings.doubtfulBarcodes ?? []).compactMap { code -> BarcodeReading? in
            guard verdict(on: code) == .agrees, let gtin = code.gtin.flatMap({ GTIN($0) }), seen.insert(gtin).inserted
            else { return nil }
            var code = code
            code.confidence = confidence(Self.doubtful, .agrees)
            return code
        }
        return believed + confirmed
    }

    /// - Parameters:
    ///   - code: as the bars gave it.
    ///   - bars: its confidence before anything else spoke; 0 where it was doubtful.
    func agreement(on code: BarcodeReading, bars: Double, record: Product) -> CodeAgreement {
        let digits = verdict(on: code)
        let words = record.name == nil ? .unseen : label.verdict(brand: record.brand, name: record.name)
        var sure = confidence(bars > 0 ? bars : Self.doubtful, digits)
        switch words {
        case .agrees: sure = Self.updated(sure, by: Self.labelAgrees)
        case .disagrees: sure = Self.updated(sure, by: Self.labelDisagrees)
        case .unseen: break
        }
        if digits == .disagrees { sure = min(sure, Self.mostInDispute) }
        return CodeAgreement(
            bars: bars, checkDigit: .agrees, printedDigits: digits, label: words,
            confidence: sure.rounded(toPlaces: 4))
    }

    /// The number that is printed at these bars where it is another one.
    func disputed(_ code: BarcodeReading) -> GTIN? { printed.statement(on: code, others: all).number }

    /// What speaks for the number that is printed at bars that say another one.
    ///
    /// - Parameter code: the bars that it contradicts, with their confidence after it was heard.
    func agreement(onPrintBeside code: BarcodeReading, record: Product) -> CodeAgreement {
        CodeAgreement(
            bars: 0, printedDigits: .disagrees,
            label: record.name == nil ? .unseen : label.verdict(brand: record.brand, name: record.name),
            confidence: min(Self.mostInDispute, 1 - code.confidence).rounded(toPlaces: 4))
    }

    private func verdict(on code: BarcodeReading) -> CodeAgreement.Verdict {
        printed.statement(on: code, others: all).verdict
    }

    private func confidence(_ bars: Double, _ printed: CodeAgreement.Verdict) -> Double {
        switch printed {
        case .agrees: Self.updated(bars, by: Self.printedAgrees).rounded(toPlaces: 4)
        case .disagrees:
            min(Self.mostInDispute, Self.updated(min(bars, Self.mostOfBars), by: Self.printedDisagrees))
                .rounded(toPlaces: 4)
        case .unseen: bars
        }
    }

    /// Bayes' rule in odds.
    private static func updated(_ probability: Double, by factor: Double) -> Double {
        let odds = probability / max(1e-6, 1 - probability) * factor
        return odds / (1 + odds)
    }
}
