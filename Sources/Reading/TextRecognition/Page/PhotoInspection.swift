internal import COpenCV
import Core

/// Judges a photo by its pixels and by how well it was read.
struct PhotoInspection {
    /// Standard deviation of the Laplacian where the photo is busiest that counts as crisp.
    /// Photos and receipts had 73 to 330; the same ones blurred by 2 pixels, hard to read, 9 to 34.
    static let crispDeviation = 100.0
    /// Letters lower than this many pixels are hard to read.
    static let smallLetters = 12.0

    private let measures: tcv_photo_measures

    /// `gray` holds `width * height` bytes, row by row.
    init(gray: [UInt8], width: Int, height: Int) {
        var measures = tcv_photo_measures()
        _ = gray.withUnsafeBufferPointer { tcv_page_photo($0.baseAddress, Int32(width), Int32(height), &measures) }
        self.measures = measures
    }

    /// A colour photo. Throws `ItemFailure` where OpenCV refuses it.
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

    /// Blown-out share; none where the paper itself is white, as on a scan.
    var glare: Double { measures.paper >= 250 ? 0 : measures.blown_share }

    /// The quality, with advice only where the words are few or uncertain.
    ///
    /// - Parameters:
    ///   - words: with calibrated confidence.
    ///   - tilt: how far the lines run down to the right, degrees.
    ///   - letterHeight: in pixels of the raster; nil where nothing looks like letters.
    func quality(words: [Word], tilt: Double, letterHeight: Double?) -> PhotoQuality {
        var quality = PhotoQuality(
            sharpness: sharpness.rounded(toPlaces: 3), glare: glare.rounded(toPlaces: 4),
            tilt: words.isEmpty ? nil : tilt.rounded(toPlaces: 1),
            textHeight: words.isEmpty ? nil : letterHeight?.rounded(toPlaces: 1))
        let sure = words.reduce(0) { $0 + $1.confidence } / Double(max(1, words.count))
        if words.count < 3 || sure < 0.75 { quality.advice = advice(tilt: tilt, letterHeight: letterHeight) }
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
