import Foundation
import Core

@testable import BarcodeRecognition

/// A retail code as a camera without focus sees it: any size, angle, bend and blur, with noise.
struct BlurredDrawing {
    var digits = "4006381333931"
    /// True if the eight digits are a UPC-E.
    var isUPCE = false
    /// Modules between the bars and a frame around them, one module thick; nil for none.
    var frame: Double?
    /// A number of which this share 0…1 is mixed in, as by damage.
    var mixed: (digits: String, share: Double)?
    /// The share of that number at both ends of the bars, as print there may look; nil for the same as between.
    var shareAtEnds: Double?
    /// Where only that number is seen, as beside damage: modules from the middle, along the bars.
    var strip: Range<Double>?
    /// Modules by which the edges inside the digits are off, to either side in turn, as of bars that are no digits.
    var disorder = 0.0
    /// Pixels of a module.
    var module = 2.0
    /// Gaussian blur, modules.
    var blur = 0.7
    /// Degrees, clockwise.
    var angle = 0.0
    /// Half of the arc that the code takes on a round packet, radians; 0 for a flat one.
    var arc = 0.0
    var ink = 60.0
    var paper = 190.0

    /// Nil if memory runs out.
    var plane: GrayPlane? {
        let bars = isUPCE ? EANDrawing(upcE: digits).modules : EANDrawing(digits).modules
        let (others, part) = (mixed.map { EANDrawing($0.digits).modules } ?? bars, mixed?.share ?? 0)
        let (width, height) = (Int(95 * module * 1.6) + 60, Int(95 * module * 1.2) + 60)
        let (cosine, sine) = (cos(angle * .pi / 180), sin(angle * .pi / 180))
        let samples = 4
        var canvas = Canvas(width: width, height: height)
        var state: UInt64 = 7
        for y in 0..<height {
            for x in 0..<width {
                var black = 0.0
                for step in 0..<(samples * samples) {
                    let dx = Double(x) + (Double(step % samples) + 0.5) / Double(samples) - Double(width) / 2
                    let dy = Double(y) + (Double(step / samples) + 0.5) / Double(samples) - Double(height) / 2
                    let (along, across) = (dx * cosine + dy * sine, dy * cosine - dx * sine)
                    let isUndamaged = strip?.contains(across / module) ?? false
                    let share = isUndamaged ? 1 : abs(across / module) > 15 ? shareAtEnds ?? part : part
                    if isBlack(bars, along / module, across / module) { black += 1 - share }
                    if isBlack(others, along / module, across / module) { black += share }
                }
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let noise = Double(state >> 56) / 128 - 1
                let share = black / Double(samples * samples)
                canvas.pixels[y * width + x] = UInt8(paper + (ink - paper) * share + noise)
            }
        }
        return canvas.raster.flatMap { GrayPlane($0) }?.unsharp(sigma: max(0.3, blur * module), amount: -1)
    }

    /// True for a bar at this place, modules from the middle of the code.
    private func isBlack(_ bars: [Bool], _ along: Double, _ across: Double) -> Bool {
        let half = Double(bars.count) / 2
        if let frame {
            let outside = max(abs(along) - half, abs(across) - 25) - frame
            if (0..<1.5).contains(outside) { return true }
        }
        guard abs(across) < 25 else { return false }
        var place = along / half
        if arc > 0 {
            let sine = place * sin(arc)
            guard abs(sine) <= 1 else { return false }
            place = asin(sine) / arc
        }
        let at = (place + 1) * half
        let index = Int(at.rounded(.down))
        guard disorder > 0, bars.indices.contains(index) else { return bars.indices.contains(index) && bars[index] }
        let edge = Int(at.rounded())
        let side = at < Double(edge) + offset(of: edge) ? edge - 1 : edge
        return bars.indices.contains(side) && bars[side]
    }

    /// By how much an edge is off, if it lies between the modules of one digit of an EAN-13.
    private func offset(of edge: Int) -> Double {
        let place = edge < 46 ? edge - 3 : edge - 50
        guard (1..<42).contains(place), !place.isMultiple(of: 7) else { return 0 }
        return (place / 7).isMultiple(of: 2) ? disorder : -disorder
    }
}
