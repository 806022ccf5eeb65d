import Testing
import Core

@testable import Streaming

struct PieceTrackerTests {
    private let frameTime = 33_333_333

    private func piece(
        _ type: String, _ x: Double, _ y: Double, angle: Double = 0, visible: Double = 1, slot: String? = nil,
        flipped: Bool = false, value: Int? = nil
    ) -> RecognizedPiece {
        RecognizedPiece(
            id: 0, slot: slot, type: type, xMM: x, yMM: y, angleDegrees: angle, flipped: flipped, visible: visible,
            confidence: 0.95, value: value)
    }

    private func capture(_ pieces: [RecognizedPiece], board: Bool = true) -> PieceFrame {
        PieceFrame(
            board: board
                ? .init(widthMM: 300, heightMM: 200, located: .aruco, homography: [], reprojectionPX: 0.2) : nil,
            set: "test@1", pieces: pieces)
    }

    /// The frames of captures at 30 per second.
    private func frames(_ captures: [PieceFrame]) -> [PieceFrame] {
        var tracker = PieceTracker(session: "test")
        return captures.enumerated().map { tracker.track($1, at: $0 * frameTime) }
    }

    private func kinds(_ frames: [PieceFrame]) -> [PieceEvent.Kind] { frames.flatMap { $0.events.map(\.kind) } }

    @Test func `a piece appears at its third detection and is placed soon after it rests`() {
        let all = frames((0..<12).map { _ in capture([piece("square", 50, 50)]) })
        #expect(kinds(Array(all[..<2])) == [.boardFound])
        #expect(all[2].events.map(\.kind) == [.appeared])
        let placed = all.first { $0.events.contains { $0.kind == .placed } }
        #expect((placed?.t_ns ?? .max) <= 250_000_000)
        #expect(all.last?.pieces.first?.state == .placed)
        #expect((all.last?.pieces.first?.stableMS ?? 0) > 300)
    }

    @Test func `flicker is not reported as a piece`() {
        let captures = (0..<30).map { capture($0 % 10 == 3 ? [piece("square", 50, 50)] : []) }
        #expect(kinds(frames(captures)) == [.boardFound])
    }

    @Test func `a pushed piece is lifted, moved and placed, under one id`() {
        let captures = (0..<60).map { frame -> PieceFrame in
            let share = min(1, max(0, Double(frame - 15) / 15))
            return capture([piece("square", 50 + 100 * share, 50, angle: 40 * share)])
        }
        let all = frames(captures)
        #expect(kinds(all) == [.boardFound, .appeared, .placed, .lifted, .moved, .placed])
        #expect(Set(all.flatMap { $0.pieces.map(\.id) }).count == 1)
    }

    @Test func `an occluded piece that returns elsewhere was lifted`() {
        let captures = (0..<60).map { frame -> PieceFrame in
            if frame < 15 { return capture([piece("square", 50, 50)]) }
            return capture(frame < 30 ? [] : [piece("square", 120, 90)])
        }
        let all = frames(captures)
        #expect(kinds(all) == [.boardFound, .appeared, .placed, .occluded, .lifted, .moved, .placed])
        #expect(Set(all.flatMap { $0.pieces.map(\.id) }).count == 1)
    }

    @Test func `an occluded piece that returns in its place causes no event`() {
        let captures = (0..<60).map { (15..<30).contains($0) ? capture([]) : capture([piece("square", 50, 50)]) }
        #expect(kinds(frames(captures)) == [.boardFound, .appeared, .placed, .occluded])
    }

    @Test func `a partly occluded piece keeps its pose`() {
        let captures = (0..<40).map { frame in
            capture([frame < 20 ? piece("square", 50, 50) : piece("square", 58, 44, angle: 30, visible: 0.5)])
        }
        let last = frames(captures).last?.pieces.first
        #expect(last?.state == .occluded)
        #expect(last?.xMM == 50)
    }

    @Test func `a piece unseen for 1.5 s is removed, and its id is not reused`() {
        let captures = (0..<90).map { (15..<65).contains($0) ? capture([]) : capture([piece("square", 50, 50)]) }
        let all = frames(captures)
        #expect(kinds(all) == [.boardFound, .appeared, .placed, .occluded, .removed, .appeared, .placed])
        #expect(Set(all.flatMap { $0.pieces.map(\.id) }).count == 2)
    }

    @Test func `a piece under a hand is never removed`() {
        let captures = (0..<120).map { frame -> PieceFrame in
            var capture = capture((15..<105).contains(frame) ? [] : [piece("square", 50, 50)])
            capture.covered_mm = (15..<105).contains(frame) ? [Point(45, 55), Point(45, 65)] : []
            return capture
        }
        let all = frames(captures)
        #expect(kinds(all) == [.boardFound, .appeared, .placed, .occluded])
        #expect(Set(all.flatMap { $0.pieces.map(\.id) }).count == 1)
    }

    @Test func `equal pieces that pass each other keep their ids`() {
        let captures = (0..<40).map { frame -> PieceFrame in
            let x = Double(frame) * 5
            return capture([piece("triangle", 20 + x, 50), piece("triangle", 220 - x, 66)])
        }
        let all = frames(captures)
        let (first, last) = (all[5].pieces, all[39].pieces)
        let upper = first.first { $0.yMM == 50 }?.id
        #expect(last.first { $0.yMM == 50 }?.id == upper)
        #expect(Set(all.flatMap { $0.pieces.map(\.id) }).count == 2)
    }

    @Test func `a slot of the set is the same piece everywhere`() {
        let captures = (0..<40).map { capture([piece("square", $0 < 20 ? 30 : 280, 50, slot: "square")]) }
        #expect(Set(frames(captures).flatMap { $0.pieces.map(\.id) }).count == 1)
    }

    @Test func `flipping a piece and turning a die are events`() {
        let captures = (0..<40).map {
            capture([piece("parallelogram", 50, 50, flipped: $0 >= 20), piece("die", 150, 50, value: $0 >= 20 ? 5 : 2)])
        }
        let events = frames(captures).flatMap(\.events).map(\.kind)
        #expect(events.filter { $0 == .flipped }.count == 1)
        #expect(events.filter { $0 == .valueChanged }.count == 1)
    }

    @Test func `losing and finding the board are events, and pieces survive a short loss`() {
        let captures = (0..<60).map { frame in
            capture(
                (20..<25).contains(frame) || (35..<55).contains(frame) ? [] : [piece("square", 50, 50)],
                board: !((20..<25).contains(frame) || (35..<55).contains(frame)))
        }
        let all = frames(captures)
        #expect(kinds(all) == [.boardFound, .appeared, .placed, .boardLost, .boardFound])
        #expect(all[22].board != nil)
        #expect(all[53].board == nil)
    }

    @Test func `pieces on stills far apart in time are placed at once`() {
        var tracker = PieceTracker(session: "test", interval: 1_000_000_000)
        let first = tracker.track(capture([piece("square", 50, 50)]), at: 0)
        #expect(first.pieces.first?.state == .placed)
        let second = tracker.track(capture([piece("square", 90, 50)]), at: 1_000_000_000)
        #expect(second.events.map(\.kind) == [.lifted, .moved, .placed])
    }

    @Test func `the same captures give the same frames`() {
        let captures = (0..<40).map { capture([piece("square", 50 + Double($0 % 7), 50, angle: Double($0))]) }
        #expect(frames(captures) == frames(captures))
    }

    @Test func `the matching has the minimum cost`() {
        // All permutations of a 5×5 matrix of fixed pseudo-random costs.
        var seed: UInt64 = 7
        let costs = (0..<5).map { _ in
            (0..<5).map { _ -> Double in
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Double(seed >> 40).truncatingRemainder(dividingBy: 97)
            }
        }
        func least(_ row: Int, _ free: Set<Int>) -> Double {
            row == 5 ? 0 : free.map { costs[row][$0] + least(row + 1, free.subtracting([$0])) }.min() ?? 0
        }
        let found = Assignment.cheapest(costs, below: 1000)
        let sum = found.enumerated().reduce(0.0) { $0 + costs[$1.offset][$1.element ?? 0] }
        #expect(Set(found.compactMap { $0 }).count == 5)
        #expect(sum == least(0, Set(0..<5)))
        #expect(Assignment.cheapest([[5, 900], [3, 2]], below: 4) == [nil, 1])
    }
}
