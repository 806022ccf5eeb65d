import Foundation
import Core

/// Turns the captures of a board into the frames of one session, with stable ids, states and events.
///
/// It reads no clock: times come from the frames, so that recorded captures give the same frames again.
package struct PieceTracker: Sendable {
    private let rules: TrackingRules
    private let session: String
    private var anchor = BoardAnchor()
    private var tracks: [PieceTrack] = []
    private var nextID = 1
    /// Number of the next frame, from 1; 0 marks a single photo.
    private var seq = 1
    private var last: Int?
    private var board: PieceFrame.Board?
    private var boardSeen: Int?
    private var wasBoardFound = false

    private let interval: Int?

    /// - Parameter interval: nanoseconds between two captures if known; selects the rules for the first capture.
    package init(session: String, interval: Int? = nil, rules: TrackingRules = TrackingRules()) {
        self.session = session
        self.interval = interval
        self.rules = rules
    }

    /// Returns the session's next frame.
    ///
    /// - Parameter time: nanoseconds since the session began, strictly rising.
    package mutating func track(_ capture: PieceFrame, at time: Int) -> PieceFrame {
        let isSlow = (last.map { time - $0 } ?? interval ?? 0) >= rules.slowInterval
        last = max(last ?? time, time)
        var frame = anchor.onFirstBoard(capture)
        (frame.session, frame.seq, frame.t_ns) = (session, seq, time)
        seq += 1
        frame.events = boardEvents(frame.board, at: time)
        frame.board = board
        // Without a located board, occluded pieces cannot be distinguished from removed ones.
        if capture.board != nil {
            frame.events += match(frame.pieces, covered: frame.covered_mm ?? [], at: time, isSlow: isSlow)
        } else if board == nil {
            tracks = tracks.filter(\.hasAppeared)
        }
        frame.pieces = tracks.map(\.piece)
        return frame
    }

    /// Matches detections with tracks. An unmatched detection starts a track, which is accepted at once if captures are
    /// far apart in time.
    private mutating func match(
        _ seen: [RecognizedPiece], covered: [Point], at time: Int, isSlow: Bool
    ) -> [PieceEvent] {
        let captures = seen.filter { $0.confidence >= rules.leastConfidence }
        var events: [PieceEvent] = []
        var taken: Set<Int> = []
        let limit = rules.mostGateMM * 2
        let costs = tracks.map { track in captures.map { cost(of: $0, for: track, at: time, limit: limit) } }
        let pairs = Assignment.cheapest(costs, below: limit)
        var kept: [PieceTrack] = []
        for (index, pair) in pairs.enumerated() {
            var track = tracks[index]
            // A mostly hidden piece is present, but its pose is unreliable.
            if let pair, captures[pair].visible < rules.leastVisible, track.hasAppeared {
                taken.insert(pair)
                events += (track.miss(at: time, rules: rules) ?? []).map { PieceEvent(kind: $0, id: track.id) }
                track.stays(at: time)
                kept.append(track)
                continue
            }
            let happened: [PieceEvent.Kind]?
            if let pair {
                taken.insert(pair)
                happened = track.see(captures[pair], at: time, isSlow: isSlow, rules: rules)
            } else {
                // A piece under a hand is not removed.
                if covered.contains(where: { track.isNear($0, within: rules.coverMM) }) { track.stays(at: time) }
                happened = track.miss(at: time, rules: rules)
            }
            guard let happened else { continue }
            events += happened.map { PieceEvent(kind: $0, id: track.id) }
            if track.isGone(at: time, rules: rules) {
                events.append(PieceEvent(kind: .removed, id: track.id))
            } else {
                kept.append(track)
            }
        }
        for (index, capture) in captures.enumerated()
        where !taken.contains(index) && capture.visible >= rules.leastVisible {
            var track = PieceTrack(id: nextID, capture, at: time)
            nextID += 1
            if isSlow {
                events += track.see(capture, at: time, isSlow: true, rules: rules).map {
                    PieceEvent(kind: $0, id: track.id)
                }
            }
            kept.append(track)
        }
        tracks = kept
        return events
    }

    /// Distance in millimetres plus weighted rotation; `limit` if the detection cannot be this piece.
    private func cost(of capture: RecognizedPiece, for track: PieceTrack, at time: Int, limit: Double) -> Double {
        guard capture.type == track.piece.type, capture.colour == track.piece.colour else { return limit }
        let expected = track.expected(at: time)
        let distance = hypot(capture.xMM - expected.x, capture.yMM - expected.y)
        let unseen = Double(time - track.lastSeen) / 1e9
        let gate = min(rules.mostGateMM, rules.gateMM + rules.gateMMPerSecond * unseen)
        // A slot exists once in the set, so it is the same piece at any distance.
        let isUnique = capture.slot != nil && capture.slot == track.piece.slot
        guard isUnique || distance <= gate else { return limit }
        let turn = (capture.angleDegrees - track.angle).remainder(dividingBy: 360 / Double(capture.fold))
        return min(limit * 0.99, distance + rules.mmPerDegree * abs(turn))
    }

    private mutating func boardEvents(_ seen: PieceFrame.Board?, at time: Int) -> [PieceEvent] {
        if let seen {
            (board, boardSeen) = (seen, time)
            defer { wasBoardFound = true }
            return wasBoardFound ? [] : [PieceEvent(kind: .boardFound)]
        }
        guard let boardSeen, time - boardSeen > rules.boardLostAfter else { return [] }
        board = nil
        defer { wasBoardFound = false }
        return wasBoardFound ? [PieceEvent(kind: .boardLost)] : []
    }
}
