import Core

/// Detects the top faces of dice.
struct DiceDetector: PieceDetector {
    let set: PreparedPieceSet

    func detections(in raster: Raster) throws -> PieceDetections {
        guard let image = try PreparedPipImage(raster) else {
            return PieceDetections(none: set)
        }
        let reader = try DiceReader(image, longSide: max(raster.width, raster.height), model: set.dieFaces)
        return TileFrame(set: set, width: raster.width, height: raster.height)
            .frame(dice(try reader.faces(on: image)))
    }

    private func dice(_ faces: [DieFace]) -> [FoundTile] {
        faces.compactMap { face in
            guard case .pips(let most) = set.kinds[0].face, face.value <= most else { return nil }
            var tile = FoundTile(
                kind: 0, corners: face.corners, angle: face.angle, value: face.value,
                residual: face.residual * face.side, confidence: face.confidence)
            tile.features = PieceFeatures(["face": face.confidence, "sides": face.appearance?.body ?? 0])
            return tile
        }
    }
}
