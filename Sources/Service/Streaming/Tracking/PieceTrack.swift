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
                let seconds = Double(interval) / 1e9
                if strayed == 0 { self.rest = drifted(rest, to: seen, seconds, rules) }
                follow(seen, seconds, rules)
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
        guard count >= needed, time - since >= rules.settleTime else { return nil }
        return drifts(in: history.suffix(count), fold: fold, rules) ? nil : since
    }

    /// True if the second half of these detections lies so far from the first that the piece is still moving slowly.
    private func drifts(in detections: ArraySlice<Detection>, fold: Int, _ rules: TrackingRules) -> Bool {
        let (first, second) = (detections.prefix(detections.count / 2), detections.suffix(detections.count / 2))
        guard let start = detections.first else { return false }
        func mean(_ part: ArraySlice<Detection>, _ value: (Detection) -> Double) -> Double {
            part.reduce(0) { $0 + value($1) } / Double(max(1, part.count))
        }
        func change(_ value: (Detection) -> Double) -> Double { mean(second, value) - mean(first, value) }
        let seconds = change { Double($0.time - start.time) / 1e9 }
        let turn = change { ($0.angle - start.angle).remainder(dividingBy: 360 / Double(fold)) }
        return hypot(change(\.x), change(\.y)) > rules.settleMMPerSecond * seconds
            || abs(turn) > rules.settleDegreesPerSecond * seconds
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

    /// The place of rest after a detection: it follows slow drift, and a piece that moves faster leaves it.
    private func drifted(
        _ rest: Detection, to seen: RecognizedPiece, _ seconds: Double, _ rules: TrackingRules
    ) -> Detection {
        var rest = rest
        let gain = 1 - exp(-seconds / rules.restSeconds)
        rest.x += gain * (seen.xMM - rest.x)
        rest.y += gain * (seen.yMM - rest.y)
        rest.angle = Self.turned(rest.angle, gain, to: seen)
        return rest
    }

    /// Moves the shown pose of a resting piece towards a detection, more the further it is off, so that a slow move is
    /// shown without jumps and noise is not. A detection outside the limits of rest may be wrong and is not followed.
    private mutating func follow(_ seen: RecognizedPiece, _ seconds: Double, _ rules: TrackingRules) {
        let turn = (seen.angleDegrees - piece.angleDegrees).remainder(dividingBy: 360 / Double(seen.fold))
        let off = max(
            hypot(seen.xMM - piece.xMM, seen.yMM - piece.yMM) / rules.restMM, abs(turn) / rules.restDegrees)
        guard off <= 1 else { return }
        let least = 1 - exp(-seconds / rules.restSeconds)
        let gain = least + (1 - least) * max(0, off - rules.quietShare) / (1 - rules.quietShare)
        piece.xMM = (piece.xMM + gain * (seen.xMM - piece.xMM)).rounded(toPlaces: 2)
        piece.yMM = (piece.yMM + gain * (seen.yMM - piece.yMM)).rounded(toPlaces: 2)
        piece.angleDegrees = Self.turned(piece.angleDegrees, gain, to: seen).rounded(toPlaces: 2)
        piece.polygonMM = seen.polygonMM
    }

    /// The angle after this share of the shorter turn to a detection, 0 up to a fold.
    private static func turned(_ angle: Double, _ share: Double, to seen: RecognizedPiece) -> Double {
        let span = 360 / Double(seen.fold)
        let turned = angle + share * (seen.angleDegrees - angle).remainder(dividingBy: span)
        return (turned.truncatingRemainder(dividingBy: span) + span).truncatingRemainder(dividingBy: span)
    }

    private func isAway(
        _ seen: RecognizedPiece, from rest: Detection, mm: Double, degrees: Double, fold: Int
    ) -> Bool {
        let turn = (seen.angleDegrees - rest.angle).remainder(dividingBy: 360 / Double(fold))
        return hypot(seen.xMM - rest.x, seen.yMM - rest.y) > mm || abs(turn) > degrees
    }
}
