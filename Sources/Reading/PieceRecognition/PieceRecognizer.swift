import Foundation
import Core

/// Recognises the pieces of one set in a photo: chooses the detector of the set's family and runs it.
package struct PieceRecognizer: Sendable {
    private let set: PreparedPieceSet
    private let detector: any PieceDetector

    package init(set: PreparedPieceSet) {
        self.set = set
        detector = Self.detector(of: set)
    }

    private static func detector(of set: PreparedPieceSet) -> any PieceDetector {
        switch set.method {
        case .shapes: PolygonDetector(set: set)
        case .dice: DiceDetector(set: set)
        case .tiles: TileDetector(set: set)
        case .symbolTiles: SymbolTileDetector(set: set)
        case .drawnGrid: DrawnGridDetector(set: set)
        case .discGrid: DiscGridDetector(set: set)
        }
    }

    /// The frame of the photo; without pieces and board if nothing convincing was found.
    /// - Throws: ``ItemFailure`` if memory ran out or OpenCV failed, so that nothing is known about the photo.
    package func recognize(_ raster: Raster) throws(ItemFailure) -> PieceFrame {
        let begun = (wall: ContinuousClock.now, processor: Self.processorTime())
        let detections = try detections(in: raster)
        var frame = detections.frame
        for (index, features) in detections.features.enumerated() where index < frame.pieces.count {
            guard let probability = set.calibration?.probability(set.method, features) else { continue }
            frame.pieces[index].confidence = probability.rounded(toPlaces: 4)
        }
        if frame.timing_ms["total"] == nil {
            frame.timing_ms["total"] = (ContinuousClock.now - begun.wall).milliseconds
        }
        // Processor time, because wall time depends on other programs on the machine.
        frame.timing_ms["cpu"] = (Self.processorTime() - begun.processor).rounded(toPlaces: 2)
        return frame
    }

    /// The pieces of the photo with the evidence for each, to fit the calibration. Their confidence is the detector's
    /// score.
    /// - Throws: as ``recognize(_:)``.
    package func evidence(in raster: Raster) throws(ItemFailure) -> (frame: PieceFrame, features: [[String: Double]]) {
        let detections = try detections(in: raster)
        let features = detections.features.map(\.values)
        return (
            detections.frame,
            features.isEmpty ? detections.frame.pieces.map { ["score": $0.confidence] } : features
        )
    }

    private func detections(in raster: Raster) throws(ItemFailure) -> PieceDetections {
        do { return try detector.detections(in: raster) } catch let failure as PictureFailure {
            throw failure.ofPhoto
        } catch {
            throw ItemFailure(
                stage: .recognition, code: .decodeFailed, detail: "the recognition of pieces failed: \(error)",
                hint: "send another photo, and report this one")
        }
    }

    /// Processor time of this thread, milliseconds.
    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
}

extension Duration {
    var milliseconds: Double {
        let (seconds, attoseconds) = components
        return (Double(seconds) * 1e3 + Double(attoseconds) / 1e15).rounded(toPlaces: 2)
    }
}
