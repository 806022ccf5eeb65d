import CBarTemplates
import Foundation
import TestSupport
import Testing
import Core

@testable import BarcodeRecognition

/// Codes whose bars run into each other, and pictures that only look like codes.
struct BarTemplatesTests {
    /// The plausible fits of the patches in a plane.
    private func fits(in plane: GrayPlane) -> [BarFit] {
        BarPatch.find(in: plane, limit: 6, search: .thorough)
            .flatMap { BarTemplates().fits(of: $0, in: plane) ?? [] }.filter(\.isPlausible)
    }

    @Test(
        "Blurred bars of 1.3 to 2.4 pixels a module are read, also bent and rotated",
        arguments: [
            BlurredDrawing(module: 1.3, blur: 0.6), BlurredDrawing(digits: "9780306406157", module: 1.6, blur: 0.7),
            BlurredDrawing(digits: "0737628064502", module: 2.4, blur: 0.9),
            BlurredDrawing(module: 2, blur: 0.8, angle: 20), BlurredDrawing(module: 2, blur: 0.7, angle: -65),
            BlurredDrawing(digits: "8712100849084", module: 2.2, blur: 0.6, angle: 180),
            BlurredDrawing(module: 2.2, blur: 0.7, arc: 0.6),
            BlurredDrawing(module: 2.4, blur: 0.5, angle: 12, arc: 0.5),
            BlurredDrawing(module: 2, blur: 0.7, ink: 190, paper: 60),
            BlurredDrawing(digits: "95201016", module: 1.5, blur: 0.7),
            BlurredDrawing(digits: "40170725", module: 2.2, blur: 0.9, angle: 25),
            BlurredDrawing(digits: "04252614", isUPCE: true, module: 1.6, blur: 0.6),
            BlurredDrawing(digits: "01234565", isUPCE: true, module: 2.5, blur: 0.6, angle: 190),
            BlurredDrawing(frame: 2, module: 2, blur: 0.6), BlurredDrawing(frame: 5, module: 2.2, blur: 0.5, angle: 8),
        ])
    func blurred(drawing: BlurredDrawing) throws {
        let fits = fits(in: try #require(drawing.plane))
        #expect(Set(fits.map(\.digits)) == [drawing.digits])
        #expect(fits.allSatisfy { ($0.symbology == .upcE) == drawing.isUPCE })
        #expect(fits.contains { fit in FitRule.of(fit.symbology).map { fit.margin >= $0.leastMarginAlone } == true })
    }

    @Test("A part of a longer code is no short code", arguments: [0.4, 0.7], ["9780306406157", "4006381333931"])
    func part(blur: Double, digits: String) throws {
        for bars in [EANDrawing(digits).modules.prefix(50), EANDrawing(digits).modules.suffix(60)] {
            var canvas = Canvas(width: 420, height: 240)
            for (index, black) in bars.enumerated() where black {
                for y in 60..<180 { for x in 0..<3 { canvas.pixels[y * 420 + 90 + index * 3 + x] = 20 } }
            }
            let plane = try #require(canvas.raster.flatMap { GrayPlane($0) }?.unsharp(sigma: blur * 3, amount: -1))
            #expect(fits(in: plane).map(\.digits) == [])
        }
    }

    @Test("The fit lies on the bars")
    func place() throws {
        let plane = try #require(BlurredDrawing().plane)
        let corners = try #require(fits(in: plane).first).patch.corners
        let middle = Double(plane.width) / 2
        #expect(abs((corners.map(\.x).min() ?? 0) - (middle - 95)) < 6, "\(corners)")
        #expect(abs((corners.map(\.x).max() ?? 0) - (middle + 95)) < 6, "\(corners)")
    }

    @Test("Bars blurred beyond recognition give no number")
    func beyond() throws {
        for blur in [2.0, 3.0] {
            #expect(fits(in: try #require(BlurredDrawing(module: 2, blur: blur).plane)).isEmpty)
        }
    }

    @Test(
        "A digit that was printed or damaged to look like another gives no number",
        arguments: ["4006381333938", "4006381733931", "9780306806157", "0737628064002"])
    func wrongCheckDigit(digits: String) throws {
        for blur in [0.5, 0.8] {
            let plane = try #require(BlurredDrawing(digits: digits, module: 2.2, blur: blur).plane)
            #expect(fits(in: plane).map(\.digits) == [])
        }
    }

    @Test(
        "An EAN-8 with a wrong check digit is no EAN-13 whose outer bars are white on white",
        arguments: ["32841653", "95201017", "40170726", "55123451"])
    func shortCodeOnALabel(digits: String) throws {
        for (module, blur) in [(3, 0.8), (4, 1.2)] {
            let room = 7 * module
            var canvas = Canvas(width: 140 * module, height: 300, fill: 158)
            for y in 40..<260 {
                for x in 0..<67 * module + 2 * room { canvas.pixels[y * canvas.width + 29 * module + x] = 228 }
            }
            canvas.draw(
                EANDrawing(digits), x: 29 * module + room, y: 40 + room, module: module, barHeight: 220 - 2 * room,
                ink: 38, paper: 228)
            let plane = try #require(canvas.raster.flatMap { GrayPlane($0) }?.unsharp(sigma: blur, amount: -1))
            #expect(fits(in: plane).map(\.digits) == [], "\(module)")
        }
    }

    @Test(
        "Bars that are those of a number with a wrong check digit are no bent bars of another one",
        arguments: [("2614301751368", 1.3, 0.8), ("2614301751368", 1.3, 0.9), ("4006381333938", 1.1, 0.5)])
    func wrongCheckDigitOfSmallBars(digits: String, module: Double, blur: Double) throws {
        for (angle, arc) in [(0.0, 0.0), (8, 0), (0, 0.3), (8, 0.3)] {
            let drawing = BlurredDrawing(digits: digits, module: module, blur: blur, angle: angle, arc: arc)
            #expect(fits(in: try #require(drawing.plane)).map(\.digits) == [], "\(angle) \(arc)")
        }
    }

    @Test(
        "Bars that are mixed with those of another number are not taken for proof",
        arguments: [0.0, 0.2, 0.4], [(1.5, 0.0), (2.2, 3.0), (3.0, 180.0)])
    func mixture(share: Double, look: (module: Double, angle: Double)) throws {
        let (number, other) = ("4006381333931", "4006387133931")
        let plane = try #require(
            BlurredDrawing(
                digits: number, mixed: (other, share), module: look.module, blur: 0.5, angle: look.angle
            ).plane)
        let corners = outline(of: plane, module: look.module, angle: look.angle)
        let doubt = BarTemplates().doubt(try #require(GTIN(number)), at: corners, in: plane)
        #expect(doubt.isMixed == (share > 0))
        #expect(doubt.isConfirmed == (share == 0))
        if share > 0 { #expect(doubt.rival == other) }
        // The bars of another number prove nothing.
        #expect(!BarTemplates().doubt(try #require(GTIN("9780306406157")), at: corners, in: plane).isConfirmed)
    }

    @Test("Print at both ends of the bars does not outweigh what is seen between them")
    func printAtEnds() throws {
        let (number, other) = ("4006381333931", "4006387133931")
        let plane = try #require(
            BlurredDrawing(digits: number, mixed: (other, 0.3), shareAtEnds: -0.3, module: 2.2, blur: 0.5).plane)
        let doubt = BarTemplates().doubt(try #require(GTIN(number)), at: outline(of: plane, module: 2.2), in: plane)
        #expect(doubt.isMixed && !doubt.isConfirmed)
        #expect(doubt.rival == other)
    }

    @Test("Damage that leaves a strip of the true digits proves nothing, wherever the strip lies", arguments: 0..<11)
    func strip(index: Int) throws {
        let (read, printed) = ("4006381333931", "4006387133931")
        let top = -23 + 4 * Double(index)
        let plane = try #require(
            BlurredDrawing(digits: read, mixed: (printed, 0), strip: top..<top + 6, module: 2.2, blur: 0.5).plane)
        let doubt = BarTemplates().doubt(try #require(GTIN(read)), at: outline(of: plane, module: 2.2), in: plane)
        #expect(!doubt.isConfirmed, "\(doubt)")
    }

    @Test(
        "Bars between guards that are no digits are seen to lie beside the number's, whatever the bend",
        arguments: [(2.2, 0.0), (3.0, 0.0), (3.0, 0.5)])
    func misplaced(module: Double, arc: Double) throws {
        let number = "9780306406157"
        for (disorder, isMisplaced) in [(0.0, false), (0.1, false), (0.25, true), (0.4, true)] {
            let plane = try #require(
                BlurredDrawing(digits: number, disorder: disorder, module: module, blur: 0.25, arc: arc).plane)
            let doubt = BarTemplates().doubt(
                try #require(GTIN(number)), at: outline(of: plane, module: module), in: plane)
            #expect(doubt.isMisplaced == isMisplaced, "\(disorder) \(doubt)")
        }
    }

    /// Where decoders see the bars of a drawing.
    private func outline(of plane: GrayPlane, module: Double, angle: Double = 0) -> [Point] {
        let (cosine, sine) = (cos(angle * .pi / 180), sin(angle * .pi / 180))
        return [(-47.5, -5.0), (47.5, -5.0), (47.5, 5.0), (-47.5, 5.0)].map { along, across in
            Point(
                Double(plane.width) / 2 + module * (along * cosine - across * sine),
                Double(plane.height) / 2 + module * (along * sine + across * cosine))
        }
    }

    @Test("Other codes, stripes and print give no number", arguments: 0..<12)
    func falseBars(seed: Int) throws {
        var state = UInt64(seed) &* 77 &+ 5
        func next(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        var canvas = Canvas(width: 480, height: 240)
        switch seed % 3 {
        case 0:  // random digits between the guards of an EAN-8, in shapes of any parity
            let code = EANDrawing("95201016").modules
            let digits = EANDrawing(addOn: "\(10000 + next(90000))").modules.dropFirst(4)
            let bars = code.prefix(3) + digits.prefix(28) + code[31..<36] + digits.prefix(28) + code.suffix(3)
            for (index, black) in bars.enumerated() where black {
                for y in 40..<190 { for x in 0..<4 { canvas.pixels[y * 480 + 90 + index * 4 + x] = 20 } }
            }
        case 1:  // random bars of one to four modules
            var x = 60
            while x < 420 {
                let (bar, gap) = (3 * (1 + next(4)), 3 * (1 + next(4)))
                for y in 40..<200 { for column in x..<min(420, x + bar) { canvas.pixels[y * 480 + column] = 20 } }
                x += bar + gap
            }
        default:  // lines of print
            for top in stride(from: 20, to: 220, by: 18) {
                for left in stride(from: 20, to: 460, by: 4) where next(2) == 0 {
                    for y in top..<top + 10 { for x in left..<left + 3 { canvas.pixels[y * 480 + x] = 30 } }
                }
            }
        }
        let plane = try #require(canvas.raster.flatMap { GrayPlane($0) }?.unsharp(sigma: 1.2, amount: -1))
        #expect(fits(in: plane).isEmpty)
    }

    @Test("Sizes and ends out of range are rejected, and any samples give finite features")
    func hostile() throws {
        let size = tbar_workspace_size()
        let memory = UnsafeMutableRawPointer.allocate(byteCount: Int(size) + 64, alignment: 64)
        defer { memory.deallocate() }
        var readings = [tbar_reading](repeating: tbar_reading(), count: Int(TBAR_MOST_READINGS))
        var count: Int32 = 0
        let enough = [tbar_limits](
            repeating: tbar_limits(unexplained: 0, margin: 100), count: Int(TBAR_PASSES.rawValue))
        func status(
            _ samples: [UInt8]?, _ width: Int32, _ height: Int32, _ from: Float, _ to: Float, _ bytes: Int64,
            offset: Int = 0
        ) -> Int {
            guard let samples else {
                return Int(tbar_read(nil, width, height, from, to, enough, memory, bytes, &readings, &count))
            }
            return Int(
                tbar_read(samples, width, height, from, to, enough, memory + offset, bytes, &readings, &count))
        }
        let patch = [UInt8](repeating: 200, count: 640 * 200)
        for (width, height) in [(0, 100), (1, 1), (620, 0), (620, 11), (641, 100), (620, 201), (.max, .max), (-5, 50)] {
            #expect(status(patch, Int32(clamping: width), Int32(clamping: height), 10, 180, size) == TBAR_E_ARGUMENT)
        }
        let ends: [(Float, Float)] = [
            (-1, 500), (100, 621), (300, 310), (500, 100), (.nan, 500), (100, .nan), (0, .infinity),
        ]
        for (from, to) in ends {
            #expect(status(patch, 620, 100, from, to, size) == TBAR_E_ARGUMENT, "\(from) \(to)")
        }
        #expect(status(nil, 620, 100, 100, 520, size) == TBAR_E_ARGUMENT)
        #expect(status(patch, 620, 100, 100, 520, size - 1) == TBAR_E_ARGUMENT)
        #expect(status(patch, 620, 100, 100, 520, size, offset: 8) == TBAR_E_ARGUMENT)
        #expect(status(patch, 620, 100, 100, 520, size) == TBAR_NO_BARS)
        var doubt = tbar_doubt()
        func check(_ digits: [Int8], _ bytes: Int64) -> Int {
            Int(tbar_check(patch, 620, 100, 100, 520, digits, memory, bytes, &doubt))
        }
        let digits: [Int8] = [4, 0, 0, 6, 3, 8, 1, 3, 3, 3, 9, 3, 1]
        #expect(check(digits, size - 1) == TBAR_E_ARGUMENT)
        #expect(check(digits.dropLast() + [10], size) == TBAR_E_ARGUMENT)
        #expect(check([-1] + digits.dropFirst(), size) == TBAR_E_ARGUMENT)
        #expect(check(digits, size) == TBAR_NO_BARS)
        #expect(doubt.bands == 0)

        var state: UInt64 = 3
        for kind in 0..<12 {
            var row = [UInt8](repeating: 255, count: 620)
            for x in row.indices {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                row[x] = kind < 6 ? (x / (3 + kind)).isMultiple(of: 2) ? 0 : 255 : (state >> 61) < 3 ? 0 : 255
            }
            let rows = Array((0..<60).map { _ in row }.joined())
            #expect([TBAR_OK, TBAR_NO_BARS].contains(status(rows, 620, 60, 100, 520, size)))
            for one in readings.prefix(Int(count)) {
                let features = [
                    one.unexplained, one.margin, one.invalid, one.quiet, one.contrast, one.blur, one.growth, one.from,
                    one.to,
                ]
                #expect(features.allSatisfy { $0.isFinite }, "\(features)")
            }
            #expect(
                [TBAR_OK, TBAR_NO_BARS].contains(
                    Int(tbar_check(rows, 620, 60, 100, 520, digits, memory, size, &doubt))))
            #expect(doubt.mixture.isFinite && doubt.band.isFinite)
        }
    }
}

/// What a fit changes about what the decoders said.
struct FittedCodesTests {
    private func fit(of digits: String) throws -> BarFit {
        let plane = try #require(BlurredDrawing(digits: digits).plane)
        let patch = try #require(BarPatch.find(in: plane, limit: 6, search: .thorough).first)
        let plausible = BarTemplates().fits(of: patch, in: plane)?.first { $0.isPlausible }
        return try #require(plausible)
    }

    private func collector(_ fit: BarFit, views: [String], of digits: String) -> EvidenceCollector {
        var collector = EvidenceCollector(rules: AcceptanceRules(hasTwoDecoders: true))
        let symbol = ScannedSymbol(symbology: .ean13, text: digits, points: [], agreeingLines: 20)
        for view in views {
            collector.add(symbol, by: .zxing, attempt: view, at: fit.patch.corners, isOutline: true)
        }
        collector.add(fit)
        return collector
    }

    @Test("A fit with a large margin is accepted alone")
    func alone() throws {
        let fit = try fit(of: "4006381333931")
        let accepted = collector(fit, views: [], of: fit.digits).accepted(isLast: true)
        #expect(accepted.map(\.evidence.symbol.text) == ["4006381333931"])
        #expect(accepted.map(\.reason) == [fit.margin >= 0.75 ? .fittedClearly : .fitted])
    }

    @Test("Another number on the same bars that one decoder read on several views leaves neither accepted")
    func contradiction() throws {
        let fit = try fit(of: "4006381333931")
        let views = ["none", "cropped", "deblurred"]
        #expect(collector(fit, views: views, of: "9520100001017").accepted(isLast: true).isEmpty)
        #expect(collector(fit, views: views, of: fit.digits).accepted(isLast: true).count == 1)
        // A single view of another number is no reading.
        #expect(collector(fit, views: ["none"], of: "9520100001017").accepted(isLast: true).count == 1)
    }

    @Test("A small margin needs a decoder that reads the same number")
    func margins() {
        func reason(_ margin: Double, _ engines: [Detection.Engine]) -> AcceptanceReason? {
            let symbol = ScannedSymbol(symbology: .ean13, text: "9520100001017", points: [], agreeingLines: 1)
            let evidence = SymbolEvidence(
                symbol: symbol, firstAttempt: "fitted", points: [], isOutline: true,
                detections: Set(([.templates] + engines).map { Detection(engine: $0, view: "fitted") }), margin: margin)
            return AcceptanceRules(hasTwoDecoders: true).acceptance(of: evidence, rivals: 0, isLast: true)
        }
        #expect(reason(0.3, []) == nil)
        #expect(reason(0.3, [.zbar]) == .fittedNarrowly)
        #expect(reason(0.2, [.zbar]) == nil)
        #expect(reason(0.4, []) == .fitted)
        #expect(reason(0.8, []) == .fittedClearly)
    }

    @Test("A larger margin is more probably right")
    func calibration() throws {
        let calibration = try BarcodeCalibration(models: ModelFolder(Repository.models))
        let probabilities = [AcceptanceReason.fittedNarrowly, .fitted, .fittedClearly].map {
            calibration.probability(.digit, $0)
        }
        #expect(probabilities == probabilities.sorted())
        #expect(probabilities[0] < 0.75 && probabilities[2] > 0.95)
    }

    @Test("A photo whose bars no decoder reads gives the number, and says that it was fitted")
    func photo() throws {
        let models = ModelFolder(Repository.models)
        let reader = BarcodeDecodeAttempts(
            zxing: ZXingLibrary(models: models), calibration: try BarcodeCalibration(models: models))
        let plane = try #require(BlurredDrawing(module: 2, blur: 0.9).plane)
        let raster = try #require(Raster(width: plane.width, height: plane.height, format: .gray8, bytes: plane.bytes))
        let readings = reader.read(raster).readings
        #expect(readings.map(\.text) == ["4006381333931"])
        #expect(readings.map(\.rescue) == [DecodeAttempt.fitted])
    }
}
