internal import COpenCV
import Core

/// Judges the quality of a photo by its pixels and by how well it was read.
struct PhotoInspection {
    /// Standard deviation of the Laplacian in the busiest tiles above which a photo is sharp.
    ///
    /// Photos and receipts had 73 to 330; the same ones blurred by 2 pixels, hard to read, had 9 to 34.
    static let crispDeviation = 100.0
    /// Letters below this height in pixels are hard to read.
    static let smallLetters = 12.0

    private let measures: tcv_photo_measures

    /// `gray` holds `width * height` bytes, row by row.
    init(gray: [UInt8], width: Int, height: Int) {
        var measures = tcv_photo_measures()
        _ = gray.withUnsafeBufferPointer { tcv_page_photo($0.baseAddress, Int32(width), Int32(height), &measures) }
        self.measures = measures
    }

    /// A colour photo. Throws `ItemFailure` if OpenCV fails.
    init(_ photo: Raster) throws {
        let gray = try Raster.filled(width: photo.width, height: photo.height, format: .gray8, step: "gray") { gray in
            photo.bytes.withUnsafeBufferPointer {
                tcv_page_gray(
                    $0.baseAddress, Int32(photo.width), Int32(photo.height), Int32(photo.format.rawValue),
                    Int32(photo.width), Int32(photo.height), gray)
            }
        }
        self.init(gray: gray.bytes, width: photo.width, height: photo.height)
    }

    var sharpness: Double { min(1, measures.laplacian_deviation / Self.crispDeviation) }

    /// Share of overexposed pixels; 0 if the paper itself is white, as on a scan.
    var glare: Double { measures.paper >= 250 ? 0 : measures.blown_share }

    /// The quality, with advice only if the words are few or uncertain.
    ///
    /// - Parameters:
    ///   - words: Words with calibrated confidence.
    ///   - tilt: Slope of the lines in degrees; positive runs down to the right.
    ///   - letterHeight: In pixels of the raster; nil if nothing looks like letters.
    func quality(words: [Word], tilt: Double, letterHeight: Double?) -> PhotoQuality {
        var quality = PhotoQuality(
            sharpness: sharpness.rounded(toPlaces: 3), glare: glare.rounded(toPlaces: 4),
            tilt: words.isEmpty ? nil : tilt.rounded(toPlaces: 1),
            textHeight: words.isEmpty ? nil : letterHeight?.rounded(toPlaces: 1))
        let confident = words.reduce(0) { $0 + $1.confidence } / Double(max(1, words.count))
        if words.count < 3 || confident < 0.75 { quality.advice = advice(tilt: tilt, letterHeight: letterHeight) }
        return quality
    }

    private func advice(tilt: Double, letterHeight: Double?) -> [PhotoQuality.Advice] {
        var advice: [PhotoQuality.Advice] = []
        if let letterHeight, letterHeight < Self.smallLetters { advice.append(.moveCloser) }
        if measures.mean < 60 { advice.append(.moreLight) }
        if sharpness < 0.25 { advice.append(.holdStill) }
        if glare > 0.01 { advice.append(.avoidGlare) }
        if abs(tilt) > 8 { advice.append(.holdStraight) }
        return advice
    }
}
