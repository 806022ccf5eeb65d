import Core
import Foundation
import Testing

@testable import Streaming

/// A piece that a hand moves slowly is shown where it is, without jumps, and is not put down and lifted on the way.
@Suite struct SlowMoveTests {
    /// A move of two seconds between two rests of one second, with the noise of good detections.
    struct Move: CustomStringConvertible {
        var millimetres = 0.0
        var degrees = 0.0
        var framesPerSecond = 30.0
        var seed: UInt64

        var description: String { "\(millimetres) mm/s, \(degrees)°/s, \(framesPerSecond)/s, seed \(seed)" }
        static let noise = (mm: 0.15, degrees: 0.25)

        func time(_ frame: Int) -> Double { Double(frame) / framesPerSecond }
        var frames: Int { Int(4 * framesPerSecond) }
        /// Seconds of the move that have passed.
        func moved(_ frame: Int) -> Double { min(2, max(0, time(frame) - 1)) }
        func x(_ frame: Int) -> Double { 40 + millimetres * moved(frame) }
        func angle(_ frame: Int) -> Double { 355 + degrees * moved(frame) }

        /// What the tracker says of each frame.
        var shown: [(piece: RecognizedPiece?, events: [PieceEvent.Kind])] {
            var tracker = PieceTracker(session: "test")
            var state = seed
            func random() -> Double {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Double(state >> 11) / 0x1p52 - 1
            }
            return (0..<frames).map { frame in
                let piece = RecognizedPiece(
                    id: 0, type: "triangle", xMM: x(frame) + Self.noise.mm * random(),
                    yMM: 60 + Self.noise.mm * random(),
                    angleDegrees: (angle(frame) + Self.noise.degrees * random()).truncatingRemainder(dividingBy: 360),
                    flipped: false, visible: 1, confidence: 0.95)
                let capture = PieceFrame(
                    board: .init(widthMM: 300, heightMM: 200, located: .aruco, homography: [], reprojectionPX: 0.2),
                    set: "test@1", pieces: [piece])
                let tracked = tracker.track(capture, at: Int(time(frame) * 1e9))
                return (tracked.pieces.first, tracked.events.map(\.kind))
            }
        }
    }

    /// Moves whose steps from frame to frame are within half of the limits of rest; a larger step may be a wrong detection.
    static let moves: [Move] = [10.0, 15, 30].flatMap { rate in
        (1...4 as ClosedRange<UInt64>).flatMap { seed in
            [0.0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 30, 60].flatMap { speed in
                [
                    Move(millimetres: speed, framesPerSecond: rate, seed: seed),
                    Move(degrees: 2 * speed, framesPerSecond: rate, seed: seed),
                    Move(millimetres: speed, degrees: 2 * speed, framesPerSecond: rate, seed: seed),
                ]
            }
        }
    }.filter { move in
        let rules = TrackingRules()
        return move.millimetres / move.framesPerSecond <= rules.restMM / 2
            && move.degrees / move.framesPerSecond <= rules.restDegrees / 2
    }

    private static func turn(_ one: Double, _ other: Double) -> Double {
        abs((one - other).remainder(dividingBy: 360))
    }

    @Test func `a slow move is followed within the limits of rest, and no step is larger than the move's own`() {
        let rules = TrackingRules()
        for move in Self.moves {
            let shown = move.shown.map(\.piece)
            for frame in Int(move.framesPerSecond / 2)..<move.frames {
                guard let before = shown[frame - 1], let now = shown[frame] else {
                    Issue.record("\(move): lost at frame \(frame)")
                    break
                }
                let lag = (hypot(now.xMM - move.x(frame), now.yMM - 60), Self.turn(now.angleDegrees, move.angle(frame)))
                #expect(lag.0 < rules.restMM + 2 * Move.noise.mm, "\(move): behind by \(lag.0) mm at frame \(frame)")
                #expect(lag.1 < rules.restDegrees + 2 * Move.noise.degrees, "\(move): behind by \(lag.1)° at \(frame)")
                let own = (abs(move.x(frame) - move.x(frame - 1)), abs(move.angle(frame) - move.angle(frame - 1)))
                let step = (
                    hypot(now.xMM - before.xMM, now.yMM - before.yMM), Self.turn(now.angleDegrees, before.angleDegrees)
                )
                #expect(step.0 < 1.5 * own.0 + 4 * Move.noise.mm, "\(move): a step of \(step.0) mm at frame \(frame)")
                #expect(step.1 < 1.5 * own.1 + 4 * Move.noise.degrees, "\(move): a step of \(step.1)° at \(frame)")
            }
        }
    }

    @Test func `a piece is lifted at most once in a move, and rests after it`() {
        for move in Self.moves {
            let shown = move.shown
            let events = shown.flatMap(\.events)
            #expect(events.count { $0 == .lifted } <= 1, "\(move): \(events)")
            #expect(shown.last?.piece?.state == .placed, "\(move)")
            if move.millimetres == 0, move.degrees == 0 {
                #expect(events == [.boardFound, .appeared, .placed], "\(move): \(events)")
            }
        }
    }

    @Test func `the shown pose of a resting piece is steadier than its detections`() throws {
        for seed in 1...4 as ClosedRange<UInt64> {
            let shown = Move(seed: seed).shown.compactMap(\.piece)[60...]
            let spread = (shown.map(\.xMM).max() ?? 0) - (shown.map(\.xMM).min() ?? 0)
            #expect(spread < Move.noise.mm, "seed \(seed): \(spread) mm")
        }
    }
}
