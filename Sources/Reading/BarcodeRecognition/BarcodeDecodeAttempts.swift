import Core

/// Reads barcodes with two decoders in a sequence of decode attempts, from the cheapest to the most expensive.
///
/// The sequence ends at the first attempt after which a code is accepted. ZXing decodes first because it is cheaper;
/// ZBar then confirms each result on a crop around the code. Without ZXing, a plain result of ZBar is accepted.
package struct BarcodeDecodeAttempts: BarcodeReader, Sendable {
    private let zbar = ZBarEngine()
    /// For crops, whose bars are upright.
    private let upright = ZBarEngine(lines: .rows)
    private let quick: ZXingEngine?
    private let thorough: ZXingEngine?
    private let calibration: BarcodeCalibration

    /// Maximum size of the picture in the first attempt, pixels.
    private static let quickPixels = 6_000_000.0
    /// Maximum size in later attempts on the whole picture, pixels. A photo without a code costs every attempt.
    private static let fallbackPixels = 600_000.0
    /// Maximum size of a picture that is enlarged, pixels.
    private static let smallPixels = 80_000
    /// Unsharp masks for pictures enlarged three times: sigma in pixels, and amount.
    private static let sharpenings = [(1.5, 2.0), (4.5, 3.0), (6.0, 4.0)]
    /// Maximum number of bar patches that are cut out.
    private static let patchLimit = 3
    /// Maximum number of patches that are tried for a fit, and of those that look like bars and are fitted. Of 250 codes
    /// read on development photos, 248 were on the first two.
    private static let (fittedPatches, mostFits) = (6, 2)

    /// - Parameter zxing: Nil if the library is not installed.
    package init(zxing: ZXingLibrary?, calibration: BarcodeCalibration) {
        quick = zxing.map { ZXingEngine(library: $0, isThorough: false) }
        thorough = zxing.map { ZXingEngine(library: $0, isThorough: true) }
        self.calibration = calibration
    }

    /// The accepted codes. Empty if nothing is readable or memory runs out.
    package func read(_ raster: Raster) -> BarcodeFindings {
        guard let plane = GrayPlane(raster) else { return BarcodeFindings() }
        var state = DecodeState(plane: plane, rules: AcceptanceRules(hasTwoDecoders: quick != nil))
        for attempt in attempts {
            attempt(&state)
            if !state.collector.accepted(isLast: false).isEmpty { break }
        }
        state.compare()
        return findings(state)
    }

    /// The decode attempts, cheapest first.
    private var attempts: [(inout DecodeState) -> Void] {
        [
            skim, readPlain, searchPlain, readWithZBar, readCut, readFlattened,
            evened, averaged, deblurred, enlarged, inverted, upscaled, fitted,
            refocused,
        ]
    }

    private func skim(_ state: inout DecodeState) {
        guard let quick, let (plane, factor) = state.plane(of: Self.quickPixels) else { return }
        state.add(quick.skim(plane), by: .zxing, attempt: DecodeAttempt.plain) { $0.scaled(by: 1 / factor) }
        state.confirm(on: plane, factor: factor)
    }

    private func readPlain(_ state: inout DecodeState) {
        guard let quick, let (plane, factor) = state.plane(of: Self.quickPixels) else { return }
        state.scan(plane, with: quick, attempt: DecodeAttempt.plain) { $0.scaled(by: 1 / factor) }
        state.confirm(on: plane, factor: factor)
    }

    private func searchPlain(_ state: inout DecodeState) {
        guard let thorough, let (plane, factor) = state.plane(of: Self.fallbackPixels) else { return }
        state.scan(plane, with: thorough, attempt: DecodeAttempt.plain) { $0.scaled(by: 1 / factor) }
        state.confirm(on: plane, factor: factor)
    }

    private func readWithZBar(_ state: inout DecodeState) {
        guard let (plane, factor) = state.plane(of: Self.fallbackPixels) else { return }
        state.scan(plane, with: zbar, attempt: DecodeAttempt.plain) { $0.scaled(by: 1 / factor) }
    }

    private func readCut(_ state: inout DecodeState) {
        state.locate(limit: Self.patchLimit)
        // Columns are scanned too: the located patch may be part of a code that lies across it.
        for cut in state.cuts {
            state.scan(
                cut, cut.plane, with: [zbar] + decoders.filter { $0.engine == .zxing }, attempt: DecodeAttempt.cropped)
        }
    }

    private func readFlattened(_ state: inout DecodeState) {
        for cut in state.cuts {
            if let plane = cut.plane.stretched {
                state.scan(cut, plane, with: decoders, attempt: DecodeAttempt.flattened)
            }
        }
    }

    private func evened(_ state: inout DecodeState) {
        guard !state.cuts.isEmpty, let (plane, factor) = state.plane(of: Self.fallbackPixels),
            let even = plane.evened(clip: 3)
        else { return }
        state.scan(even, with: zbar, attempt: DecodeAttempt.evened) { $0.scaled(by: 1 / factor) }
    }

    private func averaged(_ state: inout DecodeState) {
        for cut in state.cuts {
            guard let plane = cut.plane.banded?.stretched else { continue }
            state.scan(cut, plane, with: decoders, attempt: DecodeAttempt.averaged)
        }
    }

    private func deblurred(_ state: inout DecodeState) {
        for cut in state.cuts {
            guard let plane = cut.plane.unsharp(sigma: 3, amount: 2) else { continue }
            state.scan(cut, plane, with: Array(decoders.prefix(1)), attempt: DecodeAttempt.deblurred)
        }
    }

    /// Handles crops and thumbnails, whose bars are one or two pixels wide. Decoders do not interpolate between
    /// pixels.
    private func enlarged(_ state: inout DecodeState) {
        let (width, height) = (state.plane.width, state.plane.height)
        guard width * height <= Self.smallPixels, let large = state.plane.scaled(by: 3) else { return }
        let home = { (point: Point) in point.scaled(by: 1.0 / 3) }
        let whole: [any SymbolScanner] = [zbar] + decoders.filter { $0.engine == .zxing }
        for decoder in whole { state.scan(large, with: decoder, attempt: DecodeAttempt.enlarged, home: home) }
        // All sharpenings count as one view, because they lead to the same misreadings.
        for (sigma, amount) in Self.sharpenings {
            guard let sharp = large.unsharp(sigma: sigma, amount: amount) else { continue }
            for decoder in whole { state.scan(sharp, with: decoder, attempt: DecodeAttempt.sharpened, home: home) }
        }
    }

    private func inverted(_ state: inout DecodeState) {
        for cut in state.cuts {
            state.scan(cut, cut.plane.inverted, with: decoders, attempt: DecodeAttempt.inverted)
            guard let flat = cut.plane.stretched?.inverted else { continue }
            state.scan(cut, flat, with: decoders, attempt: DecodeAttempt.invertedFlattened)
        }
    }

    private func upscaled(_ state: inout DecodeState) {
        guard !state.cuts.isEmpty, let thorough, let (plane, factor) = state.plane(of: Self.fallbackPixels / 2),
            let large = plane.evened(clip: 3)?.scaled(by: 2)
        else { return }
        state.scan(large, with: thorough, attempt: DecodeAttempt.upscaled) { $0.scaled(by: 1 / (2 * factor)) }
    }

    /// Compares bars that nothing read, or read in doubt, with those of every number.
    private func fitted(_ state: inout DecodeState) {
        let isRetail = { (evidence: SymbolEvidence) in evidence.symbol.gtin != nil }
        guard !state.cuts.isEmpty || state.collector.all.contains(where: isRetail),
            // Bars of another kind that one decoder read on several views are not a retail code.
            state.collector.accepted(isLast: true).allSatisfy({ isRetail($0.evidence) }),
            let (plane, factor) = state.plane(of: Self.quickPixels)
        else { return }
        state.fit(on: plane, factor: factor, patches: Self.fittedPatches, tries: Self.mostFits)
    }

    /// Looks for QR codes that are out of focus, and for those of one or two pixels a module: to read them, or to say that
    /// they are there.
    private func refocused(_ state: inout DecodeState) {
        for (pixels, times, sigma) in [(Self.fallbackPixels, 1.0, 2.0), (Self.fallbackPixels / 2, 3.0, 3.0)] {
            guard let thorough, state.collector.accepted(isLast: true).isEmpty, state.broken.isEmpty,
                let (plane, factor) = state.plane(of: pixels), let large = times > 1 ? plane.scaled(by: times) : plane,
                let sharp = large.unsharp(sigma: sigma, amount: 3)
            else { continue }
            state.add(thorough.matrices(in: sharp), by: .zxing, attempt: DecodeAttempt.deblurred) {
                $0.scaled(by: 1 / (factor * times))
            }
        }
    }

    private var decoders: [any SymbolScanner] {
        var decoders: [any SymbolScanner] = [upright]
        if let quick { decoders.insert(quick, at: 0) }
        return decoders
    }
}

extension BarcodeDecodeAttempts {
    /// The accepted codes with calibrated confidence, else doubtful and unread codes.
    private func findings(_ state: DecodeState) -> BarcodeFindings {
        let accepted = state.collector.accepted(isLast: true)
        var findings = BarcodeFindings()
        findings.readings = accepted.map { evidence, reason in
            var reading = evidence.reading(
                on: state.plane,
                confidence: calibration.probability(evidence.symbol.symbology.errorCheck, reason))
            reading.addOn = addOn(beside: evidence, in: state.plane)
            return reading
        }.sorted { ($0.top, $0.left, $0.text) < ($1.top, $1.left, $1.text) }
        let names = Set(accepted.map(\.evidence.symbol.identity))
        let rival = calibration.probability(.digit, .rival)
        findings.doubtful = state.collector.all
            .filter { $0.rivalOf != nil || names.isEmpty }
            .filter { $0.symbol.gtin != nil && !names.contains($0.symbol.identity) }
            .sorted { $0.detections.count > $1.detections.count }
            .map { $0.reading(on: state.plane, confidence: $0.rivalOf == nil ? 0 : rival) }
        guard findings.readings.isEmpty else { return findings }
        findings.unread =
            state.broken.prefix(1).compactMap { UnreadBarcode(matrix: $0, in: state.plane) }
            + state.cuts.compactMap { UnreadBarcode(bars: $0, in: state.plane) }
        return findings
    }
}

extension BarcodeDecodeAttempts {
    /// The add-on beside a retail code, or nil. Only codes read on the unchanged picture are searched for one,
    /// because decoders read fewer codes when add-ons are enabled.
    private func addOn(beside evidence: SymbolEvidence, in plane: GrayPlane) -> String? {
        // ZBar reports UPC-E codes as EAN-13. If both decoders are installed, ZXing must have read the code too.
        guard evidence.firstAttempt == DecodeAttempt.plain, quick == nil || evidence.plainEngines.contains(.zxing),
            evidence.symbol.symbology.takesAddOns, let gtin = evidence.symbol.gtin,
            AddOnProbe(beside: evidence.outline.corners, in: plane)?.mayHaveAddOn == true
        else { return nil }
        let (xs, ys) = (evidence.points.map(\.x), evidence.points.map(\.y))
        let extent = max((xs.max() ?? 0) - (xs.min() ?? 0), (ys.max() ?? 0) - (ys.min() ?? 0))
        // Five digits take 47 modules beside the 95 of a code, at a distance of seven to twelve modules.
        let margin = Int(extent * 0.75) + 10
        guard let (part, _) = plane.part(around: evidence.points, margin: margin) else { return nil }
        guard let digits = quick?.addOn(of: gtin, in: part) ?? ZBarScanner.addOn(in: part) else { return nil }
        // Books carry five digits. Two digits pass their check by chance one time in four, so they are rejected for
        // books.
        let isBook = ["978", "979"].contains(gtin.digits.dropFirst().prefix(3))
        return isBook && digits.count != 5 ? nil : digits
    }
}

extension SymbolEvidence {
    var outline: Outline {
        symbol.symbology.isMatrix || isOutline ? Outline(corners: points) : Outline(around: points)
    }

    /// The symbol as a reading of the outcome, with its corners clamped to the plane.
    fileprivate func reading(on plane: GrayPlane, confidence: Double) -> BarcodeReading {
        return BarcodeReading(
            format: symbol.symbology.rawValue, text: symbol.text, gtin: symbol.gtin?.digits, confidence: confidence,
            corners: outline.corners.map {
                Point(min(max($0.x, 0), Double(plane.width)), min(max($0.y, 0), Double(plane.height)))
            }, rescue: firstAttempt, isGS1: symbol.isGS1 ? true : nil)
    }
}

extension BarcodeReading {
    fileprivate var top: Double { corners.map(\.y).min() ?? 0 }
    fileprivate var left: Double { corners.map(\.x).min() ?? 0 }
}

extension BarcodeDecodeAttempts {
    /// ZBar's version. ZBar is always linked.
    package static var zbarVersion: String { ZBarScanner.version }

    /// Versions of the decoders, as the outcome reports them.
    package var version: String {
        ([ZBarScanner.version] + (quick.map { [$0.library.version] } ?? [])).joined(separator: ", ")
    }
}
