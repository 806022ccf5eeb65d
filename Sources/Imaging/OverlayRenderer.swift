import Foundation
import Vocabulary

internal import COpenCV

/// Draws what was read over a photo.
public struct OverlayRenderer: Sendable {
    public init() {}

    /// - Parameter maximumSide: of the picture that is made, in pixels.
    /// - Returns: PNG bytes.
    /// - Throws: `decodeFailed` where the picture cannot be made.
    public func png(of image: DecodedImage, marks: [OverlayMark], maximumSide: Int) throws(ItemFailure) -> [UInt8] {
        let (raster, shrinking) = image.raster.shrunk(toSide: maximumSide)
        let scale = 1 / (shrinking * image.enlargement)
        guard let drawn = draw(marks, over: raster, scale: scale), let png = LeptonicaDecoder.png(drawn) else {
            throw ItemFailure(
                stage: .imaging, code: .decodeFailed, detail: "the overlay could not be drawn",
                hint: "report this photo", isTransient: true)
        }
        return png
    }

    private func draw(_ marks: [OverlayMark], over raster: Raster, scale: Double) -> Raster? {
        var pixels = raster.format == .rgb8 ? raster.bytes : raster.bytes.flatMap { [$0, $0, $0] }
        let (width, height) = (Int32(raster.width), Int32(raster.height))
        let size = Double(max(raster.width, raster.height)) / 1600
        let isDone = pixels.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return false }
            // Outlines first, so that no line crosses a caption.
            for mark in marks where mark.outline.count > 1 {
                let corners = mark.outline.flatMap { [$0.x * scale, $0.y * scale] }
                let thickness = Int32(max(1, (size * mark.meaning.weight).rounded()))
                _ = tcv_draw_outline(
                    base, width, height, corners, Int32(mark.outline.count), mark.meaning.colour, thickness)
            }
            for mark in marks where !mark.caption.isEmpty {
                guard let left = mark.outline.map(\.x).min(), let top = mark.outline.map(\.y).min() else { continue }
                _ = tcv_draw_caption(
                    base, width, height, Self.ascii(mark.caption), Int32(left * scale), Int32(top * scale),
                    mark.meaning.colour, max(0.35, 0.6 * size))
            }
            return true
        }
        return isDone ? Raster(width: raster.width, height: raster.height, format: .rgb8, bytes: pixels) : nil
    }

    /// OpenCV's letters are ASCII: ü becomes u, what has no likeness a question mark.
    static func ascii(_ text: String) -> String {
        let folded = text.replacingOccurrences(of: "ß", with: "ss").replacingOccurrences(of: "€", with: "EUR ")
            .folding(options: .diacriticInsensitive, locale: nil)
        return String(folded.unicodeScalars.map { $0.isASCII && $0.value >= 32 ? Character($0) : "?" })
    }
}

extension OverlayMark.Meaning {
    /// Red, green, blue.
    fileprivate var colour: [UInt8] {
        switch self {
        case .read: [60, 160, 75]
        case .unsure: [235, 170, 40]
        case .danger: [215, 38, 38]
        case .warning: [240, 120, 20]
        case .dish: [50, 90, 200]
        case .barcode: [190, 50, 170]
        case .piece: [20, 150, 170]
        }
    }

    /// Thickness in pixels of an overlay of 1,600.
    fileprivate var weight: Double {
        switch self {
        case .read, .unsure: 1.5
        case .dish: 2
        case .danger, .warning, .barcode, .piece: 3
        }
    }
}
