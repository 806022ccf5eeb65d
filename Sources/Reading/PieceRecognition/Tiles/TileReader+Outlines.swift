import Core

extension TileReader {
    /// A picture and the shapes on it that may be tiles.
    struct Outlines {
        let raster: Raster
        let shapes: [Shape]
        /// Regions enclosed by edges, if the set has no colours: an outline by itself gives none.
        let enclosed: [Shape]
    }

    func outlines(in raster: Raster) throws(PictureFailure) -> Outlines {
        let image = try PreparedPieceImage(raster, palette: [], tableIsWhite: false)
        let areColoured = set.kinds.contains { $0.members.contains { $0.rgb != nil } }
        return Outlines(
            raster: raster, shapes: try image.shapes(),
            enclosed: areColoured ? [] : try image.enclosed().filter { $0.contrast > Self.minStep })
    }

    /// The outlines of possible tiles, for the camera's tilt.
    func forms(in outlines: Outlines) -> [TableTilt.Form] {
        guard let unit = set.kinds.first?.edges.shorter else { return [] }
        let kinds = set.kinds.filter { !$0.isDisc }.map(\.edges)
        // Edges locate a region's sides less exactly than its area does.
        let all = outlines.shapes.map { ($0, $0.fill) } + outlines.enclosed.map { ($0, 0.6 * $0.fill) }
        return all.compactMap { shape, weight -> TableTilt.Form? in
            guard shape.corners.count == 4, Self.isFilled(shape) else { return nil }
            let c = shape.corners
            let (u, v) = ((c[1] - c[0] + c[2] - c[3]) * 0.5, (c[2] - c[1] + c[3] - c[0]) * 0.5)
            let moments = kinds.flatMap { edges -> [SIMD3<Double>] in
                let scale = unit / edges.shorter
                let aspect = edges.longer / edges.shorter
                // A region may also be one half of an oblong tile.
                var sides: [(Double, Double)] = aspect > 1.05 ? [(1, aspect), (aspect, 1)] : [(1, 1)]
                if aspect > Self.oblong { sides.append((1, 1)) }
                return sides.map { across, down in
                    let (a, b) = (u * (scale / across), v * (scale / down))
                    return SIMD3(a.x * a.x + b.x * b.x, a.x * a.y + b.x * b.y, a.y * a.y + b.y * b.y)
                }
            }
            return TableTilt.Form(at: Outline.centroid(c), moments: moments, weight: weight)
        }
    }

    static func isFilled(_ shape: Shape) -> Bool {
        shape.fill > 0.55 && (shape.contrast > 12 || shape.fill > 0.9)
    }
}
