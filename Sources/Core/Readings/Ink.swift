/// How a word is printed, measured on the photo.
public struct Ink: Sendable, Hashable {
    /// Colours as 8 bits of red, green and blue: `0xRRGGBB`. Light and shade of the photo are part of them.
    public var color: UInt32
    /// The ground around the letters.
    public var ground: UInt32
    /// How wide its strokes are as a share of the height of its box, 0…1 (`tcv_lines_ink`), to be compared with other
    /// words; 0 if it has too little contrast.
    public var stroke: Double

    public init(color: UInt32, ground: UInt32, stroke: Double) {
        self.color = color
        self.ground = ground
        self.stroke = stroke
    }
}

/// `"#1a1a1a #ffffff 0.12"`: short, because each word of a stored reading has one.
extension Ink: Codable {
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        let parts = text.split(separator: " ")
        guard parts.count == 3, let color = Self.color(parts[0]), let ground = Self.color(parts[1]),
            let stroke = Double(parts[2]), (0...1).contains(stroke)
        else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "an ink is written as #rrggbb #rrggbb 0.12"))
        }
        self.init(color: color, ground: ground, stroke: stroke)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        let thousandths = Int((min(1, max(0, stroke)) * 1000).rounded())
        try container.encode("\(Self.text(color)) \(Self.text(ground)) \(Double(thousandths) / 1000)")
    }

    private static func color(_ text: Substring) -> UInt32? {
        guard text.count == 7, text.first == "#" else { return nil }
        return UInt32(text.dropFirst(), radix: 16)
    }

    private static func text(_ color: UInt32) -> String {
        let digits = String(color & 0xFF_FFFF, radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }
}
