import Core

/// Cross-checks a retail code against the rest of the photo: bars, check digit, printed digits, label.
///
/// The probabilities of the numbers that the bars may be, of the printed digits and a weak prior for numbers in the
/// catalogue are multiplied; what remains is the probability that the number is another one. A label that agrees or
/// disagrees multiplies the odds. Its factors are expert estimates until enough corrections are counted: a label without
/// its brand is common.
struct CodeCrossChecks {
    private let printed: PrintedNumbers
    private let label: LabelWords
    private let readings: Readings
    private let all: Set<GTIN>
    private let isKnown: (GTIN) -> Bool

    private static let labelAgrees = 10.0
    private static let labelDisagrees = 0.5
    /// Prior for bars that were decoded but not accepted.
    private static let doubtfulPrior = 0.5
    /// Probability that the digits agree with a number by chance. Twelve never do, but shorter parts count too.
    private static let agreesByChance = 0.01
    /// Probability that another valid number is printed beside a code whose own digits were not read.
    private static let isUnrelated = 0.002
    /// Probability that digits with a misread one have a valid check digit.
    private static let isValidByChance = 0.1
    /// Least probability that the bars are of none of the numbers. Without it, printed digits could not contradict them.
    private static let leastOther = 0.005
    /// Weight of a number in the catalogue against one that is not. Catalogues are incomplete, and have wrong numbers.
    private static let knownWeight = 3.0
    /// Maximum confidence if a valid printed number differs from the bars, and of a product if its bars may be of another
    /// number. It keeps both numbers below medium.
    private static let maximumDisputedConfidence = 0.5

    /// - Parameter isKnown: True for numbers in the catalogue.
    init(_ readings: Readings, isKnown: @escaping (GTIN) -> Bool) {
        printed = PrintedNumbers(readings.text)
        label = LabelWords(readings.text)
        self.readings = readings
        self.isKnown = isKnown
        all = Set((readings.barcodes ?? []).compactMap(\.number))
    }

    /// The accepted codes with confidence updated by the cross-checks, and the doubtful codes that printed digits
    /// confirm.
    func barcodes() -> [BarcodeReading] {
        var seen = all
        let confirmed = (readings.doubtfulBarcodes ?? []).filter { code in
            verdict(on: code) == .agrees && code.number.map { seen.insert($0).inserted } == true
        }
        return ((readings.barcodes ?? []) + confirmed).map { code in
            var code = code
            guard let gtin = code.number else { return code }
            let most = verdict(on: code) == .disagrees ? Self.maximumDisputedConfidence : 1
            code.confidence = min(most, posterior(at: code)[gtin] ?? 0).rounded(toPlaces: 4)
            return code
        }
    }

    /// The other numbers that the bars of an accepted code may be: doubtful ones at the same place.
    func rivals(of code: BarcodeReading) -> [BarcodeReading] {
        (readings.doubtfulBarcodes ?? []).filter {
            $0.confidence > 0 && $0.corners == code.corners && $0.number != nil && $0.number != code.number
        }
    }

    /// The probability of each number that the code may have.
    private func posterior(at code: BarcodeReading) -> [GTIN: Double] {
        let accepted = (readings.barcodes ?? []).filter { $0.corners == code.corners }
        let candidates = [code] + (accepted + rivals(of: code)).filter { $0.number != code.number }
        var weights: [GTIN: Double] = [:]
        for one in candidates {
            if let gtin = one.number { weights[gtin] = one.confidence > 0 ? one.confidence : Self.doubtfulPrior }
        }
        let agreeing = candidates.first { verdict(on: $0) == .agrees }?.number
        let statement = printed.statement(on: code, others: all)
        guard weights.count > 1 || agreeing != nil || statement.number != nil else { return weights }
        var other = max(Self.leastOther, 1 - weights.values.reduce(0, +))
        if let agreeing {
            for gtin in weights.keys where gtin != agreeing { weights[gtin]? *= Self.agreesByChance }
            other *= Self.agreesByChance
        } else if let number = statement.number {
            let wrong = 1 - statement.probability
            for gtin in weights.keys { weights[gtin]? *= Self.isUnrelated + Self.isValidByChance * wrong }
            weights[number] = other * statement.probability
            other *= wrong
        }
        for gtin in weights.keys where weights.count > 1 && isKnown(gtin) { weights[gtin]? *= Self.knownWeight }
        let sum = weights.values.reduce(other, +)
        return weights.mapValues { $0 / sum }
    }

    /// - Parameters:
    ///   - code: an accepted or confirmed code, as it was read.
    ///   - bars: the decoder's confidence before the cross-checks; 0 for a doubtful code.
    func agreement(on code: BarcodeReading, bars: Double, record: Product) -> CodeAgreement {
        let digits = verdict(on: code)
        let isDisputed = digits == .disagrees || digits == .unseen && !rivals(of: code).isEmpty
        return agreement(
            code.number.flatMap { posterior(at: code)[$0] } ?? code.confidence, bars: bars, digits, record,
            isDisputed: isDisputed)
    }

    /// The number printed next to these bars, if it differs from them.
    func contradictingNumber(_ code: BarcodeReading) -> GTIN? { printed.statement(on: code, others: all).number }

    /// The cross-checks of another number that the code may have: one printed beside it, or one that its bars may be.
    func agreement(on number: GTIN, insteadOf code: BarcodeReading, record: Product) -> CodeAgreement {
        let bars = rivals(of: code).first { $0.number == number }?.confidence ?? 0
        let digits = contradictingNumber(code) == number ? CodeAgreement.Verdict.disagrees : .unseen
        return agreement(posterior(at: code)[number] ?? 0, bars: bars, digits, record, isDisputed: true)
    }

    private func agreement(
        _ posterior: Double, bars: Double, _ digits: CodeAgreement.Verdict, _ record: Product, isDisputed: Bool
    ) -> CodeAgreement {
        let words = record.name == nil ? .unseen : label.verdict(brand: record.brand, name: record.name)
        var probability = posterior
        switch words {
        case .agrees: probability = Self.updated(probability, by: Self.labelAgrees)
        case .disagrees: probability = Self.updated(probability, by: Self.labelDisagrees)
        case .unseen: break
        }
        if isDisputed { probability = min(probability, Self.maximumDisputedConfidence) }
        return CodeAgreement(
            bars: bars, printedDigits: digits, label: words, confidence: probability.rounded(toPlaces: 4))
    }

    private func verdict(on code: BarcodeReading) -> CodeAgreement.Verdict {
        printed.statement(on: code, others: all).verdict
    }

    /// Applies Bayes' rule to the odds.
    private static func updated(_ probability: Double, by factor: Double) -> Double {
        let odds = probability / max(1e-6, 1 - probability) * factor
        return odds / (1 + odds)
    }
}

extension BarcodeReading {
    fileprivate var number: GTIN? { gtin.flatMap { GTIN($0) } }
}
