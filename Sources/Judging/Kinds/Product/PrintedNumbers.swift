import Core

/// Recognised digits next to barcodes, a cross-check of the bars.
struct PrintedNumbers {
    /// Consecutive words of digits on one line, with their position.
    private struct Run {
        var words: [(digits: String, box: Quad, confidence: Double)]

        var digits: String { words.map(\.digits).joined() }
        /// True if every word was recognised well.
        var isSure: Bool { words.allSatisfy { $0.confidence >= minimumConfidence } }
        /// Probability that all words are right.
        var probability: Double { words.map(\.confidence).reduce(1, *) }
        var box: Quad { Quad(around: words.map(\.box)) ?? Quad(x: 0, y: 0, width: 0, height: 0) }

        /// All contiguous parts of this run, because a date may follow the number.
        var parts: [Run] {
            words.indices.flatMap { first in
                (first..<words.count).map { Run(words: Array(words[first...$0])) }
            }
        }
    }

    private let runs: [Run]

    /// Minimum recognition confidence of words in a part of a run that contradicts the bars. A whole run with a valid
    /// check digit needs none, and digits that the bars confirm need none.
    private static let minimumConfidence = 0.5
    /// Maximum distance of the digits as a share of the code's longer side. Add-ons and quiet zones lie between.
    private static let reach = 0.6
    /// Maximum number of words in a run whose parts are compared. A longer run is a table.
    private static let maximumWords = 8

    init(_ text: TextReading?) {
        runs = (text?.lines ?? []).flatMap(Self.runs)
    }

    /// Consecutive words of digits form one number: `5 000112 548167`. A printed `>` marks the quiet zone, and OCR
    /// may add points and bars.
    private static func runs(in line: TextLine) -> [Run] {
        var runs: [Run] = []
        var follows = false
        for word in line.words {
            let digits = word.text.drop { !isDigit($0) && !$0.isLetter }.reversed().drop {
                !isDigit($0) && !$0.isLetter
            }
            .reversed()
            guard !digits.isEmpty, digits.allSatisfy(isDigit) else {
                follows = false
                continue
            }
            let part = (String(digits), word.box, word.confidence)
            if follows, !runs.isEmpty {
                runs[runs.count - 1].words.append(part)
            } else {
                runs.append(Run(words: [part]))
            }
            follows = true
        }
        return runs
    }

    private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

    /// The result of comparing the bars with the digits printed next to them.
    struct Statement {
        var verdict: CodeAgreement.Verdict
        /// The printed number, if it differs from the bars.
        var number: GTIN?
        /// Probability 0…1 that this number was recognised correctly, before its check digit.
        var probability = 0.0
    }

    /// Compares the digits next to the bars with the decoded number.
    ///
    /// - Parameter others: numbers of other codes on the photo. Their digits are no contradiction.
    func statement(on code: BarcodeReading, others: Set<GTIN>) -> Statement {
        guard let gtin = code.gtin.flatMap({ GTIN($0) }) else { return Statement(verdict: .unseen) }
        let near = runs.filter { Self.isNear($0.box, code) }
        if Self.spellings(of: code, gtin).contains(where: { Self.isPrinted($0, in: near) }) {
            return Statement(verdict: .agrees)
        }
        // Short numbers are often dates or lots. A misread digit fails the check digit.
        func statement(_ run: Run) -> Statement? {
            guard (12...14).contains(run.digits.count), let number = GTIN(run.digits), number != gtin,
                !others.contains(number)
            else { return nil }
            return Statement(verdict: .disagrees, number: number, probability: run.probability)
        }
        return near.lazy.compactMap(statement).first
            ?? near.lazy.filter { $0.words.count <= Self.maximumWords }.flatMap(\.parts)
            .filter { $0.isSure && Self.isNear($0.box, code) }.compactMap(statement).first
            ?? Statement(verdict: .unseen)
    }

    /// The possible printed forms of the number: in the format of the symbology, and in full.
    private static func spellings(of code: BarcodeReading, _ gtin: GTIN) -> [String] {
        var spellings = [gtin.normalised, String(gtin.digits.suffix(12))]
        let own = code.text.filter { ("0"..."9").contains($0) }
        if code.format == "UPC-E", (6...8).contains(own.count) { spellings.append(own) }
        if code.format != "UPC-E", gtin.normalised.count == 8 { spellings = [gtin.normalised] }
        return spellings.filter { $0.count >= 6 }
    }

    /// True if the digits occur in one run or in the two halves of a retail code. The first and the last digit are
    /// printed smaller and apart, and OCR often misses them. If they were recognised, they must match.
    private static func isPrinted(_ digits: String, in runs: [Run]) -> Bool {
        if runs.contains(where: { $0.digits.contains(digits) }) { return true }
        guard digits.count >= 12 else { return false }
        let inner = digits.dropFirst().dropLast()
        if runs.contains(where: { $0.digits.count < digits.count && $0.digits.contains(inner) }) { return true }
        let left = digits.count == 13 ? digits.dropFirst().prefix(6) : digits.dropFirst().prefix(5)
        let right = digits.count == 13 ? digits.suffix(6) : digits.dropLast().suffix(5)
        let parts = runs.map(\.digits).filter { $0.count <= 7 }
        return parts.contains { $0.contains(left) } && parts.contains { $0.contains(right) }
    }

    private static func isNear(_ box: Quad, _ code: BarcodeReading) -> Bool {
        let (xs, ys) = (code.corners.map(\.x), code.corners.map(\.y))
        guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else { return false }
        let reach = max(right - left, bottom - top) * reach
        return box.minX <= right + reach && box.maxX >= left - reach && box.minY <= bottom + reach
            && box.maxY >= top - reach
    }
}
