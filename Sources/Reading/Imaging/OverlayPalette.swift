import Core

/// The colours of the marks, 0xRRGGBB. They also differ in lightness, for people with colour blindness.
enum OverlayPalette {
    static func colour(of meaning: OverlayMark.Meaning) -> UInt32 {
        switch meaning {
        case .read: 0x1B_8A3A  // green
        case .unsure: 0xFF_C107  // amber
        case .danger: 0xC6_1A1A  // red
        case .warning: 0xF2_7A0B  // orange
        case .dish: 0x1E_5FCC  // blue
        case .barcode: 0xC2_18A0  // magenta
        case .piece: 0x12_B5C9  // cyan
        }
    }

    /// Black or white, whichever has more contrast on `fill`. Both have equal contrast at a relative luminance of
    /// about 0.18 (WCAG 2.1).
    static func text(on fill: UInt32) -> UInt32 {
        func linear(_ shift: UInt32) -> Double {
            let value = Double(fill >> shift & 255) / 255
            return value * value  // close enough to sRGB's curve for a choice of two
        }
        let luminance = 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0)
        return luminance > 0.179 ? 0x00_0000 : 0xFF_FFFF
    }
}
