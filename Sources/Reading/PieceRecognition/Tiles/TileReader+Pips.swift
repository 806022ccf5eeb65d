import Core
import Foundation

extension TileReader {
    /// Round parts of similar size on each half; nil if the face shows something else.
    static func pips(
        _ ink: TileFace.Ink, face: TileFace, halves: Int, most: Int, hasBar: Bool
    ) -> (counts: [Int], certainty: Double)? {
        let square = Double(TileFace.side * TileFace.side)
        let round = ink.parts.filter { part in
            let (w, h) = (Double(part.width), Double(part.height))
            return max(w, h) < 1.6 * min(w, h) && (0.6...0.95).contains(Double(part.area) / (w * h))
                && (0.004...0.09).contains(Double(part.area) / square)
        }
        guard ink.contrast >= minContrast || round.isEmpty else { return nil }
        let areas = round.map { Double($0.area) }
        let usual = areas.median ?? 0
        let pips = round.filter { Double($0.area) > 0.45 * usual && Double($0.area) < 2 * usual }
        // The line between the halves is long, narrow and centred.
        let line = ink.parts.filter { part in
            halves == 2 && Double(part.height) > 0.5 * Double(face.height) && part.width < face.width / 6
                && abs(part.middle.x - Double(face.width) / 2) < 0.1 * Double(face.width)
        }
        let other = ink.parts.filter { part in
            !pips.contains { $0.label == part.label } && !line.contains { $0.label == part.label }
                && Double(part.area) > 0.4 * max(usual, 0.004 * square)
        }
        var places = [[Point]](repeating: [], count: halves)
        let edge = Double(TileFace.side)
        for pip in pips {
            let half = min(halves - 1, Int(pip.middle.x / edge))
            places[half].append(
                Point((pip.middle.x + 0.5) / edge - Double(half) - 0.5, (pip.middle.y + 0.5) / edge - 0.5))
        }
        let counts = places.map(\.count)
        guard counts.allSatisfy({ $0 <= most }), halves == 2 || counts[0] > 0, places.allSatisfy(PipLayout.isUsual)
        else { return nil }
        // A blank domino can only be recognised by its line.
        guard !pips.isEmpty || ((hasBar || !line.isEmpty) && other.isEmpty) else { return nil }
        let spread = (areas.max() ?? 1) / max(1, areas.min() ?? 1)
        // Other ink is evidence against a number of pips.
        let certainty = exp(-1.2 * Double(other.count)) * exp(-pow(max(0, log(spread) - 0.5) / 0.7, 2))
        return (counts, certainty)
    }
}
