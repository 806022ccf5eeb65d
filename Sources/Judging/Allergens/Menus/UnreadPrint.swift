import Core
import Documents

extension MenuJudge {
    /// A line is not understood if it is probably misread or belongs nowhere.
    func unreadLines(
        _ page: MenuPage, _ dishes: [ReadDish], _ reading: TextReading, _ context: PageContext
    ) -> [Menu.UnreadLine] {
        let loose = page.loose.filter {
            $0.isDish >= Self.minimumLostLineProbability && $0.words.contains { $0.text.count { $0.isLetter } >= 3 }
                || !$0.codes.isEmpty
        }.compactMap { line -> Menu.UnreadLine? in
            let dish = line.nearestDish.flatMap { dishes.indices.contains($0) ? dishes[$0] : nil }
            return Quad(around: line.words.map(\.box)).map {
                unread(line.words, codes: line.codes, at: $0, of: dish, context)
            }
        }
        let misread = reading.lines.filter { $0.confidence < Self.minimumLineConfidence }.filter { line in
            !loose.contains { $0.box.covers(line.box) > 0.5 || line.box.covers($0.box) > 0.5 }
        }.map { line in
            let dish = dishes.first { $0.own.box.map { $0.covers(line.box) > 0.5 } ?? false }
            return unread(line.words, codes: [], at: line.box, of: dish, context)
        }
        let silent = (reading.unreadBoxes ?? []).map { box in
            Menu.UnreadLine(text: "", box: box, dish: Self.dish(at: box, of: dishes.map(\.own))?.name)
        }
        return (loose + misread + silent).sorted { $0.box.center.y < $1.box.center.y }
    }

    /// The dish that a line without words may belong to: the one around it, or the nearest one above it.
    private static func dish(at line: Quad, of dishes: [Menu.Item]) -> Menu.Item? {
        let near = dishes.filter { dish in
            guard let box = dish.box else { return false }
            let gap = line.minY - box.maxY
            let isBelow = gap < nearestLines * line.height && line.center.y > box.center.y
            return box.covers(line) > 0.5 || isBelow && line.minX < box.maxX && box.minX < line.maxX
        }
        return near.max { ($0.box?.center.y ?? 0) < ($1.box?.center.y ?? 0) }
    }

    /// Heights of a line below a dish within which the line may continue it.
    private static let nearestLines = 2.0

    /// Share of a page's print, by length in heights of its line, that was not read or is probably misread: 0…1.
    static func unreadShare(of reading: TextReading) -> Double {
        func length(_ box: Quad) -> Double { max(box.width, box.height) / max(1, min(box.width, box.height)) }
        let silent = (reading.unreadBoxes ?? []).reduce(0) { $0 + length($1) }
        let (misread, read) = reading.lines.reduce((0.0, 0.0)) { sums, line in
            let length = length(line.box)
            return line.confidence < misreadLine ? (sums.0 + length, sums.1) : (sums.0, sums.1 + length)
        }
        let whole = silent + misread + read
        return whole > 0 ? (silent + misread) / whole : 0
    }

    /// Lines that are more probably wrong than right.
    private static let misreadLine = 0.5

    /// The line with the allergens that it names and its dish is not known to contain.
    private func unread(
        _ words: [Word], codes: [PrintedCode], at box: Quad, of dish: ReadDish?, _ context: PageContext
    ) -> Menu.UnreadLine {
        let known = dish?.own.findings.filter { $0.polarity == .contains }.map(\.allergen) ?? []
        let named =
            codes.isEmpty
            ? detector.findings(in: RecognizedText(rows: [words]), language: context.language)
            : codeFindings(codes, context.legend, context.language ?? "und", true).findings
        let findings = named.filter {
            [.contains, .likely, .mayContain].contains($0.polarity) && !known.contains($0.allergen)
        }
        return Menu.UnreadLine(
            text: words.map(\.text).joined(separator: " "), box: box, dish: dish?.own.name,
            findings: findings.isEmpty ? nil : findings)
    }
}
