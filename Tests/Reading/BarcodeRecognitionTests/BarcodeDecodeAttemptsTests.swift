import Foundation
import TestSupport
import Testing
import Core

@testable import BarcodeRecognition

/// With both decoders if ZXing-C++ is built (scripts/setup), else with ZBar alone. Only inverted bars need both.
struct BarcodeDecodeAttemptsTests {
    private let reader: BarcodeDecodeAttempts

    init() throws {
        let models = ModelFolder(Repository.models)
        reader = BarcodeDecodeAttempts(
            zxing: ZXingLibrary(models: models), calibration: try BarcodeCalibration(models: models))
    }

    /// An EAN-13 at (60, 40), 285 × 100 pixels large.
    private func canvas(_ digits: String = "9520100001017", ink: UInt8 = 0, paper: UInt8 = 255) -> Canvas {
        var canvas = Canvas(width: 400, height: 200, fill: paper)
        canvas.draw(EANDrawing(digits), x: 60, y: 40, module: 3, barHeight: 100, ink: ink, paper: paper)
        return canvas
    }

    @Test(
        "A drawn code is read with its format and its 14-digit number",
        arguments: [
            ("9520100001017", "EAN-13", "09520100001017"), ("4006381333931", "EAN-13", "04006381333931"),
            ("0737628064502", "EAN-13", "00737628064502"), ("95201016", "EAN-8", "00000095201016"),
        ])
    func drawn(digits: String, format: String, gtin: String) throws {
        let readings = try reader.read(#require(canvas(digits).raster)).readings
        #expect(readings.map(\.format) == [format])
        #expect(readings.map(\.text) == [digits])
        #expect(readings.map(\.gtin) == [gtin])
        #expect(readings.map(\.rescue) == ["none"])
        #expect(readings.allSatisfy { (0.85...1).contains($0.confidence) })
    }

    @Test(
        "An add-on of two or five digits is reported at any rotation and does not change the code",
        arguments: [("9780306406157", "51999"), ("4006381333931", "07"), ("9771234567003", "12")])
    func addOn(code: String, digits: String) throws {
        var canvas = Canvas(width: 560, height: 200)
        canvas.draw(EANDrawing(code), x: 60, y: 40, module: 3, barHeight: 100)
        canvas.draw(EANDrawing(addOn: digits), x: 60 + (95 + 9) * 3, y: 60, module: 3, barHeight: 80)
        for picture in [canvas, canvas.rotated] {
            let readings = try reader.read(#require(picture.raster)).readings
            #expect(readings.map(\.text) == [code])
            #expect(readings.map(\.addOn) == [digits])
        }
        #expect(try reader.read(#require(self.canvas().raster)).readings.map(\.addOn) == [nil])
    }

    @Test("A colour picture is read like a gray one")
    func colour() throws {
        #expect(try reader.read(#require(canvas().colourRaster)).readings.map(\.text) == ["9520100001017"])
    }

    @Test("The corners enclose the bars, clockwise from the top-left")
    func corners() throws {
        let raster = try #require(canvas().raster)
        let reading = try #require(reader.read(raster).readings.first)
        let expected = [Point(60, 40), Point(345, 40), Point(345, 140), Point(60, 140)]
        try #require(reading.corners.count == 4)
        for (corner, bar) in zip(reading.corners, expected) {
            #expect(abs(corner.x - bar.x) <= 6 && abs(corner.y - bar.y) <= 6, "\(reading.corners)")
        }
    }

    @Test("A code is read at every quarter turn, and its corners rotate with it")
    func quarterTurns() throws {
        var canvas = canvas()
        for _ in 0..<4 {
            canvas = canvas.rotated
            let readings = try reader.read(#require(canvas.raster)).readings
            #expect(readings.map(\.text) == ["9520100001017"])
            let corners = readings.flatMap(\.corners)
            let width = (corners.map(\.x).max() ?? 0) - (corners.map(\.x).min() ?? 0)
            #expect(abs(width - (canvas.width > canvas.height ? 285 : 100)) <= 12)
        }
    }

    @Test("Two codes in one picture are both read, ordered from the top down")
    func two() throws {
        var canvas = Canvas(width: 400, height: 400)
        canvas.draw(EANDrawing("9520100001024"), x: 60, y: 40, module: 3, barHeight: 100)
        canvas.draw(EANDrawing("95201016"), x: 60, y: 240, module: 3, barHeight: 100)
        #expect(try reader.read(#require(canvas.raster)).readings.map(\.text) == ["9520100001024", "95201016"])
    }

    @Test("Low bars in a tall picture are read in some of its rows, with their corners", arguments: [300, 777, 1501])
    func tall(top: Int) throws {
        var canvas = Canvas(width: 400, height: 2000)
        canvas.draw(EANDrawing("9520100001017"), x: 60, y: top, module: 3, barHeight: 40)
        let raster = try #require(canvas.raster)
        let reading = try #require(reader.read(raster).readings.first)
        #expect(reading.text == "9520100001017" && reading.rescue == DecodeAttempt.plain)
        let (first, last) = (reading.corners.map(\.y).min() ?? 0, reading.corners.map(\.y).max() ?? 0)
        #expect(abs(first - Double(top)) < 20 && abs(last - Double(top + 40)) < 20, "\(reading.corners)")
    }

    @Test("A code with a wrong check digit is not read")
    func wrongCheckDigit() throws {
        #expect(try reader.read(#require(canvas("9520100001018").raster)).readings.isEmpty)
    }

    @Test("Bars between the guards of a code are none if their digits are not equally wide", arguments: [2, 3])
    func uneven(module: Int) throws {
        var canvas = Canvas(width: 560, height: 200)
        var x = 60
        for (index, black) in EANDrawing("4006381333931").modules.enumerated() {
            let inside = index < 45 ? index - 3 : index - 50
            let isWide = (3..<45).contains(index) != (50..<92).contains(index) && (inside / 7).isMultiple(of: 2)
            let width = isWide ? module + 1 : module
            for y in 40..<140 where black { for column in x..<x + width { canvas.pixels[y * 560 + column] = 0 } }
            x += width
        }
        #expect(try reader.read(#require(canvas.raster)).readings.isEmpty)
    }

    @Test("A code at 45° is read by a fallback attempt, which is reported with its location")
    func slanted() throws {
        let raster = try #require(canvas().rotatedBy45Degrees.raster)
        let reading = try #require(reader.read(raster).readings.first)
        #expect(reading.text == "9520100001017")
        #expect(reading.rescue == DecodeAttempt.cropped)
        // The bars' centre is 2.5 right of and 10 above the picture's centre, and rotates with it by 45°.
        let middle = reading.corners.reduce(Point(0, 0)) { Point($0.x + $1.x / 4, $0.y + $1.y / 4) }
        #expect(abs(middle.x - (Double(raster.width) / 2 + (2.5 + 10) * 0.5.squareRoot())) < 15, "\(middle)")
        #expect(abs(middle.y - (Double(raster.height) / 2 + (2.5 - 10) * 0.5.squareRoot())) < 15, "\(middle)")
    }

    @Test("White bars on black are read by a fallback attempt")
    func inverted() throws {
        let readings = try reader.read(#require(canvas(ink: 255, paper: 0).raster)).readings
        #expect(readings.map(\.text) == ["9520100001017"])
        #expect(readings.map(\.rescue) == [DecodeAttempt.inverted])
    }

    @Test("A blank picture, a single pixel and a single row contain no code")
    func blank() throws {
        for (width, height) in [(300, 200), (1, 1), (500, 1), (1, 500)] {
            #expect(try reader.read(#require(Canvas(width: width, height: height).raster)).readings.isEmpty)
        }
    }

    @Test("Noise contains no code", arguments: 1...3 as ClosedRange<UInt64>)
    func noise(seed: UInt64) throws {
        var canvas = Canvas(width: 200, height: 150)
        var state = seed
        for index in canvas.pixels.indices {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            canvas.pixels[index] = UInt8(truncatingIfNeeded: state >> 56)
        }
        #expect(try reader.read(#require(canvas.raster)).readings.isEmpty)
    }

    @Test("The result for a picture does not depend on earlier pictures")
    func repeatable() throws {
        let (one, other) = (try #require(canvas().raster), try #require(canvas("95201016").raster))
        let before = reader.read(one).readings
        _ = reader.read(other).readings
        #expect(reader.read(one).readings == before)
    }

    @Test("Without ZXing, ZBar alone reads a plain code")
    func alone() throws {
        let calibration = try BarcodeCalibration(models: ModelFolder(Repository.models))
        let findings = BarcodeDecodeAttempts(zxing: nil, calibration: calibration).read(try #require(canvas().raster))
        #expect(findings.readings.map(\.text) == ["9520100001017"])
    }

    @Test("A patch of bars may be a code, blurred or half covered, and one of print may not")
    func patches() throws {
        func mayBeCode(_ canvas: Canvas, blur: Double = 0) throws -> Bool {
            let plane = try #require(canvas.raster.flatMap { GrayPlane($0) })
            let seen = blur > 0 ? try #require(plane.unsharp(sigma: blur, amount: -1)) : plane
            return try #require(BarProfile(seen)).mayBeCode
        }
        var short = Canvas(width: 260, height: 96)
        short.draw(EANDrawing("95201016"), x: 28, y: 0, module: 3, barHeight: 96)
        #expect(try mayBeCode(short))
        #expect(try mayBeCode(short, blur: 2))
        // A hand covers all but the upper quarter.
        for index in (260 * 24)..<(260 * 96) { short.pixels[index] = 120 }
        #expect(try mayBeCode(short))
        // Lines of print: strokes of three pixels whose pattern changes with each line of 16 pixels.
        var print = Canvas(width: 800, height: 400)
        var state: UInt64 = 5
        for top in stride(from: 0, to: 400, by: 16) {
            for left in stride(from: 0, to: 800, by: 3) {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                guard state >> 62 == 0 else { continue }
                for y in top..<top + 9 { for x in left..<min(800, left + 3) { print.pixels[y * 800 + x] = 0 } }
            }
        }
        #expect(try !mayBeCode(print))
    }

    @Test("Bars too blurred to decode are reported with reason and location")
    func blurred() throws {
        let plane = try #require(canvas("9520100001017").raster.flatMap { GrayPlane($0) })
        let soft = try #require(plane.unsharp(sigma: 5, amount: -1))
        let raster = try #require(Raster(width: soft.width, height: soft.height, format: .gray8, bytes: soft.bytes))
        let findings = reader.read(raster)
        #expect(findings.readings.isEmpty)
        for unread in findings.unread { #expect(unread.reason == .blurred) }
    }
}
