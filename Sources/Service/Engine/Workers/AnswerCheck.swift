import Core

extension ReadAnswer {
    /// What in this answer cannot come from a photo; nil if everything is plausible. Untrusted photos may take over a
    /// worker, and all later stages compute with these numbers.
    package var implausibility: String? {
        if let image,
            !(1...Self.mostPixels).contains(image.width) || !(1...Self.mostPixels).contains(image.height)
                || !(0...8).contains(image.orientation)
        {
            return "a photo of \(image.width) × \(image.height) pixels with orientation \(image.orientation)"
        }
        if timingsMs.values.contains(where: { !(0...Self.longestMs).contains($0) }) {
            return "an impossible duration"
        }
        for line in readings.text?.lines ?? [] {
            if !line.confidence.isProbability || !line.box.corners.areInPicture { return "a line outside the picture" }
            for word in line.words where !word.confidence.isProbability || !word.box.corners.areInPicture {
                return "a word outside the picture"
            }
        }
        if let unread = readings.text?.unreadLines, !(0...Self.mostThings).contains(unread) {
            return "an impossible number of unread lines"
        }
        if readings.text?.unreadBoxes?.allSatisfy({ $0.corners.areInPicture }) == false {
            return "an unread line outside the picture"
        }
        if let scripts = readings.text?.unreadScripts, scripts.count > PrintScript.allCases.count {
            return "an impossible number of scripts"
        }
        for code in (readings.barcodes ?? []) + (readings.doubtfulBarcodes ?? [])
        where !code.confidence.isProbability || !code.corners.areInPicture {
            return "a barcode outside the picture"
        }
        if readings.unreadBarcodes?.allSatisfy({ $0.corners.areInPicture }) == false {
            return "a barcode region outside the picture"
        }
        if let quality = readings.quality {
            let figures = [quality.sharpness, quality.glare, quality.tilt, quality.textHeight].compactMap(\.self)
            if !figures.allSatisfy(\.isInPicture) { return "an impossible image quality" }
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
        if !times.contains(t_ns) || !times.contains(seq) { return "a frame with an invalid time" }
        if let board,
            !([board.widthMM, board.heightMM, board.reprojectionPX] + board.homography).allSatisfy(\.isInPicture)
        {
            return "a board with an invalid size"
        }
        if covered_mm?.areInPicture == false { return "a covered area outside the picture" }
        if unclear_px?.allSatisfy(\.areInPicture) == false { return "an unclear piece outside the picture" }
        if timing_ms.values.contains(where: { !$0.isFinite }) { return "an impossible duration" }
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
            else { return "a piece outside the table" }
        }
        return nil
    }
}

extension Double {
    /// True from 0 to 1, with a tolerance for rounding.
    fileprivate var isProbability: Bool { (-0.001...1.001).contains(self) }
    /// True for coordinates and lengths of a picture or table. The range is wide because of homographies.
    fileprivate var isInPicture: Bool { (-1e9...1e9).contains(self) }
}

extension [Point] {
    fileprivate var areInPicture: Bool { allSatisfy { $0.x.isInPicture && $0.y.isInPicture } }
}
