import Core

extension ReadAnswer {
    /// What in this answer no photo can give; nil where nothing is. A worker reads what strangers send, and what it says may be theirs:
    /// everything behind it computes with these numbers.
    var implausibility: String? {
        if let image,
            !(1...Self.mostPixels).contains(image.width) || !(1...Self.mostPixels).contains(image.height)
                || !(0...8).contains(image.orientation)
        {
            return "a photo of \(image.width) × \(image.height) pixels, turned \(image.orientation)"
        }
        if timingsMs.values.contains(where: { !(0...Self.longestMs).contains($0) }) {
            return "a time that nothing takes"
        }
        for line in readings.text?.lines ?? [] {
            if !line.confidence.isProbability || !line.box.corners.areInPicture { return "a line out of any picture" }
            for word in line.words where !word.confidence.isProbability || !word.box.corners.areInPicture {
                return "a word out of any picture"
            }
        }
        if let unread = readings.text?.unreadLines, !(0...Self.mostThings).contains(unread) { return "unread lines" }
        for code in (readings.barcodes ?? []) + (readings.doubtfulBarcodes ?? [])
        where !code.confidence.isProbability || !code.corners.areInPicture {
            return "a barcode out of any picture"
        }
        if readings.unreadBarcodes?.allSatisfy({ $0.corners.areInPicture }) == false {
            return "bars out of any picture"
        }
        if let quality = readings.quality {
            let figures = [quality.sharpness, quality.glare, quality.tilt, quality.textHeight].compactMap(\.self)
            if !figures.allSatisfy(\.isInPicture) { return "a quality that no photo has" }
        }
        return readings.pieces?.implausibility
    }

    static let mostPixels = 1_000_000
    static let mostThings = 1_000_000
    private static let longestMs = 86_400_000.0
}

extension PieceFrame {
    fileprivate var implausibility: String? {
        let times = 0...(Int.max / 2)
        if !times.contains(t_ns) || !times.contains(seq) { return "a frame at no time" }
        if let board,
            !([board.widthMM, board.heightMM, board.reprojectionPX] + board.homography).allSatisfy(\.isInPicture)
        {
            return "a board without measure"
        }
        if covered_mm?.areInPicture == false { return "a hand out of any picture" }
        if timing_ms.values.contains(where: { !$0.isFinite }) { return "a time that nothing takes" }
        let numbers = -ReadAnswer.mostThings...ReadAnswer.mostThings
        for piece in pieces {
            let figures = [
                piece.xMM, piece.yMM, piece.angleDegrees, piece.vx, piece.vy, piece.va, piece.residualMM,
            ]
            let counts =
                [piece.fold, piece.stableMS, piece.value ?? 0, piece.cell?.row ?? 0, piece.cell?.column ?? 0]
                + (piece.values ?? [])
            guard figures.allSatisfy(\.isInPicture), piece.confidence.isProbability, piece.visible.isProbability,
                counts.allSatisfy(numbers.contains), times.contains(piece.id),
                piece.polygonMM.areInPicture, piece.polygonPX.areInPicture
            else { return "a piece that no table holds" }
        }
        return nil
    }
}

extension Double {
    /// From 0 to 1, with what rounding adds.
    fileprivate var isProbability: Bool { (-0.001...1.001).contains(self) }
    /// A coordinate or a length that a picture or a table has; homographies reach far beyond either.
    fileprivate var isInPicture: Bool { (-1e9...1e9).contains(self) }
}

extension [Point] {
    fileprivate var areInPicture: Bool { allSatisfy { $0.x.isInPicture && $0.y.isInPicture } }
}
