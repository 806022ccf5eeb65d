import Foundation
import Core

/// Deskews a reading so that its lines are horizontal, and maps results back to the photo.
///
/// A skew of two degrees moves a price at the right edge by a whole row. Rows are therefore joined on the deskewed
/// page.
struct PageDeskew {
    /// Slope of the lines, radians clockwise.
    let slope: Double
    private let sine, cosine: Double

    /// The median slope of the printed lines, weighted by length; 0 if there are no lines.
    init(of reading: TextReading) {
        let slopes = reading.lines.map { line in
            let run = line.box.topRight.x - line.box.topLeft.x
            let rise = line.box.topRight.y - line.box.topLeft.y
            return (slope: run > 0 ? atan2(rise, run) : 0, weight: max(0, run))
        }.sorted { $0.slope < $1.slope }
        let half = slopes.reduce(0) { $0 + $1.weight } / 2
        var passed = 0.0
        slope =
            slopes.first { line in
                passed += line.weight
                return passed >= half && line.weight > 0
            }?.slope ?? 0
        (sine, cosine) = (sin(slope), cos(slope))
    }

    /// The reading with horizontal lines.
    func deskewed(_ reading: TextReading) -> TextReading {
        guard slope != 0 else { return reading }
        var level = reading
        for line in reading.lines.indices {
            level.lines[line].box = rotated(reading.lines[line].box, sine: -sine)
            for word in reading.lines[line].words.indices {
                level.lines[line].words[word].box = rotated(reading.lines[line].words[word].box, sine: -sine)
            }
        }
        return level
    }

    /// The label with boxes in pixels of the photo.
    func restored(_ label: Label) -> Label {
        guard slope != 0 else { return label }
        var label = label
        label.findings = label.findings.map(restored)
        label.ingredients = label.ingredients.map(restored)
        return label
    }

    private func restored(_ finding: AllergenFinding) -> AllergenFinding {
        var finding = finding
        for index in finding.evidence.indices {
            finding.evidence[index].box = finding.evidence[index].box.map { rotated($0, sine: sine) }
        }
        return finding
    }

    private func restored(_ ingredient: Label.Ingredient) -> Label.Ingredient {
        var ingredient = ingredient
        ingredient.box = ingredient.box.map { rotated($0, sine: sine) }
        ingredient.ingredients = ingredient.ingredients.map(restored)
        return ingredient
    }

    /// Rotates a box about the top-left corner of the photo.
    /// - Parameter sine: `sine`, or `-sine` for the opposite direction.
    private func rotated(_ box: Quad, sine: Double) -> Quad {
        func rotated(_ point: Point) -> Point {
            Point(cosine * point.x - sine * point.y, sine * point.x + cosine * point.y)
        }
        return Quad(
            topLeft: rotated(box.topLeft), topRight: rotated(box.topRight), bottomRight: rotated(box.bottomRight),
            bottomLeft: rotated(box.bottomLeft))
    }
}
