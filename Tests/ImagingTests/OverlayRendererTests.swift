import Foundation
import Testing
import Vocabulary

@testable import Imaging

@Suite struct OverlayRendererTests {
    private func image(enlargement: Double = 1) throws -> DecodedImage {
        let raster = try #require(
            Raster(width: 400, height: 200, format: .rgb8, bytes: [UInt8](repeating: 255, count: 240_000)))
        return DecodedImage(
            raster: raster, facts: .init(format: "png", width: 400, height: 200, orientation: 1),
            enlargement: enlargement, shortfall: nil)
    }

    private func pixel(_ raster: Raster, _ x: Int, _ y: Int) -> [UInt8] {
        let at = (y * raster.width + x) * 3
        return Array(raster.bytes[at..<at + 3])
    }

    @Test func `an outline is drawn where it lies, in its colour`() throws {
        let mark = OverlayMark(
            outline: Quad(x: 100, y: 50, width: 200, height: 100).corners, meaning: .danger, caption: "")
        let png = try OverlayRenderer().png(of: try image(), marks: [mark], maximumSide: 1600)
        let drawn = try ImageDecoder().decode(png).raster
        // A thin line is smoothed: nearly the colour of danger, (215, 38, 38).
        let line = pixel(drawn, 200, 50)
        #expect(line[0] > 190 && line[1] < 90 && line[2] < 90)
        #expect(pixel(drawn, 200, 100) == [255, 255, 255])
    }

    @Test func `marks follow the picture when it is made smaller`() throws {
        let mark = OverlayMark(
            outline: Quad(x: 200, y: 100, width: 400, height: 200).corners, meaning: .danger, caption: "")
        // The raster is half of the whole photo, the overlay half of the raster.
        let png = try OverlayRenderer().png(of: try image(enlargement: 2), marks: [mark], maximumSide: 200)
        let drawn = try ImageDecoder().decode(png).raster
        #expect(drawn.width == 200)
        #expect(pixel(drawn, 100, 25) != [255, 255, 255])
    }

    @Test func `a caption stays inside, however long and wherever`() throws {
        let mark = OverlayMark(
            outline: Quad(x: 390, y: 1, width: 5, height: 5).corners, meaning: .warning,
            caption: String(repeating: "Käsespätzle ", count: 30))
        let png = try OverlayRenderer().png(of: try image(), marks: [mark], maximumSide: 1600)
        #expect(try ImageDecoder().decode(png).raster.width == 400)
    }

    @Test func `letters that OpenCV has not are folded`() {
        #expect(OverlayRenderer.ascii("Käse, Soße, 3 €") == "Kase, Sosse, 3 EUR ")
    }
}
