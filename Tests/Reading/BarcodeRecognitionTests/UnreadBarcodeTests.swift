import TestSupport
import Testing
import Core

@testable import BarcodeRecognition

/// What is said of codes that were seen but not read.
struct UnreadBarcodeTests {
    private func findings(in plane: GrayPlane) throws -> BarcodeFindings {
        let models = ModelFolder(Repository.models)
        let reader = BarcodeDecodeAttempts(
            zxing: ZXingLibrary(models: models), calibration: try BarcodeCalibration(models: models))
        return reader.read(
            try #require(Raster(width: plane.width, height: plane.height, format: .gray8, bytes: plane.bytes)))
    }

    @Test(
        "Bars are too small or blurred, by so many pixels a module and an edge",
        arguments: [(1.0, 0.9, UnreadBarcode.Reason.tooSmall), (3.0, 0.7, .blurred), (4.0, 0.6, .blurred)])
    func bars(module: Double, blur: Double, reason: UnreadBarcode.Reason) throws {
        // A wrong check digit: whatever the fit makes of the bars is no number.
        let plane = try #require(BlurredDrawing(digits: "4006381333938", module: module, blur: blur).plane)
        let findings = try findings(in: plane)
        #expect(findings.readings.isEmpty)
        let unread = try #require(findings.unread.first)
        #expect(unread.reason == reason && unread.format == nil, "\(unread)")
        let (size, edge) = (try #require(unread.modulePixels), try #require(unread.edgePixels))
        #expect(abs(size / module - 1) < 0.25, "\(unread)")
        // An edge of a Gaussian blur rises from 10 to 90 % over 2.56 sigma.
        if reason == .blurred { #expect((0.5...1.7).contains(edge / (2.56 * blur * module)), "\(unread)") }
    }

    @Test("A QR code that is seen but cannot be decoded is named with its size", arguments: [0.0, 1.4])
    func matrix(blur: Double) throws {
        guard ZXingLibrary(models: ModelFolder(Repository.models)) != nil else { return }
        var canvas = Canvas(width: 320, height: 320)
        var state: UInt64 = 9
        for row in 0..<25 {
            for column in 0..<25 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                guard Self.isBlack(row, column) ?? (state >> 63 == 0) else { continue }
                for y in 0..<8 { for x in 0..<8 { canvas.pixels[(60 + row * 8 + y) * 320 + 60 + column * 8 + x] = 0 } }
            }
        }
        let sharp = try #require(canvas.raster.flatMap { GrayPlane($0) })
        let plane = blur > 0 ? try #require(sharp.unsharp(sigma: blur * 8 / 2, amount: -1)) : sharp
        let findings = try findings(in: plane)
        #expect(findings.readings.isEmpty)
        let unread = try #require(findings.unread.first { $0.format == "QR-Code" })
        #expect(unread.reason == (blur > 0 ? .blurred : .damaged), "\(unread)")
        #expect(try abs(#require(unread.modulePixels) - 8) < 2, "\(unread)")
    }

    /// The finder and timing patterns of version 2; nil for data.
    private static func isBlack(_ row: Int, _ column: Int) -> Bool? {
        for (top, left) in [(0, 0), (0, 18), (18, 0)] {
            let (y, x) = (row - top, column - left)
            guard (-1...7).contains(y), (-1...7).contains(x) else { continue }
            let ring = max(abs(y - 3), abs(x - 3))
            return ring == 3 || ring <= 1
        }
        if abs(row - 18) <= 2, abs(column - 18) <= 2 { return max(abs(row - 18), abs(column - 18)) != 1 }
        return row == 6 || column == 6 ? (row + column).isMultiple(of: 2) : nil
    }
}
