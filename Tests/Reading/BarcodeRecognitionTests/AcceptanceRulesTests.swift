import Testing
import Core

@testable import BarcodeRecognition

struct AcceptanceRulesTests {
    private func symbol(_ symbology: Symbology, _ text: String, lines: Int = 20) -> ScannedSymbol {
        ScannedSymbol(symbology: symbology, text: text, points: [], agreeingLines: lines)
    }

    @Test("Only retail codes carry a GTIN, each in its own spelling")
    func gtins() {
        #expect(symbol(.ean13, "9520100001017").gtin?.digits == "09520100001017")
        #expect(symbol(.upcE, "04252614").gtin?.digits == "00042100005264")
        #expect(symbol(.dataBar, "0109506000134352").gtin?.digits == "09506000134352")
        #expect(symbol(.dataBarExpanded, "010950600013435217271231").gtin?.digits == "09506000134352")
        #expect(symbol(.code128, "9520100001017").gtin == nil)
        #expect(symbol(.qrCode, "9520100001017").gtin == nil)
    }

    @Test("A retail code with a wrong check digit and an empty code are rejected")
    func implausible() {
        #expect(!symbol(.ean13, "9520100001018").isPlausible)
        #expect(!symbol(.ean8, "95201017").isPlausible)
        #expect(!symbol(.code39, "").isPlausible)
        #expect(symbol(.ean13, "9520100001017").isPlausible)
        #expect(symbol(.itf, "123456").isPlausible)
    }

    private func evidence(_ symbology: Symbology, _ text: String, _ detections: [(Detection.Engine, String)])
        -> SymbolEvidence
    {
        SymbolEvidence(
            symbol: symbol(symbology, text), firstAttempt: detections.first?.1 ?? "", points: [], isOutline: true,
            detections: Set(detections.map { Detection(engine: $0.0, view: $0.1) }))
    }

    private let rules = AcceptanceRules(hasTwoDecoders: true)

    @Test("An EAN-8 that is read on distorted views alone needs a fit of its bars")
    func shortCode() {
        let views = ["cropped", "flattened", "evened"].flatMap { [(Detection.Engine.zxing, $0), (.zbar, $0)] }
        var distorted = evidence(.ean8, "95201016", views)
        #expect(rules.acceptance(of: distorted, rivals: 0, isLast: true) == nil)
        distorted.margin = 0.5
        #expect(rules.acceptance(of: distorted, rivals: 0, isLast: true) == .fittedNarrowly)
        let plain = evidence(.ean8, "95201016", views + [(.zbar, "none")])
        #expect(rules.acceptance(of: plain, rivals: 0, isLast: false) == .bothDecoders)
    }

    @Test("A retail code that both decoders read is accepted, a single detection is not")
    func agreement() {
        let both = evidence(.ean13, "9520100001017", [(.zxing, "none"), (.zbar, "cropped")])
        #expect(rules.acceptance(of: both, rivals: 3, isLast: false) == .bothDecoders)
        for engine in [Detection.Engine.zbar, .zxing] {
            let one = evidence(.ean13, "9520100001017", [(engine, "none")])
            #expect(rules.acceptance(of: one, rivals: 0, isLast: true) == nil)
        }
    }

    @Test("One decoder on several views is accepted at the end, unless another number has nearly as many views")
    func views() {
        let seen = evidence(.ean13, "9520100001017", [(.zxing, "none"), (.zxing, "cropped"), (.zxing, "deblurred")])
        #expect(rules.acceptance(of: seen, rivals: 0, isLast: false) == nil)
        #expect(rules.acceptance(of: seen, rivals: 0, isLast: true) == .severalViews)
        #expect(rules.acceptance(of: seen, rivals: 2, isLast: true) == nil)
    }

    @Test("Views of one decoder do not count for bars that match no template, two decoders do")
    func uncompared() {
        var seen = evidence(.ean13, "9520100001017", [(.zxing, "none"), (.zxing, "cropped"), (.zxing, "deblurred")])
        seen.doubt = BarDoubt()
        #expect(rules.acceptance(of: seen, rivals: 0, isLast: true) == nil)
        var both = evidence(.ean13, "9520100001017", [(.zxing, "none"), (.zbar, "cropped")])
        both.doubt = BarDoubt()
        #expect(rules.acceptance(of: both, rivals: 0, isLast: true) == .unproven)
    }

    @Test("Error correction proves a single reading")
    func corrected() {
        for kind in [Symbology.qrCode, .microQRCode, .rectangularMicroQRCode] {
            #expect(
                rules.acceptance(of: evidence(kind, "x", [(.zxing, "upscaled")]), rivals: 0, isLast: false) == .once)
        }
    }

    @Test("A short code without a check is rejected, and so is one with a contradicting text")
    func unguarded() {
        let short = evidence(.itf, "1234", [(.zxing, "none"), (.zbar, "none")])
        #expect(rules.acceptance(of: short, rivals: 0, isLast: true) == nil)
        let long = evidence(.itf, "30712345000010", [(.zxing, "none"), (.zbar, "none")])
        #expect(rules.acceptance(of: long, rivals: 0, isLast: false) == .bothDecoders)
        #expect(rules.acceptance(of: long, rivals: 1, isLast: false) == nil)
    }

    @Test("UPC-E in either decoder's spelling is one code")
    func identity() {
        #expect(symbol(.upcE, "04252614").identity == symbol(.ean13, "0042100005264").identity)
        #expect(symbol(.code128, "a").identity != symbol(.code39, "a").identity)
    }

    @Test("Formats have their common names")
    func names() {
        #expect(
            Symbology.allCases.map(\.rawValue) == [
                "EAN-8", "EAN-13", "UPC-A", "UPC-E", "ISBN-10", "ISBN-13", "ITF", "DataBar",
                "DataBar Expanded", "Codabar", "Code 39", "Code 93", "Code 128", "PDF417", "QR-Code", "SQ-Code",
                "Micro QR",
                "rMQR", "DataBar Limited", "Data Matrix",
            ])
    }
}
