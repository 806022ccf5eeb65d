import Core

/// The colours and patterns of an overlay. A verdict has a colour and a pattern, for people with colour blindness; the
/// app's style sheet uses the same.
enum OverlayPalette {
    static let (paper, ink, dot, rim): (UInt32, UInt32, UInt32, UInt32) = (0xFF_FFFF, 0x1D_1B18, 0x1D_1B18, 0xFF_FFFF)

    /// 0xRRGGBB.
    static func colour(of meaning: OverlayDrawing.Meaning) -> UInt32 {
        switch meaning {
        case .contains: 0xA3_201D
        case .likely: 0xC2_5A12
        case .mayContain: 0x94_6A00
        case .cannotTell: 0x5B_4FA6
        case .plain: 0x85_7F73
        case .barcode: 0x1D_4F91
        case .piece: 0x1D_1B18
        }
    }

    /// Lengths of dash and gap in line widths; nil for a solid line.
    static func pattern(of meaning: OverlayDrawing.Meaning) -> (dash: Int, gap: Int)? {
        switch meaning {
        case .likely: (6, 2)
        case .mayContain: (3, 2)
        case .cannotTell: (1, 2)
        case .contains, .plain, .barcode, .piece: nil
        }
    }
}
