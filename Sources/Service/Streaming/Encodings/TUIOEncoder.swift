import Foundation
import Core

/// Encodes frames as TUIO 1.1, profile `/tuio/2Dobj` (https://www.tuio.org/?specification).
///
/// Positions are 0…1 of the board with y down, angles clockwise in radians. Speeds are in boards and turns per second,
/// accelerations in the same units per second.
package struct TUIOEncoder: Sendable {
    /// Maximum objects per bundle, so that it fits an Ethernet frame: 1,472 bytes, 80 for each `set`.
    private static let setsPerBundle = 12

    private let source: String
    /// Symbol ids by slot or type.
    private let symbols: [String: Int]
    private var speeds: [Int: (time: Int, speed: Double, turning: Double)] = [:]

    /// - Parameter symbols: the symbol id `i` of a slot or, without one, of a type.
    package init(source: String = "tablesight", symbols: [String: Int]) {
        self.source = source
        self.symbols = symbols
    }

    /// The datagrams of one frame. Each has `source`, `alive` with all ids, some `set`s, and the frame's `fseq`.
    package mutating func datagrams(of frame: PieceFrame) -> [Data] {
        func message(_ arguments: [OSCMessage.Argument]) -> OSCMessage {
            OSCMessage(address: "/tuio/2Dobj", arguments: arguments)
        }
        let isLocated = (frame.board?.widthMM ?? 0) > 0 && (frame.board?.heightMM ?? 0) > 0
        let pieces = isLocated ? frame.pieces.filter { $0.state != .tentative } : []
        let sets = pieces.map { piece in message(set(piece, frame)) }
        let ids = Set(pieces.map(\.id))
        speeds = speeds.filter { ids.contains($0.key) }
        let head = [
            message([.string("source"), .string(source)]),
            message([.string("alive")] + pieces.map { .int(Int32(truncatingIfNeeded: $0.id)) }),
        ]
        // TUIO clients treat 0 and −1 as a reset.
        let tail = message([.string("fseq"), .int(Int32(truncatingIfNeeded: max(1, frame.seq)))])
        return stride(from: 0, to: max(1, sets.count), by: Self.setsPerBundle).map { first in
            OSCMessage.bundle(head + sets[first..<min(sets.count, first + Self.setsPerBundle)] + [tail])
        }
    }

    private mutating func set(_ piece: RecognizedPiece, _ frame: PieceFrame) -> [OSCMessage.Argument] {
        let (width, height) = (frame.board?.widthMM ?? 1, frame.board?.heightMM ?? 1)
        let (vx, vy) = (piece.vx / width, piece.vy / height)
        let speed = (vx * vx + vy * vy).squareRoot()
        let turning = piece.va / 360
        var (motion, rotation) = (0.0, 0.0)
        if let last = speeds[piece.id], frame.t_ns > last.time {
            let seconds = Double(frame.t_ns - last.time) / 1e9
            (motion, rotation) = ((speed - last.speed) / seconds, (turning - last.turning) / seconds)
        }
        speeds[piece.id] = (frame.t_ns, speed, turning)
        let symbol = piece.slot.flatMap { symbols[$0] } ?? symbols[piece.type] ?? 0
        return [
            .string("set"), .int(Int32(truncatingIfNeeded: piece.id)), .int(Int32(truncatingIfNeeded: symbol)),
            .float(Float(piece.xMM / width)), .float(Float(piece.yMM / height)),
            .float(Float(piece.angleDegrees * .pi / 180)), .float(Float(vx)), .float(Float(vy)),
            .float(Float(turning)), .float(Float(motion)), .float(Float(rotation)),
        ]
    }
}
