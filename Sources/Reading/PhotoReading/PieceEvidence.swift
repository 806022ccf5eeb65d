import Foundation
import Imaging
import PieceRecognition
import Core

/// Writes the evidence for the pieces of photos, to fit `models/calibration/pieces.json`.
public enum PieceEvidence {
    private struct Line: Encodable {
        var photo: String
        var pieces: [RecognizedPiece]
        /// In the order of the pieces.
        var features: [[String: Double]]
    }

    /// One line of JSON a photo.
    ///
    /// - Throws: `StartupError` for an unknown set.
    public static func write(
        _ photos: [String], set: String, models: ModelFolder, to output: FileHandle
    ) throws {
        let recognizer = PieceRecognizer(set: try PreparedPieceSet.load(set, from: models))
        for photo in photos {
            guard let bytes = FileManager.default.contents(atPath: photo) else {
                throw StartupError(.unavailable, "cannot read \(photo)")
            }
            let (frame, features) = try recognizer.evidence(in: ImageDecoder().decode(Array(bytes)).raster)
            try output.write(
                contentsOf: JSONCoding.encode(Line(photo: photo, pieces: frame.pieces, features: features))
                    + Data("\n".utf8))
        }
    }
}
