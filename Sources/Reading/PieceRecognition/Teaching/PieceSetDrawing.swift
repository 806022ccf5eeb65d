import Foundation
import Core

/// Writes the file of a piece set from observed pieces.
struct PieceSetDrawing {
    /// An outline in millimetres.
    struct Shape {
        /// Clockwise; empty for a disc.
        var corners: [Point]
        var diameter: Double

        var edges: [Double] { corners.indices.map { (corners[($0 + 1) % corners.count] - corners[$0]).length } }

        /// True if all edges and diagonals agree under some rotation or reflection.
        func isAlike(_ other: Shape, within share: Double) -> Bool {
            guard corners.count == other.corners.count else { return false }
            if corners.isEmpty { return abs(log(diameter / other.diameter)) < share }
            let ways = corners.indices.flatMap { start in
                [1, corners.count - 1].map { step in
                    corners.indices.map { corners[(start + $0 * step) % corners.count] }
                }
            }
            return ways.contains { way in
                Shape(corners: way, diameter: 0).distances.elementsEqual(other.distances) { abs(log($0 / $1)) < share }
            }
        }

        private var distances: [Double] {
            corners.indices.flatMap { i in corners.indices.filter { $0 > i }.map { (corners[$0] - corners[i]).length } }
        }

        /// Order of the rotational symmetry.
        var fold: Int {
            if corners.isEmpty { return 8 }
            return [4, 2].first { fold in
                corners.count % fold == 0
                    && corners.indices.allSatisfy { index in
                        abs(log(edges[index] / edges[(index + corners.count / fold) % corners.count])) < 0.06
                    } && (fold == 2 || isSquare)
            } ?? 1
        }

        private var isSquare: Bool {
            corners.count == 4
                && abs(log((corners[2] - corners[0]).length / (corners[3] - corners[1]).length)) < 0.06
        }

        /// True if no rotation maps the shape to its mirror image, as for a general parallelogram.
        var isChiral: Bool {
            guard corners.count >= 3 else { return false }
            let mirrored = Shape(corners: corners.reversed().map { Point(-$0.x, $0.y) }, diameter: 0)
            return !corners.indices.contains { start in
                let rotated = Shape(corners: corners.indices.map { corners[(start + $0) % corners.count] }, diameter: 0)
                return rotated.distances.elementsEqual(mirrored.distances) { abs(log($0 / $1)) < 0.06 }
            }
        }

        /// The outline with its first edge along x, and with exact right angles for rectangles.
        var text: String {
            func number(_ value: Double) -> String { String((value * 100).rounded() / 100) }
            if corners.isEmpty { return #"{"disc": {"diameter": \#(number(diameter))}}"# }
            if corners.count == 4, fold >= 2, !isChiral, isRight {
                let (w, h) = ((edges[0] + edges[2]) / 2, (edges[1] + edges[3]) / 2)
                return fold == 4
                    ? #"{"rect": {"w": \#(number((w + h) / 2)), "h": \#(number((w + h) / 2))}}"#
                    : #"{"rect": {"w": \#(number(max(w, h))), "h": \#(number(min(w, h)))}}"#
            }
            let along = corners[1] - corners[0]
            let places = corners.map {
                ($0 - corners[0]).rotated(cosine: along.x / along.length, sine: -along.y / along.length)
            }
            return #"{"polygon": [\#(places.map { "[\(number($0.x)), \(number($0.y))]" }.joined(separator: ", "))]}"#
        }

        private var isRight: Bool {
            let (a, b) = (corners[1] - corners[0], corners[2] - corners[1])
            return abs(a.dot(b)) < 0.12 * a.length * b.length
        }
    }

    struct Group {
        var type: String
        var count: Int
        var shape: Shape
        /// Nil for any colour.
        var colour: [UInt8]?
        var templates: [(name: String, rows: [UInt32])]
    }

    let name: String
    let title: String

    func text(_ groups: [Group]) throws(ItemFailure) -> String {
        var pieces: [String] = []
        for (index, group) in groups.enumerated() {
            let colour =
                group.colour.map { rgb in
                    "{\"name\": \"colour\(index + 1)\", \"srgb\": \"#"
                        + rgb.map { String($0 + 0, radix: 16, uppercase: true) }.map { $0.count < 2 ? "0" + $0 : $0 }
                        .joined()
                        + "\"}"
                } ?? "\"any\""
            let faces = group.templates.map { template in
                let bits = template.rows.map { row in
                    let digits = String(row, radix: 16)
                    return String(repeating: "0", count: 6 - digits.count) + digits
                }.joined()
                return "\n        {\"name\": \(quoted(template.name)), "
                    + (Int(template.name).map { "\"value\": \($0), " } ?? "") + "\"bits\": \"\(bits)\"}"
            }
            let face =
                faces.isEmpty ? "\"none\"" : "{\"glyph\": {\"templates\": [\(faces.joined(separator: ","))\n      ]}}"
            let fold = faces.isEmpty ? group.shape.fold : 1
            pieces.append(
                "    {\"slot\": null, \"type\": \(quoted(group.type)), \"count\": \(group.count), \"shape\": \(group.shape.text), "
                    + "\"fold\": \(fold), \"chiral\": \(faces.isEmpty && group.shape.isChiral), \"colour\": \(colour), \"face\": \(face)}"
            )
        }
        let text = """
            {
              "schema": "tablesight.piece-set/1",
              "name": \(quoted(name)),
              "version": "1",
              "title": \(quoted(title)),
              "source": "Taught from a photo of the empty table and one of the set laid out",
              "licence": "Yours",
              "units": "mm",
              "thickness_mm": 3,
              "background": "plain",
              "pieces": [
            \(pieces.joined(separator: ",\n"))
              ]
            }

            """
        // The written file must be readable again.
        do { _ = try PreparedPieceSet(PieceSet(Data(text.utf8), name: name)) } catch {
            throw .unteachable("\(error.key): \(error.detail)", "teach these pieces as separate sets")
        }
        return text
    }

    private func quoted(_ text: String) -> String {
        // A string is always valid JSON.
        (try? JSONCoding.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }
}
