import Core

/// Reliability diagram: stated probability against the share of correct findings, one line for each evidence
/// strength.
public struct ReliabilityDiagram: Sendable {
    private static let colours: [AllergenFinding.Strength: String] = [
        .declared: "#1b6e3c", .ingredient: "#1f5fa8", .legendCode: "#7a3fa0", .dishKnowledge: "#b0611a",
        .fuzzy: "#a8232f",
    ]

    public let svg: String

    /// - Parameter leftOut: the same findings with each operator left out of the fit; drawn dashed.
    public init(
        _ rows: [(strength: AllergenFinding.Strength, table: ReliabilityTable)],
        leftOut: [(strength: AllergenFinding.Strength, table: ReliabilityTable)] = []
    ) {
        var parts = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 520 460\" font-family=\"sans-serif\" font-size=\"12\">",
            "<rect width=\"520\" height=\"460\" fill=\"white\"/>",
            "<line x1=\"60\" y1=\"400\" x2=\"420\" y2=\"40\" stroke=\"#bbb\" stroke-dasharray=\"4 4\"/>",
            "<path d=\"M60 40 V400 H420\" fill=\"none\" stroke=\"#333\"/>",
            "<text x=\"180\" y=\"440\">probability that was said</text>",
            "<text x=\"20\" y=\"280\" transform=\"rotate(-90 20 280)\">share that held</text>",
        ]
        for step in 0...5 {
            let value = Double(step) / 5
            let label = step == 5 ? "1" : "0.\(step * 2)"
            parts.append("<text x=\"\(Self.text(60 + 360 * value - 6))\" y=\"418\">\(label)</text>")
            parts.append("<text x=\"34\" y=\"\(Self.text(404 - 360 * value))\">\(label)</text>")
        }
        for (number, row) in rows.enumerated() {
            let colour = Self.colours[row.strength] ?? "#000"
            let bins = row.table.bins.filter { $0.count > 0 }
            let points = bins.map { "\(Self.text(60 + 360 * $0.mean)),\(Self.text(400 - 360 * $0.share))" }
            parts.append("<polyline points=\"\(points.joined(separator: " "))\" fill=\"none\" stroke=\"\(colour)\"/>")
            for bin in bins {
                let radius = min(9, 2 + Double(bin.count).squareRoot() / 4)
                parts.append(
                    "<circle cx=\"\(Self.text(60 + 360 * bin.mean))\" cy=\"\(Self.text(400 - 360 * bin.share))\" "
                        + "r=\"\(Self.text(radius))\" fill=\"\(colour)\"/>")
            }
            let error = Self.text(row.table.error)
            parts.append(
                "<text x=\"70\" y=\"\(56 + number * 18)\" fill=\"\(colour)\">"
                    + "\(row.strength.rawValue): error \(error), \(row.table.count) findings</text>")
        }
        for row in leftOut {
            let bins = row.table.bins.filter { $0.count > 0 }
            let points = bins.map { "\(Self.text(60 + 360 * $0.mean)),\(Self.text(400 - 360 * $0.share))" }
            parts.append(
                "<polyline points=\"\(points.joined(separator: " "))\" fill=\"none\" "
                    + "stroke=\"\(Self.colours[row.strength] ?? "#000")\" stroke-dasharray=\"5 3\"/>")
        }
        if !leftOut.isEmpty {
            let place = 56 + rows.count * 18
            parts.append("<text x=\"70\" y=\"\(place)\">dashed: each operator left out of the fit</text>")
        }
        svg = (parts + ["</svg>"]).joined(separator: "\n") + "\n"
    }

    private static func text(_ value: Double) -> String { "\(value.rounded(toPlaces: 3))" }
}
