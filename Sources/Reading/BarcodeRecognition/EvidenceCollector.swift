import Core

/// Collects the detections of all views and decoders, grouped by code, in order of first detection.
struct EvidenceCollector {
    private(set) var all: [SymbolEvidence] = []
    private let rules: AcceptanceRules

    init(rules: AcceptanceRules) { self.rules = rules }

    /// - Parameters:
    ///   - attempt: Name of the view.
    ///   - points: Location of the symbol in the whole picture, pixels.
    mutating func add(
        _ symbol: ScannedSymbol, by engine: Detection.Engine, attempt: String, at points: [Point], isOutline: Bool
    ) {
        guard symbol.isPlausible else { return }
        let detection = Detection(engine: engine, view: attempt)
        if let index = all.firstIndex(where: { $0.symbol.identity == symbol.identity }) {
            all[index].detections.insert(detection)
            all[index].symbol.agreeingLines = max(all[index].symbol.agreeingLines, symbol.agreeingLines)
            // ZXing distinguishes UPC-E and GS1; ZBar does not.
            if symbol.isGS1 { all[index].symbol.isGS1 = true }
            if symbol.symbology == .upcE || symbol.symbology == .ean8 { all[index].symbol.symbology = symbol.symbology }
        } else {
            all.append(
                SymbolEvidence(
                    symbol: symbol, firstAttempt: attempt, points: points, isOutline: isOutline, detections: [detection]
                ))
        }
    }

    /// Adds a plausible fit of a retail code's bars.
    mutating func add(_ fit: BarFit) {
        let symbol = ScannedSymbol(
            symbology: fit.symbology, text: fit.digits, points: fit.patch.corners, agreeingLines: 0)
        add(symbol, by: .templates, attempt: DecodeAttempt.fitted, at: symbol.points, isOutline: true)
        guard let index = all.firstIndex(where: { $0.symbol.identity == symbol.identity }) else { return }
        all[index].margin = max(fit.margin, all[index].margin ?? 0)
    }

    /// The accepted retail codes that can be compared with their bars.
    var comparable: [SymbolEvidence] {
        accepted(isLast: true).map(\.evidence).filter(\.symbol.symbology.hasTemplates)
    }

    /// Notes what the bars say about an accepted number, and what else the bars may be.
    mutating func add(_ doubt: BarDoubt, on evidence: SymbolEvidence) {
        guard let index = all.firstIndex(where: { $0.symbol.identity == evidence.symbol.identity }) else { return }
        all[index].doubt = doubt
        guard doubt.isMixed else { return }
        let rival = ScannedSymbol(symbology: .ean13, text: doubt.rival, points: evidence.points, agreeingLines: 0)
        add(rival, by: .templates, attempt: DecodeAttempt.fitted, at: evidence.points, isOutline: evidence.isOutline)
        guard let other = all.firstIndex(where: { $0.symbol.identity == rival.identity }) else { return }
        (all[other].rivalOf, all[other].points) = (evidence.symbol.identity, evidence.points)
        all[other].isOutline = evidence.isOutline
    }

    /// The codes that are accepted now, each with the reason.
    func accepted(isLast: Bool) -> [(evidence: SymbolEvidence, reason: AcceptanceReason)] {
        let accepted = all.compactMap { evidence in
            rules.acceptance(of: evidence, rivals: rivals(of: evidence), isLast: isLast).map {
                (evidence: evidence, reason: $0)
            }
        }
        // If the same bars are two accepted numbers, neither is known.
        return accepted.filter { one in
            !accepted.contains {
                one.evidence.isContradicted(by: $0.evidence) || $0.evidence.isContradicted(by: one.evidence)
            }
        }
    }

    /// The largest number of views that read another text of the same kind. A text that both decoders read elsewhere
    /// is a second code, not a contradiction.
    private func rivals(of evidence: SymbolEvidence) -> Int {
        all.filter {
            $0.symbol.identity != evidence.symbol.identity
                && $0.symbol.identity.symbology == evidence.symbol.identity.symbology
                && !($0.isDetectedByBoth && !evidence.isDetectedByBoth && $0.symbol.symbology.errorCheck != .none
                    && !$0.overlaps(evidence))
        }.map(\.detections.count).max() ?? 0
    }
}

extension SymbolEvidence {
    /// True if the fit of the same bars gives another number than the decoders.
    fileprivate func isContradicted(by fit: SymbolEvidence) -> Bool {
        margin == nil && fit.margin != nil && symbol.identity != fit.symbol.identity
            && symbol.identity.symbology == fit.symbol.identity.symbology && overlaps(fit)
    }

    /// True if the bounding boxes intersect.
    func overlaps(_ other: SymbolEvidence) -> Bool {
        guard let mine = box, let theirs = other.box else { return true }
        return mine.minX <= theirs.maxX && theirs.minX <= mine.maxX && mine.minY <= theirs.maxY
            && theirs.minY <= mine.maxY
    }

    private var box: Quad? { Quad(around: points.map { Quad(x: $0.x, y: $0.y, width: 0, height: 0) }) }
}
