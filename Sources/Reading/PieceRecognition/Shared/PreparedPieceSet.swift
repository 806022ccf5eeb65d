import Foundation
import Core

/// A piece set prepared for recognition: pieces grouped by shape, face matchers and the detection method.
///
/// A piece is a convex polygon of 3 or 4 corners, a rectangle or a disc, and may show pips, a glyph or a symbol.
package struct PreparedPieceSet: Sendable {
    package let name: String
    package let version: String
    /// Thickness of the pieces, millimetres.
    package let thicknessMM: Double
    let kinds: [PieceKind]
    /// Nil for a set that is played on any table.
    let markers: BoardMarkers?
    /// Nil for a set whose board has no squares.
    let grid: BoardGrid?
    /// Size of the set's board, millimetres; nil for any table.
    let boardMM: (width: Double, height: Double)?
    let method: ReadingMethod
    /// The model of dice faces; nil for other sets.
    private(set) var dieFaces: DieFaceModel?
    /// Probabilities of pieces; nil to report the detector's scores.
    private(set) var calibration: PieceCalibration?

    /// The identifier in a frame: `tangram@1`.
    package var identifier: String { "\(name)@\(version)" }
    /// Colours that distinguish pieces; empty if all have the same colour.
    var palette: [[UInt8]] { kinds.flatMap { $0.members.compactMap(\.rgb) } }

    /// Loads one set.
    ///
    /// - Throws: `StartupError` that names the file, the key and what to do.
    package static func load(_ name: String, from models: ModelFolder) throws -> PreparedPieceSet {
        let set = try PieceSet.named(name, in: models)
        do {
            var prepared = try PreparedPieceSet(set)
            // A folder of one's own sets may be without it.
            if FileManager.default.fileExists(atPath: models.url.appending(path: PieceCalibration.path).path) {
                prepared.calibration = try models.load(PieceCalibration.self, from: PieceCalibration.path)
            }
            if prepared.method == .dice { prepared.dieFaces = try DieFaceModel.load(from: models) }
            return prepared
        } catch let problem as DataFileProblem {
            let file = models.url.appending(path: "piece-sets/\(name).json")
            throw StartupError(
                .configuration, "\(file.path), \(problem.key): \(problem.detail); \(PieceSet.remedy)")
        }
    }

    /// Checks what recognition requires of the pieces.
    init(_ set: PieceSet) throws(DataFileProblem) {
        var kinds: [PieceKind] = []
        for (index, piece) in set.pieces.enumerated() {
            let kind = try PieceKind(piece, key: "pieces[\(index)]")
            guard let known = kinds.firstIndex(where: { $0.type == kind.type }) else {
                kinds.append(kind)
                continue
            }
            let alike = zip(kinds[known].corners, kind.corners).allSatisfy { ($0 - $1).length < 0.01 }
            guard alike, kinds[known].corners.count == kind.corners.count, kinds[known].fold == kind.fold else {
                throw DataFileProblem(
                    "pieces[\(index)].shape",
                    "differs from another \(kind.type): give pieces of one type the same shape")
            }
            kinds[known].members += kind.members
        }
        name = set.name
        version = set.version
        thicknessMM = set.thicknessMM
        self.kinds = kinds
        markers = set.board?.markers
        grid = set.board?.grid
        boardMM = set.board.map { ($0.widthMM, $0.heightMM) }
        method = try Self.method(kinds, grid: grid, thickness: thicknessMM)
    }

    private static func method(
        _ kinds: [PieceKind], grid: BoardGrid?, thickness: Double
    ) throws(DataFileProblem) -> ReadingMethod {
        if let grid, grid.isDrawn {
            guard kinds.allSatisfy({ ["cross", "nought"].contains($0.type) }) else {
                throw DataFileProblem("pieces", "on a drawn grid the types cross and nought are read")
            }
            return .drawnGrid
        }
        if grid != nil, kinds.allSatisfy(\.isDisc) {
            guard kinds.allSatisfy({ $0.members.allSatisfy { $0.rgb != nil } }) else {
                throw DataFileProblem("pieces", "give the discs of a grid their colours")
            }
            return .discGrid
        }
        var methods: Set<ReadingMethod> = []
        for kind in kinds {
            let method: ReadingMethod =
                switch kind.face {
                case .none where !kind.isDisc: .shapes
                case .none, .glyph: .tiles
                // A piece as thick as wide shows other faces too.
                case .pips where thickness > 0.5 * kind.edges.shorter: .dice
                case .pips: .tiles
                case .symbol: .symbolTiles
                }
            guard method != .symbolTiles || kind.members.allSatisfy({ $0.rgb != nil }) else {
                throw DataFileProblem("pieces", "give pieces with symbols their colours")
            }
            methods.insert(method)
        }
        // Plain squares beside discs are detected like tiles.
        if methods == [.shapes, .tiles], kinds.allSatisfy({ $0.corners.count == 4 && !$0.chiral }) {
            methods = [.tiles]
        }
        guard let method = methods.first, methods.count == 1 else {
            throw DataFileProblem("pieces", "plain pieces, tiles, dice and symbols cannot be mixed in one set")
        }
        return method
    }
}
