import Core

/// Reads barcodes with two decoders, and tries harder step by step where what they see is not believed.
///
/// The first decoder to speak is the cheaper one, ZXing; ZBar then confirms on the code's own patch. Photos that either
/// reads as they are never pay for the rest. Without ZXing, ZBar is alone and its plain reading is taken.
public struct BarcodeLadder: BarcodeReader, Sendable {
    private let zbar = ZBarEngine()
    /// For cuts, whose bars stand upright.
    private let upright = ZBarEngine(lines: .rows)
    private let quick: ZXingEngine?
    private let thorough: ZXingEngine?
    private let calibration: BarcodeCalibration

    /// The quick look works on at most so many pixels.
    private static let quickPixels = 6_000_000.0
    /// Every later step on the whole picture works on at most so many: a photo without a code costs each of them.
    private static let rescuePixels = 600_000.0
    /// A picture of at most so many pixels is small.
    private static let smallPixels = 80_000
    /// For pictures three times as large: widths in pixels, and how much.
    private static let sharpenings = [(1.5, 2.0), (4.5, 3.0), (6.0, 4.0)]
    /// So many patches of bars are cut out.
    private static let patchLimit = 3

    /// - Parameter zxing: nil where the library is not installed.
    public init(zxing: ZXingLibrary?, calibration: BarcodeCalibration) {
        quick = zxing.map { ZXingEngine(library: $0, isThorough: false) }
        thorough = zxing.map { ZXingEngine(library: $0, isThorough: true) }
        self.calibration = calibration
    }

    /// What is believed; none where nothing is readable or memory ran out.
    public func read(_ raster: Raster) -> BarcodeFindings {
        guard let plane = GrayPlane(raster) else { return BarcodeFindings() }
        var climb = Climb(plane: plane, rules: BeliefRules(hasTwoDecoders: quick != nil))
        for step in steps {
            step(&climb)
            if !climb.box.believed(isLast: false).isEmpty { break }
        }
        return findings(climb)
    }

    /// The ladder, cheapest first.
    private var steps: [(inout Climb) -> Void] {
        [
            readPlain, searchPlain, readWithZBar, readCut, readFlattened,
            evened, averaged, deblurred, enlarged, inverted, upscaled,
        ]
    }

    private func readPlain(_ climb: inout Climb) {
        guard let quick, let (plane, factor) = climb.plane(of: Self.quickPixels) else { return }
        climb.look(at: plane, with: quick, step: RescueStep.plain) { $0.scaled(by: 1 / factor) }
        climb.confirm(on: plane, factor: factor)
    }

    private func searchPlain(_ climb: inout Climb) {
        guard let thorough, let (plane, factor) = climb.plane(of: Self.rescuePixels) else { return }
        climb.look(at: plane, with: thorough, step: RescueStep.plain) { $0.scaled(by: 1 / factor) }
        climb.confirm(on: plane, factor: factor)
    }

    private func readWithZBar(_ climb: inout Climb) {
        guard let (plane, factor) = climb.plane(of: Self.rescuePixels) else { return }
        climb.look(at: plane, with: zbar, step: RescueStep.plain) { $0.scaled(by: 1 / factor) }
    }

    private func readCut(_ climb: inout Climb) {
        climb.locate(limit: Self.patchLimit)
        // Here columns are looked at too: what was found by its gradients may be a part of the code that lies across it.
        for cut in climb.cuts {
            climb.look(
                at: cut, cut.plane, with: [zbar] + decoders.filter { $0.engine == .zxing }, step: RescueStep.cropped)
        }
    }

    private func readFlattened(_ climb: inout Climb) {
        for cut in climb.cuts {
            if let plane = cut.plane.stretched {
                climb.look(at: cut, plane, with: decoders, step: RescueStep.flattened)
            }
        }
    }

    private func evened(_ climb: inout Climb) {
        guard !climb.cuts.isEmpty, let (plane, factor) = climb.plane(of: Self.rescuePixels),
            let even = plane.evened(clip: 3)
        else { return }
        climb.look(at: even, with: zbar, step: RescueStep.evened) { $0.scaled(by: 1 / factor) }
    }

    private func averaged(_ climb: inout Climb) {
        for cut in climb.cuts {
            guard let plane = cut.plane.banded?.stretched else { continue }
            climb.look(at: cut, plane, with: decoders, step: RescueStep.averaged)
        }
    }

    private func deblurred(_ climb: inout Climb) {
        for cut in climb.cuts {
            guard let plane = cut.plane.unsharp(sigma: 3, amount: 2) else { continue }
            climb.look(at: cut, plane, with: Array(decoders.prefix(1)), step: RescueStep.deblurred)
        }
    }

    /// Crops and thumbnails: their bars are as wide as a pixel or two, which decoders do not look between.
    private func enlarged(_ climb: inout Climb) {
        let (width, height) = (climb.plane.width, climb.plane.height)
        guard width * height <= Self.smallPixels, let large = climb.plane.scaled(by: 3) else { return }
        let home = { (point: Point) in point.scaled(by: 1.0 / 3) }
        let whole: [any SymbolScanner] = [zbar] + decoders.filter { $0.engine == .zxing }
        for decoder in whole { climb.look(at: large, with: decoder, step: RescueStep.enlarged, home: home) }
        // However strong, these are one view: what they misread, they misread alike.
        for (sigma, amount) in Self.sharpenings {
            guard let sharp = large.unsharp(sigma: sigma, amount: amount) else { continue }
            for decoder in whole { climb.look(at: sharp, with: decoder, step: RescueStep.sharpened, home: home) }
        }
    }

    private func inverted(_ climb: inout Climb) {
        for cut in climb.cuts {
            climb.look(at: cut, cut.plane.inverted, with: decoders, step: RescueStep.inverted)
            guard let flat = cut.plane.stretched?.inverted else { continue }
            climb.look(at: cut, flat, with: decoders, step: RescueStep.invertedFlattened)
        }
    }

    private func upscaled(_ climb: inout Climb) {
        guard !climb.cuts.isEmpty, let thorough, let (plane, factor) = climb.plane(of: Self.rescuePixels / 2),
            let large = plane.evened(clip: 3)?.scaled(by: 2)
        else { return }
        climb.look(at: large, with: thorough, step: RescueStep.upscaled) { $0.scaled(by: 1 / (2 * factor)) }
    }

    private var decoders: [any SymbolScanner] {
        var decoders: [any SymbolScanner] = [upright]
        if let quick { decoders.insert(quick, at: 0) }
        return decoders
    }
}

extension BarcodeLadder {
    /// What the climb came to, with calibrated confidence.
    private func findings(_ climb: Climb) -> BarcodeFindings {
        let believed = climb.box.believed(isLast: true)
        var findings = BarcodeFindings()
        findings.readings = believed.map { evidence, belief in
            var reading = evidence.reading(
                on: climb.plane,
                confidence: calibration.probability(evidence.symbol.symbology.guardedBy, belief))
            reading.addOn = addOn(beside: evidence, in: climb.plane)
            return reading
        }.sorted { ($0.top, $0.left, $0.text) < ($1.top, $1.left, $1.text) }
        guard findings.readings.isEmpty else { return findings }
        findings.doubtful = climb.box.all.filter { $0.symbol.gtin != nil }
            .sorted { $0.sightings.count > $1.sightings.count }
            .map { $0.reading(on: climb.plane, confidence: 0) }
        findings.unread = climb.cuts.compactMap { UnreadBars(cut: $0, in: climb.plane)?.verdict }
        return findings
    }
}

extension BarcodeLadder {
    /// What stands beside a retail code that was read as it is: looked for there alone, for with add-ons wanted decoders read
    /// fewer codes.
    private func addOn(beside evidence: SymbolEvidence, in plane: GrayPlane) -> String? {
        // ZBar names UPC-E codes EAN-13: where both are there, ZXing must have read the code, too.
        guard evidence.step == RescueStep.plain, quick == nil || evidence.plainEngines.contains(.zxing),
            evidence.symbol.symbology.takesAddOns, let gtin = evidence.symbol.gtin,
            AddOnPlace(beside: evidence.outline.corners, in: plane)?.isPromising == true
        else { return nil }
        let (xs, ys) = (evidence.points.map(\.x), evidence.points.map(\.y))
        let extent = max((xs.max() ?? 0) - (xs.min() ?? 0), (ys.max() ?? 0) - (ys.min() ?? 0))
        // Five digits take 47 modules beside the 95 of a code, seven to twelve apart.
        let margin = Int(extent * 0.75) + 10
        guard let (part, _) = plane.part(around: evidence.points, margin: margin) else { return nil }
        guard let digits = quick?.addOn(of: gtin, in: part) ?? ZBarScanner.addOn(in: part) else { return nil }
        // Books carry five; two check each other one time in four, so none are taken where none can be.
        let isBook = ["978", "979"].contains(gtin.digits.dropFirst().prefix(3))
        return isBook && digits.count != 5 ? nil : digits
    }
}

extension SymbolEvidence {
    fileprivate var outline: Outline {
        symbol.symbology.isMatrix || isOutline ? Outline(corners: points) : Outline(around: points)
    }

    /// The symbol as outcomes have it, with its corners kept inside the plane.
    fileprivate func reading(on plane: GrayPlane, confidence: Double) -> BarcodeReading {
        return BarcodeReading(
            format: symbol.symbology.rawValue, text: symbol.text, gtin: symbol.gtin?.digits, confidence: confidence,
            corners: outline.corners.map {
                Point(min(max($0.x, 0), Double(plane.width)), min(max($0.y, 0), Double(plane.height)))
            }, rescue: step, isGS1: symbol.isGS1 ? true : nil)
    }
}

extension BarcodeReading {
    fileprivate var top: Double { corners.map(\.y).min() ?? 0 }
    fileprivate var left: Double { corners.map(\.x).min() ?? 0 }
}

extension BarcodeLadder {
    /// ZBar's version, which is always there.
    public static var zbarVersion: String { ZBarScanner.version }

    /// The decoders' versions, as outcomes carry them.
    public var version: String {
        ([ZBarScanner.version] + (quick.map { [$0.library.version] } ?? [])).joined(separator: ", ")
    }
}
