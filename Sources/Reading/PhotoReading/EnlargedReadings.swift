import Core

// Large photos are recognised at a reduced size. These functions scale coordinates to pixels of the whole upright
// image.

extension Point {
    func enlarged(by factor: Double) -> Point { Point(x * factor, y * factor) }
}

extension Quad {
    func enlarged(by factor: Double) -> Quad {
        Quad(
            topLeft: topLeft.enlarged(by: factor), topRight: topRight.enlarged(by: factor),
            bottomRight: bottomRight.enlarged(by: factor), bottomLeft: bottomLeft.enlarged(by: factor))
    }
}

extension BarcodeReading {
    func enlarged(by factor: Double) -> BarcodeReading {
        var reading = self
        reading.corners = corners.map { $0.enlarged(by: factor) }
        return reading
    }
}

extension UnreadBarcode {
    func enlarged(by factor: Double) -> UnreadBarcode {
        UnreadBarcode(
            reason: reason, corners: corners.map { $0.enlarged(by: factor) }, format: format,
            modulePixels: modulePixels.map { ($0 * factor).rounded(toPlaces: 1) },
            edgePixels: edgePixels.map { ($0 * factor).rounded(toPlaces: 1) })
    }
}

extension TextReading {
    func enlarged(by factor: Double) -> TextReading {
        var reading = self
        reading.unreadBoxes = unreadBoxes.map { $0.map { $0.enlarged(by: factor) } }
        for line in reading.lines.indices {
            reading.lines[line].box = lines[line].box.enlarged(by: factor)
            for word in lines[line].words.indices {
                reading.lines[line].words[word].box = lines[line].words[word].box.enlarged(by: factor)
            }
        }
        return reading
    }
}

extension PieceFrame {
    func enlarged(by factor: Double) -> PieceFrame {
        var frame = self
        for index in frame.pieces.indices {
            frame.pieces[index].polygonPX = pieces[index].polygonPX.map { $0.enlarged(by: factor) }
        }
        if let homography = board?.homography, homography.count == 9 {
            // Rows x and y of the homography give pixels.
            frame.board?.homography = homography.enumerated().map { $0.offset < 6 ? $0.element * factor : $0.element }
        }
        if let residual = board?.reprojectionPX { frame.board?.reprojectionPX = residual * factor }
        return frame
    }
}
