import Testing
import Vocabulary

@testable import BarcodeRecognition

struct SymbolBeliefTests {
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

    @Test("A retail code with a wrong check digit and an empty one are not believed")
    func implausible() {
        #expect(!symbol(.ean13, "9520100001018").isPlausible)
        #expect(!symbol(.ean8, "95201017").isPlausible)
        #expect(!symbol(.code39, "").isPlausible)
        #expect(symbol(.ean13, "9520100001017").isPlausible)
        #expect(symbol(.itf, "123456").isPlausible)
    }

    @Test("The less a code guards itself, the more rescue steps must agree, and short unguarded ones never suffice")
    func rescueReadings() {
        #expect(symbol(.qrCode, "x").neededRescueReadings == 1)
        #expect(symbol(.ean13, "9520100001017").neededRescueReadings == 2)
        #expect(symbol(.itf, "1234567890").neededRescueReadings == 2)
        for symbology in [Symbology.itf, .codabar, .code39] {
            #expect(symbol(symbology, "123456").neededRescueReadings == nil)
        }
    }

    @Test("More agreeing scan lines make a code more certain, and a code that checks itself beats one that does not")
    func confidence() {
        #expect(symbol(.ean13, "9520100001017").confidence > symbol(.ean13, "9520100001017", lines: 4).confidence)
        #expect(symbol(.ean13, "9520100001017").confidence > symbol(.code39, "ABC").confidence)
    }

    @Test("Formats have the names that people know")
    func names() {
        #expect(
            Symbology.allCases.map(\.rawValue) == [
                "EAN-8", "EAN-13", "UPC-A", "UPC-E", "ISBN-10", "ISBN-13", "ITF", "DataBar",
                "DataBar Expanded", "Codabar", "Code 39", "Code 93", "Code 128", "PDF417", "QR-Code", "SQ-Code",
            ])
    }
}
