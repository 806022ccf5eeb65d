internal import CBarTemplates
import Core

/// What a fit must show. Short codes have less redundancy, and a part of a longer code looks like one.
struct FitRule {
    /// Largest share of the variance that the bars may leave unexplained.
    let mostUnexplained: Double
    /// Least margin if something else reads the same number.
    let leastMargin: Double
    /// Least of seven bands along the bars that must give the number by themselves.
    let leastAgreeing: Int32
    /// Largest standard deviation in the quiet zones, of the contrast. Half of a longer code has none.
    let mostQuiet: Double

    /// Least margin if nothing else reads the number. Three of 391 unseen photos gave a wrong EAN-13 with a margin of .21.
    var leastMarginAlone: Double { 1.5 * leastMargin }

    fileprivate var limits: tbar_limits { tbar_limits(unexplained: Float(mostUnexplained), margin: Float(leastMargin)) }

    /// Nil for codes without templates.
    static func of(_ symbology: Symbology) -> FitRule? {
        switch symbology {
        case .ean13, .upcA, .isbn13: FitRule(mostUnexplained: 0.15, leastMargin: 0.25, leastAgreeing: 3, mostQuiet: 0.3)
        case .ean8: FitRule(mostUnexplained: 0.1, leastMargin: 0.45, leastAgreeing: 4, mostQuiet: 0.15)
        case .upcE: FitRule(mostUnexplained: 0.05, leastMargin: 0.6, leastAgreeing: 4, mostQuiet: 0.15)
        default: nil
        }
    }
}

/// The number whose blurred bars explain a patch best, among all EAN-13 (and UPC-A), EAN-8 or UPC-E numbers.
///
/// Bars too blurred to have edges still differ from the bars of another number. How this is calculated, and why the
/// features below suffice to judge it, is described in `CBarTemplates.h` and docs/how/barcodes.md.
struct BarFit {
    let symbology: Symbology
    /// The digits as they are printed: 13, or 8 of an EAN-8 or a UPC-E.
    let digits: String
    /// Natural logarithm of how much larger the squared error of the second number is.
    let margin: Double
    /// The part of the patch that the bars take.
    let patch: BarPatch

    private let reading: tbar_reading

    /// Largest margin of a number with a wrong check digit over this one. Of 250 right fits on development photos and
    /// blurred ones none had more than 0; the wrong one had .249.
    private static let mostInvalid = 0.05
    /// What a fit must show if a frame line is in the quiet zones.
    private static let (mostFramed, leastFramedMargin, mostFramedUnexplained) = (Float(0.25), 0.75, Float(0.05))
    /// Least contrast inside the code, as a share of the largest: a template explains bars that are not there by bars
    /// without contrast. Of 400 right fits on development photos and blurred ones none had less than .31.
    private static let leastContrast = Float(0.2)
    /// Bands of seven along the bars that must fit at all.
    private static let leastBands = 4
    /// Blur and growth at the bounds of the fit mean that something else was fitted. Modules.
    private static let (mostBlur, mostGrowth) = (1.39, 0.59)

    /// The fit in a picture that is `factor` times as large.
    func scaled(by factor: Double) -> BarFit { BarFit(reading, patch: patch.scaled(by: factor)) }

    init(_ reading: tbar_reading, patch: BarPatch) {
        self.reading = reading
        self.patch = patch
        symbology = Self.symbology(ofPass: Int(reading.pass))
        digits = withUnsafeBytes(of: reading.digits) { digits in
            digits.prefix(Int(reading.count)).map { String($0) }.joined()
        }
        margin = Double(reading.margin)
    }

    /// What a pass looks for.
    private static func symbology(ofPass pass: Int) -> Symbology {
        switch tbar_pass(UInt32(pass)) {
        case TBAR_EAN8: .ean8
        case TBAR_UPCE: .upcE
        default: .ean13
        }
    }

    /// The limits of each pass: a fit that keeps them ends the search.
    fileprivate static let limits = (0..<Int(TBAR_PASSES.rawValue)).map {
        FitRule.of(symbology(ofPass: $0))?.limits ?? tbar_limits()
    }

    /// True if one line at each end, as of a frame, is all that disturbs the quiet zones of an EAN-13.
    private var isFramed: Bool {
        symbology == .ean13 && reading.framed <= Self.mostFramed && margin >= Self.leastFramedMargin
            && reading.unexplained <= Self.mostFramedUnexplained
    }

    /// True if the fit stands, given that something else reads the number or that the margin suffices alone.
    ///
    /// The bounds were chosen on the development photos of docs/measurements/barcodes.md.
    var isPlausible: Bool {
        guard let rule = FitRule.of(symbology) else { return false }
        return Double(reading.unexplained) <= rule.mostUnexplained && margin >= rule.leastMargin
            && reading.bands >= Self.leastBands && reading.agreeing >= rule.leastAgreeing
            && Double(reading.invalid) <= Self.mostInvalid && (Double(reading.quiet) <= rule.mostQuiet || isFramed)
            && reading.contrast >= Self.leastContrast && Double(reading.blur) < Self.mostBlur
            && abs(Double(reading.growth)) < Self.mostGrowth
    }
}

/// Fits the templates of numbers to patches of bars.
struct BarTemplates {
    /// Pixels of a patch that is fitted; a code takes two thirds of its width.
    private static let (width, heights) = (620, Int(TBAR_LEAST_HEIGHT)...Int(TBAR_MOST_HEIGHT))
    /// Share of the located length that is added at both ends, for quiet zones and bars that were not located.
    private static let margin = 0.24
    /// Share of the located height that is used: the ends of the bars are often covered by print.
    private static let usedHeight = 0.77

    /// The fits of a patch, one for each pass. Nil if the patch does not look like bars, or if memory runs out.
    func fits(of patch: BarPatch, in plane: GrayPlane) -> [BarFit]? {
        guard patch.length >= 20, patch.height >= 2 else { return nil }
        let wide = patch.widened(by: Self.margin, height: Self.usedHeight)
        guard let image = wide.smoothCut(from: plane, width: Self.width, heights: Self.heights) else { return nil }
        let inset = Double(Self.width) * Self.margin / (1 + 2 * Self.margin)
        return Self.read(image, from: inset, to: Double(Self.width) - inset)?.map { reading in
            let (from, to) = (Double(reading.from) / Double(Self.width), Double(reading.to) / Double(Self.width))
            return BarFit(reading, patch: wide.part(from: min(from, to), to: max(from, to)))
        }
    }

    private static func read(_ image: GrayPlane, from: Double, to: Double) -> [tbar_reading]? {
        var readings = [tbar_reading](repeating: tbar_reading(), count: Int(TBAR_MOST_READINGS))
        var count: Int32 = 0
        let status = withWorkspace { workspace, size in
            image.bytes.withUnsafeBufferPointer {
                tbar_read(
                    $0.baseAddress, Int32(image.width), Int32(image.height), Float(from), Float(to), BarFit.limits,
                    workspace, size, &readings, &count)
            }
        }
        guard Int(status) == TBAR_OK else { return nil }
        return Array(readings.prefix(Int(count)))
    }

    private static func withWorkspace<Result>(_ body: (UnsafeMutableRawPointer, Int64) -> Result) -> Result {
        let size = tbar_workspace_size()
        let workspace = UnsafeMutableRawPointer.allocate(byteCount: Int(size), alignment: 64)
        defer { workspace.deallocate() }
        return body(workspace, size)
    }
}

/// What the bars say about the number that the decoders read there.
///
/// Two decoders agree on a wrong number if two digits are damaged so that the check digit is right again. Damage seldom
/// replaces bars completely: their brightness, or a part of their height, is that of the true digits.
struct BarDoubt {
    private let doubt: tbar_doubt

    /// Least mixture of another number that counts as damage. Of 237 right codes of development photos 5 % have more, of
    /// 198 drawn codes with two damaged digits 99 %.
    private static let (leastMixture, leastInBand) = (Float(0.13), Float(0.3))
    /// - Parameter doubt: without bands if the bars cannot be compared with templates: they lean or bend too much.
    init(_ doubt: tbar_doubt = tbar_doubt()) { self.doubt = doubt }

    /// True if two digits look like a mixture of the number's and others.
    var isMixed: Bool { doubt.bands > 0 && (doubt.mixture >= Self.leastMixture || doubt.band >= Self.leastInBand) }
    /// Least bands of 15 that show the bars of twelve digits; how far their edges lie from the number's, modules, and by how
    /// much the digits differ in width, if the bars are not of it. Of 140 right codes of development photos none had more
    /// than .144 and .081; wrong reads at bars of another number or of none had .23 and more. Edges anywhere between the
    /// modules have .29.
    private static let (leastSeen, leastMisplaced, leastUneven) = (Int32(5), Float(0.2), Float(0.09))

    /// True if all bars are seen, but not where the number's are: decoders round each digit by itself.
    var isMisplaced: Bool {
        doubt.seen >= Self.leastSeen
            && (doubt.misplacement >= Self.leastMisplaced || doubt.unevenness >= Self.leastUneven)
    }
    /// True if some band shows bars like the number's, or all its edges where they belong.
    var isCompared: Bool { doubt.bands > 0 || doubt.seen >= Self.leastSeen && !isMisplaced }
    /// True if the bars are those of the number.
    var isConfirmed: Bool { doubt.is_confirmed != 0 }
    /// The 13 digits of the number of which most is mixed in.
    var rival: String { withUnsafeBytes(of: doubt.rival) { $0.map { String($0) }.joined() } }
}

extension BarTemplates {
    /// Pixels of a patch that is compared with one number.
    private static let (checkedWidth, checkedHeights) = (320, 15...190)
    /// Added at both ends, as a share of the length. Least height as a share of the length: decoders outline the few lines
    /// that they read, but damage may end above or below them.
    private static let (checkedMargin, checkedHeight) = (0.1, 0.7)

    /// Compares the bars with those of the number that was read there.
    func doubt(_ number: GTIN, at corners: [Point], in plane: GrayPlane) -> BarDoubt {
        var doubt = tbar_doubt()
        guard number.number < 10_000_000_000_000, let bars = BarPatch(corners: corners), bars.length >= 20,
            let image = bars.widened(by: Self.checkedMargin, height: 0.9).raised(
                to: Self.checkedHeight / (1 + 2 * Self.checkedMargin)
            ).smoothCut(from: plane, width: Self.checkedWidth, heights: Self.checkedHeights)
        else { return BarDoubt() }
        let digits = number.digits.utf8.dropFirst().map { Int8($0 - UInt8(ascii: "0")) }
        let inset = Double(Self.checkedWidth) * Self.checkedMargin / (1 + 2 * Self.checkedMargin)
        _ = Self.withWorkspace { workspace, size in
            image.bytes.withUnsafeBufferPointer {
                tbar_check(
                    $0.baseAddress, Int32(image.width), Int32(image.height), Float(inset),
                    Float(Double(Self.checkedWidth) - inset), digits, workspace, size, &doubt)
            }
        }
        return BarDoubt(doubt)
    }
}
