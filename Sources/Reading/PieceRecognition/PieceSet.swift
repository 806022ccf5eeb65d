import Foundation
import Core

/// A set of flat play pieces, as described by `models/piece-sets/<name>.json`.
///
/// A piece is a convex polygon of 3 or 4 corners, a rectangle or a disc, and may show pips, a glyph or a symbol.
public struct PieceSet: Sendable {
    public let name: String
    public let version: String
    public let title: String
    /// Thickness of the pieces, millimetres.
    public let thicknessMM: Double
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

    /// The identifier in a frame: `tangram@1`.
    public var identifier: String { "\(name)@\(version)" }
    /// Colours that distinguish pieces; empty if all have the same colour.
    var palette: [[UInt8]] { kinds.flatMap { $0.members.compactMap(\.rgb) } }

    /// Reads and checks one set.
    /// - Throws: `StartupError` that names the file, the key and what to do.
    public static func load(_ name: String, from models: ModelFolder) throws -> PieceSet {
        let path = "piece-sets/\(name).json"
        let known = try models.names(in: "piece-sets", withExtension: "json").map { String($0.dropLast(5)) }
        guard known.contains(name) else {
            throw StartupError(.usage, "no piece set \(name): choose one of \(known.joined(separator: ", "))")
        }
        let file = try models.load(PieceSetFile.self, from: path)
        do {
            var set = try PieceSet(file, name: name)
            if set.method == .dice { set.dieFaces = try DieFaceModel.load(from: models) }
            return set
        } catch let problem as PieceSetFile.Problem {
            let place = models.url.appending(path: path).path
            throw StartupError(.configuration, "\(place), \(problem.key): \(problem.detail)")
        }
    }

    /// Checks the rules that a schema cannot express.
    init(_ file: PieceSetFile, name: String) throws {
        typealias Problem = PieceSetFile.Problem
        guard file.schema == "tablesight.piece-set/1" else {
            throw Problem(key: "schema", detail: "\(file.schema) is unknown: write tablesight.piece-set/1")
        }
        guard file.name == name else {
            throw Problem(key: "name", detail: "\(file.name) differs from the file's name: make them the same")
        }
        guard !file.version.isEmpty else { throw Problem(key: "version", detail: "empty: number the set, from 1") }
        guard file.units == "mm" else {
            throw Problem(key: "units", detail: "\(file.units) is unknown: give lengths in mm")
        }
        guard (0...100).contains(file.thicknessMM) else {
            throw Problem(key: "thickness_mm", detail: "\(file.thicknessMM) is not 0…100: give millimetres")
        }
        guard !file.pieces.isEmpty else { throw Problem(key: "pieces", detail: "empty: describe at least one piece") }
        var kinds: [PieceKind] = []
        var slots: Set<String> = []
        for (index, entry) in file.pieces.enumerated() {
            let kind = try entry.kind(key: "pieces[\(index)]")
            if let slot = entry.slot, !slots.insert(slot).inserted {
                throw Problem(key: "pieces[\(index)].slot", detail: "\(slot) occurs twice: name each slot once")
            }
            guard let known = kinds.firstIndex(where: { $0.type == kind.type }) else {
                kinds.append(kind)
                continue
            }
            let alike = zip(kinds[known].corners, kind.corners).allSatisfy { ($0 - $1).length < 0.01 }
            guard alike, kinds[known].corners.count == kind.corners.count, kinds[known].fold == kind.fold else {
                throw Problem(
                    key: "pieces[\(index)].shape",
                    detail: "differs from another \(kind.type): give pieces of one type the same shape")
            }
            kinds[known].members += kind.members
        }
        let coloured = kinds.flatMap(\.members).filter { $0.rgb != nil }.count
        guard coloured == 0 || coloured == kinds.flatMap(\.members).count, coloured <= 32 else {
            throw Problem(key: "pieces", detail: "give every piece (at most 32) a colour, or write \"any\" for all")
        }
        for index in kinds.indices { kinds[index].matcher = FaceMatcher(kinds[index].face) }
        self.name = name
        self.version = file.version
        self.title = file.title
        self.thicknessMM = file.thicknessMM
        self.kinds = kinds
        markers = try file.board?.boardMarkers()
        grid = try file.board?.boardGrid()
        boardMM = file.board.map { ($0.w_mm, $0.h_mm) }
        method = try Self.method(kinds, grid: grid, thickness: file.thicknessMM)
    }

    private static func method(_ kinds: [PieceKind], grid: BoardGrid?, thickness: Double) throws -> ReadingMethod {
        typealias Problem = PieceSetFile.Problem
        if let grid, grid.isDrawn {
            guard kinds.allSatisfy({ ["cross", "nought"].contains($0.type) }) else {
                throw Problem(key: "pieces", detail: "on a drawn grid the types cross and nought are read")
            }
            return .drawnGrid
        }
        if grid != nil, kinds.allSatisfy(\.isDisc) {
            guard kinds.allSatisfy({ $0.members.allSatisfy { $0.rgb != nil } }) else {
                throw Problem(key: "pieces", detail: "give the discs of a grid their colours")
            }
            return .discGrid
        }
        var methods = Set(
            try kinds.map { kind throws(PieceSetFile.Problem) -> ReadingMethod in
                switch kind.face {
                case .none where !kind.isDisc: return .shapes
                case .none, .glyph: return .tiles
                // A piece as thick as wide shows other faces too.
                case .pips where thickness > 0.5 * kind.edges.shorter: return .dice
                case .pips: return .tiles
                case .symbol:
                    guard kind.members.allSatisfy({ $0.rgb != nil }) else {
                        throw Problem(key: "pieces", detail: "give pieces with symbols their colours")
                    }
                    return .symbolTiles
                }
            })
        // Plain squares beside discs are detected like tiles.
        if methods == [.shapes, .tiles], kinds.allSatisfy({ $0.corners.count == 4 && !$0.chiral }) {
            methods = [.tiles]
        }
        guard let method = methods.first, methods.count == 1 else {
            throw Problem(key: "pieces", detail: "plain pieces, tiles, dice and symbols cannot be mixed in one set")
        }
        return method
    }
}
