import Foundation
import Core

/// One piece over time.
struct PieceTrack: Sendable {
    /// Time and pose of one detection.
    private struct Detection: Sendable {
        var time: Int
        var x: Double
        var y: Double
        var angle: Double
    }

    let id: Int
    /// The piece as reported: with the smoothed pose while it rests, and the last pose while it is occluded.
    private(set) var piece: RecognizedPiece
    private(set) var lastSeen: Int
    /// Time of the last capture that showed at least a part of the piece.
    private var lastPresent: Int
    private var isBorn = false
    private var hits = 1
    private var history: [Detection]
    /// Pose of the last rest.
    private var rest: Detection?
    private var restSince: Int?
    private var strayed = 0
    private var turnedOver = 0
    private var otherValue = 0

    init(id: Int, _ seen: RecognizedPiece, at time: Int) {
        self.id = id
        piece = seen
        piece.id = id
        piece.state = .tentative
        piece.stableMS = 0
        lastSeen = time
        lastPresent = time
        history = [Detection(time: time, x: seen.xMM, y: seen.yMM, angle: seen.angleDegrees)]
    }

    /// Expected position in millimetres. Speed is applied for at most a tenth of a second, because hands turn and stop.
    func expected(at time: Int) -> (x: Double, y: Double) {
        guard piece.state == .moving || piece.state == .tentative else { return (piece.xMM, piece.yMM) }
        let seconds = min(0.1, Double(time - lastSeen) / 1e9)
        return (piece.xMM + piece.vx * seconds, piece.yMM + piece.vy * seconds)
    }

    /// Adds a detection and returns the resulting events.
    mutating func see(_ seen: RecognizedPiece, at time: Int, isSlow: Bool, rules: TrackingRules) -> [PieceEvent.Kind] {
        var events: [PieceEvent.Kind] = []
        let wasHidden = piece.state == .occluded
        let interval = max(1, time - lastSeen)
        hits += 1
        velocity(seen, Double(interval) / 1e9)
        history.append(Detection(time: time, x: seen.xMM, y: seen.yMM, angle: seen.angleDegrees))
        let recent = history.count { time - $0.time <= 2 * rules.settleTime }
        history = history.suffix(min(64, max(rules.settleFrames, recent)))
        lastSeen = time
        if piece.state == .tentative, hits >= rules.hitsToAppear || isSlow {
            isBorn = true
            piece.state = .moving
            events.append(.appeared)
        }
        events += turnOver(seen, isSlow, rules) + changeValue(seen, isSlow, rules)
        take(seen)
        guard isBorn else {
            pose(seen)
            return events
        }
        if let rest, piece.state == .placed || wasHidden {
            let isOff = isAway(seen, from: rest, mm: rules.restMM, degrees: rules.restDegrees, fold: seen.fold)
            strayed = isOff ? strayed + 1 : 0
            if isOff, strayed >= rules.liftFrames || isSlow || wasHidden {
                events.append(.lifted)
                piece.state = .moving
                strayed = 0
                restSince = nil
            } else {
                if wasHidden { piece.state = .placed }
                if strayed == 0 { smooth(seen) }
            }
        } else if wasHidden {
            piece.state = .moving
        }
        if piece.state == .moving {
            pose(seen)
            if let since = settled(at: time, isSlow: isSlow, fold: seen.fold, rules) {
                events += settle(seen, since: since, rules)
            }
        }
        piece.stableMS = restSince.map { (time - $0) / 1_000_000 } ?? 0
        if piece.state == .placed { (piece.vx, piece.vy, piece.va) = (0, 0, 0) }
        return events
    }

    /// Records a capture without the piece and returns the resulting events; nil ends the track without an event.
    mutating func miss(at time: Int, rules: TrackingRules) -> [PieceEvent.Kind]? {
        let unseen = time - lastSeen
        guard isBorn else { return unseen > rules.flickerAfter ? nil : [] }
        (piece.vx, piece.vy, piece.va) = (0, 0, 0)
        guard unseen > rules.hiddenAfter, piece.state != .occluded else { return [] }
        piece.state = .occluded
        piece.visible = 0
        piece.stableMS = 0
        return [.occluded]
    }

    /// True if the piece has been unseen for so long that it counts as removed.
    func isGone(at time: Int, rules: TrackingRules) -> Bool {
        isBorn && time - max(lastSeen, lastPresent) > rules.removedAfter
    }

    /// Records that the piece is present but too little of it was seen to update its pose.
    mutating func stays(at time: Int) { lastPresent = time }

    /// True if a point is within this distance of the last position.
    func isNear(_ place: Point, within millimetres: Double) -> Bool {
        hypot(piece.xMM - place.x, piece.yMM - place.y) <= millimetres
    }

    var hasAppeared: Bool { isBorn }
    /// Rotation in degrees, for matching.
    var angle: Double { piece.angleDegrees }

    private mutating func take(_ seen: RecognizedPiece) {
        piece.visible = seen.visible
        piece.residualMM = seen.residualMM
        piece.slot = seen.slot ?? piece.slot
        piece.colour = seen.colour ?? piece.colour
        piece.cell = seen.cell
        piece.polygonPX = seen.polygonPX
        piece.confidence = seen.confidence
    }

    private mutating func pose(_ seen: RecognizedPiece) {
        piece.xMM = seen.xMM
        piece.yMM = seen.yMM
        piece.angleDegrees = seen.angleDegrees
        piece.polygonMM = seen.polygonMM
    }

    private mutating func velocity(_ seen: RecognizedPiece, _ seconds: Double) {
        guard let last = history.last else { return }
        let turn = (seen.angleDegrees - last.angle).remainder(dividingBy: 360 / Double(seen.fold))
        piece.vx = (0.5 * piece.vx + 0.5 * (seen.xMM - last.x) / seconds).rounded(toPlaces: 2)
        piece.vy = (0.5 * piece.vy + 0.5 * (seen.yMM - last.y) / seconds).rounded(toPlaces: 2)
        piece.va = (0.5 * piece.va + 0.5 * turn / seconds).rounded(toPlaces: 2)
    }

    /// A flip is accepted after as many detections as a lift.
    private mutating func turnOver(_ seen: RecognizedPiece, _ isSlow: Bool, _ rules: TrackingRules) -> [PieceEvent.Kind]
    {
        turnedOver = seen.flipped == piece.flipped ? 0 : turnedOver + 1
        guard turnedOver >= (isSlow || !isBorn ? 1 : rules.liftFrames) else { return [] }
        piece.flipped = seen.flipped
        turnedOver = 0
        return isBorn ? [.flipped] : []
    }

    private mutating func changeValue(
        _ seen: RecognizedPiece, _ isSlow: Bool, _ rules: TrackingRules
    ) -> [PieceEvent.Kind] {
        let isSame = seen.value == piece.value && seen.values == piece.values && seen.symbol == piece.symbol
        otherValue = isSame ? 0 : otherValue + 1
        guard otherValue >= (isSlow || !isBorn ? 1 : rules.liftFrames) else { return [] }
        (piece.value, piece.values, piece.symbol) = (seen.value, seen.values, seen.symbol)
        otherValue = 0
        return isBorn ? [.valueChanged] : []
    }

    /// Start of the time in which all detections lie close together; nil if they do not, or not for long enough.
    private func settled(at time: Int, isSlow: Bool, fold: Int, _ rules: TrackingRules) -> Int? {
        // A still shows pieces that have rested for a while.
        if isSlow { return time - rules.stillRest }
        guard let newest = history.last else { return nil }
        var since = newest.time
        var count = 0
        for detection in history.reversed() {
            let turn = (detection.angle - newest.angle).remainder(dividingBy: 360 / Double(fold))
            guard hypot(detection.x - newest.x, detection.y - newest.y) < rules.settleMM,
                abs(turn) < rules.settleDegrees
            else { break }
            since = detection.time
            count += 1
        }
        // As many frames as the stream has in that time, at least two.
        let interval = history.count > 1 ? max(1, newest.time - history[history.count - 2].time) : rules.settleTime
        let needed = max(2, min(rules.settleFrames, rules.settleTime / interval))
        return count >= needed && time - since >= rules.settleTime ? since : nil
    }

    private mutating func settle(_ seen: RecognizedPiece, since: Int, _ rules: TrackingRules) -> [PieceEvent.Kind] {
        let hasMoved = rest.map {
            isAway(seen, from: $0, mm: rules.restMM, degrees: rules.restDegrees, fold: seen.fold)
        }
        piece.state = .placed
        restSince = since
        rest = Detection(time: since, x: seen.xMM, y: seen.yMM, angle: seen.angleDegrees)
        return hasMoved == true ? [.moved, .placed] : [.placed]
    }

    /// A resting piece's pose moves a tenth of the way to each detection, so that it follows slow drift.
    private mutating func smooth(_ seen: RecognizedPiece) {
        guard var rest else { return pose(seen) }
        let span = 360 / Double(seen.fold)
        rest.x += 0.1 * (seen.xMM - rest.x)
        rest.y += 0.1 * (seen.yMM - rest.y)
        let angle = rest.angle + 0.1 * (seen.angleDegrees - rest.angle).remainder(dividingBy: span)
        rest.angle = (angle.truncatingRemainder(dividingBy: span) + span).truncatingRemainder(dividingBy: span)
        self.rest = rest
        piece.xMM = rest.x.rounded(toPlaces: 2)
        piece.yMM = rest.y.rounded(toPlaces: 2)
        piece.angleDegrees = rest.angle.rounded(toPlaces: 2)
        piece.polygonMM = seen.polygonMM
    }

    private func isAway(
        _ seen: RecognizedPiece, from rest: Detection, mm: Double, degrees: Double, fold: Int
    ) -> Bool {
        let turn = (seen.angleDegrees - rest.angle).remainder(dividingBy: 360 / Double(fold))
        return hypot(seen.xMM - rest.x, seen.yMM - rest.y) > mm || abs(turn) > degrees
    }
}
