import Core

extension Outcome {
    /// The marks over the photo: what was read, how confidently, and the evidence of the verdicts.
    public var overlayMarks: [OverlayMark] {
        var marks: [OverlayMark] = []
        for line in readings.text?.lines ?? [] {
            marks.append(
                OverlayMark(outline: line.box.corners, meaning: line.confidence >= 0.65 ? .read : .unsure, caption: ""))
        }
        if let menu, let confidence = menu.confidence,
            let area = Quad(around: menu.sections.flatMap(\.items).compactMap(\.box))
        {
            let caption =
                confidence.level == .high
                ? "menu, layout confidence high"
                : "menu, layout confidence \(confidence.level.rawValue): compare with the photo"
            marks.append(
                OverlayMark(
                    outline: area.corners, meaning: confidence.level == .high ? .read : .unsure, caption: caption))
        }
        for item in menu?.sections.flatMap(\.items) ?? [] {
            let named = item.findings.namedAllergens
            // The caption of the dish names all allergens. A caption for each mark would hide the evidence.
            marks += item.findings.flatMap(\.overlayMarks).map {
                OverlayMark(outline: $0.outline, meaning: $0.meaning, caption: "")
            }
            if let box = item.box {
                marks.append(
                    OverlayMark(
                        outline: box.corners, meaning: .dish,
                        caption: named.isEmpty ? item.name : "\(item.name): \(named)"))
            }
        }
        marks += label?.findings.flatMap(\.overlayMarks) ?? []
        for barcode in readings.barcodes ?? [] where !barcode.corners.isEmpty {
            marks.append(
                OverlayMark(outline: barcode.corners, meaning: .barcode, caption: "\(barcode.format) \(barcode.text)"))
        }
        for piece in readings.pieces?.pieces ?? [] {
            let percent = Int((piece.confidence * 100).rounded())
            marks.append(
                OverlayMark(outline: piece.polygonPX, meaning: .piece, caption: "\(piece.type) \(percent) %"))
        }
        return marks
    }
}

extension [AllergenFinding] {
    /// The keys of the allergens that are or may be present, each once, in the order of the findings.
    fileprivate var namedAllergens: String {
        var seen: [Allergen] = []
        for finding in self where finding.polarity != .freeClaim && !seen.contains(finding.allergen) {
            seen.append(finding.allergen)
        }
        return seen.map(\.rawValue).joined(separator: ", ")
    }
}

extension AllergenFinding {
    fileprivate var overlayMarks: [OverlayMark] {
        let meaning: OverlayMark.Meaning? =
            switch polarity {
            case .contains: .danger
            case .mayContain, .likely, .option: .warning
            case .freeClaim: nil
            }
        guard let meaning else { return [] }
        return evidence.compactMap { evidence in
            evidence.box.map { OverlayMark(outline: $0.corners, meaning: meaning, caption: allergen.rawValue) }
        }
    }
}
