import Foundation
import Core

/// Detects the pieces of sets that differ by their faces: dice, tiles, drawn marks, discs on squares.
struct TileRecognizer {
    let set: PreparedPieceSet

    func recognize(_ raster: Raster) -> PieceFrame {
        let clock = ContinuousClock()
        let begun = clock.now
        var frame = found(in: raster)
        frame.timing_ms = ["total": (clock.now - begun).milliseconds]
        return frame
    }

    private func found(in raster: Raster) -> PieceFrame {
        let nothing = PieceFrame(board: nil, set: set.identifier, pieces: [])
        let table = TileFrame(set: set, width: raster.width, height: raster.height)
        switch set.method {
        case .dice:
            guard let image = PreparedPipImage(raster) else { return nothing }
            let reader = DiceReader(image, longSide: max(raster.width, raster.height), model: set.dieFaces)
            return table.frame(dice(reader.faces(on: image)))
        case .drawnGrid: return drawnMarks(in: raster) ?? nothing
        case .tiles: return tiles(in: raster)
        case .symbolTiles: return symbols(in: raster) ?? nothing
        case .discGrid: return discs(in: raster) ?? nothing
        case .shapes: return nothing
        }
    }

    /// On the squares of a visible mat, else on any table.
    private func symbols(in raster: Raster) -> PieceFrame? {
        guard let (tiles, mat) = SymbolTileReader(set)?.tiles(in: raster) else { return nil }
        guard let mat, let printed = mat.printed else {
            return TileFrame(set: set, width: raster.width, height: raster.height).frame(tiles)
        }
        // A printed square holds one tile.
        let edge = set.kinds[0].area.squareRoot()
        let scale = BoardView.scale
        let h = mat.toPicture.enumerated().map { $0 % 3 == 2 ? $1 : $1 / edge }
        let (width, height) = (Double(printed.columns) * edge, Double(printed.rows) * edge)
        let board = PieceFrame.Board(
            widthMM: width, heightMM: height, located: .quad, homography: h.map { $0.rounded(toPlaces: 9) },
            reprojectionPX: (mat.misfit * edge * (h[0] * h[4] - h[1] * h[3]).magnitude.squareRoot()).rounded(
                toPlaces: 3))
        func seen(_ p: Point) -> Point {
            mat.inPicture(Point((p.x + 0.5) / scale / edge, (p.y + 0.5) / scale / edge))
        }
        let fromAbove = tiles.map { tile in
            var tile = tile
            tile.corners = tile.corners.map { mat.squares($0) * (edge * scale) - Point(0.5, 0.5) }
            // Parallel to the mat, not to the picture.
            let side = tile.corners[1] - tile.corners[0]
            tile.angle = atan2(side.y, side.x)
            return tile
        }
        return TileFrame(set: set, width: Int(width * scale), height: Int(height * scale))
            .frame(fromAbove, on: board, scale: scale, inPicture: seen)
    }

    private func dice(_ faces: [DieFace]) -> [FoundTile] {
        faces.compactMap { face in
            guard case .pips(let most) = set.kinds[0].face, face.value <= most else { return nil }
            return FoundTile(
                kind: 0, corners: face.corners, angle: face.angle, value: face.value,
                residual: face.residual * face.side,
                confidence: face.confidence)
        }
    }

    private func drawnMarks(in raster: Raster) -> PieceFrame? {
        guard let grid = DrawnGrid(raster), let board = set.boardMM else { return nil }
        let square = board.width / 3
        // Millimetres → squares → pixels.
        let h = grid.homography.enumerated().map { $0 % 3 == 2 ? $1 : $1 / square }
        var frame = PieceFrame(
            board: PieceFrame.Board(
                widthMM: board.width, heightMM: board.height, located: .quad,
                homography: h.map { $0.rounded(toPlaces: 6) }, reprojectionPX: 0),
            set: set.identifier, pieces: [])
        for mark in grid.marks {
            guard let kind = set.kinds.first(where: { $0.type == mark.type }) else { continue }
            let middle = mark.box.reduce(Point(0, 0), +) * 0.25
            frame.pieces.append(
                RecognizedPiece(
                    id: frame.pieces.count + 1, type: mark.type, xMM: (middle.x * square).rounded(toPlaces: 2),
                    yMM: (middle.y * square).rounded(toPlaces: 2), angleDegrees: 0, fold: kind.fold,
                    confidence: mark.confidence.rounded(toPlaces: 4), polygonMM: mark.box.map { $0 * square },
                    polygonPX: mark.box.map(grid.inPicture), cell: .init(row: mark.row, column: mark.column),
                    symbol: mark.type))
        }
        return frame
    }

    /// On the set's own board if its markers are visible, else on any table.
    private func tiles(in raster: Raster) -> PieceFrame {
        let reader = TileReader(set)
        guard let markers = set.markers, let view = BoardView(raster, markers: markers),
            let top = view.fromAbove(raster)
        else {
            return TileFrame(set: set, width: raster.width, height: raster.height).frame(reader.tiles(in: raster))
        }
        let board = PieceFrame.Board(
            widthMM: view.widthMM, heightMM: view.heightMM, located: .aruco,
            homography: view.homography.map { $0.rounded(toPlaces: 6) },
            reprojectionPX: view.residual.rounded(toPlaces: 3))
        return TileFrame(set: set, width: top.width, height: top.height)
            .frame(
                reader.tiles(in: top, scale: view.scale), on: board, scale: view.scale, inPicture: view.inPicture)
    }

    private func discs(in raster: Raster) -> PieceFrame? {
        guard let reader = DiscGridReader(set), let board = set.boardMM,
            let (view, discs) = reader.discs(in: raster)
        else { return nil }
        let located = PieceFrame.Board(
            widthMM: board.width, heightMM: board.height, located: view.located,
            homography: view.homography.map { $0.rounded(toPlaces: 6) },
            reprojectionPX: view.residual.rounded(toPlaces: 3))
        return TileFrame(set: set, width: view.top.width, height: view.top.height)
            .frame(discs, on: located, scale: view.scale, inPicture: view.inPicture)
    }
}
