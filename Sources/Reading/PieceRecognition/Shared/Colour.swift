import Foundation

/// Colour differences under light that is only roughly known.
enum Colour {
    /// 0 for equal hue and similar chroma; 1 if both cannot be the same paint.
    ///
    /// Hue in CIELAB (D65) has the largest weight, because light changes lightness and chroma before it changes hue.
    static func difference(_ one: [Double], _ other: [Double]) -> Double {
        let (a, b) = (lab(one), lab(other))
        let (chromaA, chromaB) = (hypot(a.1, a.2), hypot(b.1, b.2))
        guard chromaA > 8, chromaB > 8 else { return chromaA > 8 || chromaB > 8 ? 2 : abs(a.0 - b.0) / 60 }
        var turn = atan2(a.2, a.1) - atan2(b.2, b.1)
        turn = abs(atan2(sin(turn), cos(turn))) * 180 / .pi
        return hypot(turn / 35, hypot(log(chromaA / chromaB) / 1.4, (a.0 - b.0) / 80))
    }

    /// Hue difference in degrees, plus small terms for lightness and chroma. For saturated paints.
    static func hueDifference(_ one: [Double], _ other: [Double]) -> Double {
        let (a, b) = (lab(one), lab(other))
        var turn = atan2(a.2, a.1) - atan2(b.2, b.1)
        turn = abs(atan2(sin(turn), cos(turn))) * 180 / .pi
        return hypot(turn, hypot((a.0 - b.0) * 0.25, (hypot(a.1, a.2) - hypot(b.1, b.2)) * 0.15))
    }

    /// A colour in CIELAB (D65).
    struct Lab {
        var lightness: Double
        var a: Double
        var b: Double

        /// - Parameter rgb: sRGB, 0…255.
        init(_ rgb: [Double]) { (lightness, a, b) = Colour.lab(rgb) }

        var chroma: Double { hypot(a, b) }

        /// Difference of the hues, 0…180 degrees.
        func turn(from other: Lab) -> Double {
            let turn = atan2(b, a) - atan2(other.b, other.a)
            return abs(atan2(sin(turn), cos(turn))) * 180 / .pi
        }
    }

    /// sRGB 0…255 → CIELAB.
    static func lab(_ rgb: [Double]) -> (Double, Double, Double) {
        let linear = rgb.map { value in
            let v = value / 255
            return v > 0.04045 ? pow((v + 0.055) / 1.055, 2.4) : v / 12.92
        }
        let (r, g, b) = (linear[0], linear[1], linear[2])
        func f(_ t: Double) -> Double { t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116 }
        let x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505)
        let y = f(0.2126 * r + 0.7152 * g + 0.0722 * b)
        let z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089)
        return (116 * y - 16, 500 * (x - y), 200 * (y - z))
    }
}

/// A colour in CIELAB (D65) by lightness, chroma and hue.
struct LightChromaHue {
    var light, chroma: Double
    /// Radians.
    var hue: Double

    /// From sRGB 0…255.
    init(_ rgb: [Double]) {
        let lab = Colour.lab(rgb)
        (light, chroma, hue) = (lab.0, hypot(lab.1, lab.2), atan2(lab.2, lab.1))
    }
}
