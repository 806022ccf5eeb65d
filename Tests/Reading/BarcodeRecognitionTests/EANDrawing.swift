import Core

/// Draws EAN codes from the tables of ISO/IEC 15420, so that readers are tested against an independent encoder.
struct EANDrawing {
    private static let odd = [
        "0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011", "0110111", "0001011",
    ]
    /// For each first digit, the parity of the six left digits: odd (L) or even (G).
    private static let parities = [
        "LLLLLL", "LLGLGG", "LLGGLG", "LLGGGL", "LGLLGG", "LGGLLG", "LGGGLL", "LGLGLG", "LGLGGL", "LGGLGL",
    ]

    /// True for a black module, from left to right, guards included: 95 for an EAN-13, 67 for an EAN-8, 51 for a UPC-E.
    let modules: [Bool]

    /// 13 or 8 digits. The check digit is drawn as given.
    init(_ digits: String) {
        let values = digits.compactMap(\.wholeNumberValue)
        let thirteen = values.count == 13
        let left = thirteen ? values[1...6] : values[0...3]
        let right = thirteen ? values[7...12] : values[4...7]
        let parity = thirteen ? Self.parities[values[0]] : "LLLL"
        let leftBars = zip(left, parity).map { digit, kind in
            // R inverts L; G is R reversed.
            kind == "L" ? Self.odd[digit] : String(Self.inverse(Self.odd[digit]).reversed())
        }
        let rightBars = right.map { Self.inverse(Self.odd[$0]) }
        modules = ("101" + leftBars.joined() + "01010" + rightBars.joined() + "101").map { $0 == "1" }
    }

    /// A UPC-E of 8 digits, whose number system is 0. The check digit is drawn as given.
    init(upcE digits: String) {
        let values = digits.compactMap(\.wholeNumberValue)
        let parity = [
            "GGGLLL", "GGLGLL", "GGLLGL", "GGLLLG", "GLGGLL", "GLLGGL", "GLLLGG", "GLGLGL", "GLGLLG", "GLLGLG",
        ][values[7]]
        let bars = zip(values[1...6], parity).map { digit, kind in
            kind == "L"
                ? Self.odd[digit] : String(Self.inverse(Self.odd[digit]).reversed())
        }
        modules = ("101" + bars.joined() + "010101").map { $0 == "1" }
    }

    /// An add-on of two or five digits (GS1 General Specifications, 5.2.2.5).
    init(addOn digits: String) {
        let values = digits.compactMap(\.wholeNumberValue)
        let parity: String
        if values.count == 2 {
            parity = ["LL", "LG", "GL", "GG"][(values[0] * 10 + values[1]) % 4]
        } else {
            let sum = 3 * (values[0] + values[2] + values[4]) + 9 * (values[1] + values[3])
            parity =
                [
                    "GGLLL", "GLGLL", "GLLGL", "GLLLG", "LGGLL", "LLGGL", "LLLGG", "LGLGL", "LGLLG", "LLGLG",
                ][sum % 10]
        }
        let bars = zip(values, parity).map { digit, kind in
            kind == "L" ? Self.odd[digit] : String(Self.inverse(Self.odd[digit]).reversed())
        }
        modules = ("1011" + bars.joined(separator: "01")).map { $0 == "1" }
    }

    private static func inverse(_ bars: String) -> String { String(bars.map { $0 == "1" ? "0" : "1" }) }
}

/// A white gray picture to draw on.
struct Canvas {
    let width: Int
    let height: Int
    var pixels: [UInt8]

    init(width: Int, height: Int, fill: UInt8 = 255) {
        self.width = width
        self.height = height
        pixels = Array(repeating: fill, count: width * height)
    }

    /// Draws the code's bars with the given module width, from the top-left corner at (x, y).
    mutating func draw(
        _ code: EANDrawing, x: Int, y: Int, module: Int, barHeight: Int, ink: UInt8 = 0, paper: UInt8 = 255
    ) {
        for row in y..<(y + barHeight) {
            for (index, black) in code.modules.enumerated() {
                for column in 0..<module { pixels[row * width + x + index * module + column] = black ? ink : paper }
            }
        }
    }

    /// Rotated clockwise by a quarter turn.
    var rotated: Canvas {
        var result = Canvas(width: height, height: width)
        for y in 0..<height {
            for x in 0..<width { result.pixels[x * height + (height - 1 - y)] = pixels[y * width + x] }
        }
        return result
    }

    /// Rotated clockwise by 45° about the centre, on a white picture that contains all of it; nearest-neighbour
    /// sampling.
    var rotatedBy45Degrees: Canvas {
        let (half, side) = (0.5.squareRoot(), Int((Double(width + height) * 0.5.squareRoot()).rounded(.up)))
        var result = Canvas(width: side, height: side)
        for y in 0..<side {
            for x in 0..<side {
                let (dx, dy) = (Double(x) - Double(side - 1) / 2, Double(y) - Double(side - 1) / 2)
                let fromX = Int(((dx + dy) * half + Double(width - 1) / 2).rounded())
                let fromY = Int(((dy - dx) * half + Double(height - 1) / 2).rounded())
                guard (0..<width).contains(fromX), (0..<height).contains(fromY) else { continue }
                result.pixels[y * side + x] = pixels[fromY * width + fromX]
            }
        }
        return result
    }

    var raster: Raster? { Raster(width: width, height: height, format: .gray8, bytes: pixels) }

    /// The same in colour: the gray value in all three channels.
    var colourRaster: Raster? {
        Raster(width: width, height: height, format: .rgb8, bytes: pixels.flatMap { [$0, $0, $0] })
    }
}
