import Core
import Foundation
import Kinds
import HTTP
import Household

/// A figure as pages draw it: an outline, or its pieces with those that are in place, and below it the others.
struct DrawnFigure {
    struct Part { let n, style, colour, points: String }

    /// The pieces that are still to place, side by side below a line.
    struct Tray {
        struct Piece { let colour, points: String }

        let line: String
        /// The end and the base line of the words, and the size of their letters.
        let right, base, size: String
        let pieces: [Piece]
    }

    let viewBox: String
    let parts: [Part]
    let tray: Tray?

    /// Colours of the pieces of the set in seven colours, and of marks on boards, by type.
    private static let colours = [
        "largeTriangle": ["#3f8ef0", "#e8404a"], "smallTriangle": ["#1aa0b0", "#a03a8e"],
        "mediumTriangle": ["#2f9a3b"], "square": ["#e6c430"], "parallelogram": ["#e0801f"],
        "cross": ["#3f8ef0"], "nought": ["#e8404a"], "yellow": ["#e6c430"], "red": ["#e8404a"], "dark": ["#7a4a2b"],
        "light": ["#f2e3c6"],
    ]
    /// Millimetres around the figure.
    private static let edge = 6.0

    init(_ picture: PlayPicture) {
        let edge = Self.edge
        var (seen, open): ([String: Int], [String: [String]]) = ([:], [:])
        parts = picture.parts.enumerated().map { index, part in
            let (colours, number) = (Self.colours[part.type] ?? ["grey"], seen[part.type, default: 0])
            let colour = colours[number % colours.count]
            seen[part.type] = number + 1
            if part.state != .placed { open[part.type, default: []].append(colour) }
            return Part(
                n: "\(index)", style: part.state.rawValue, colour: colour, points: Self.points(part.corners))
        }
        var height = picture.heightMM + 2 * edge
        tray = Self.tray(of: picture, colours: open, below: &height)
        viewBox = [-edge, -edge, picture.widthMM + 2 * edge, height].map(Self.text).joined(separator: " ")
    }

    /// - Parameter height: of the picture; it grows by the tray.
    private static func tray(
        of picture: PlayPicture, colours: [String: [String]], below height: inout Double
    ) -> Tray? {
        var colours = colours
        // A piece that the figure does not need any more is not one to place.
        let pieces = picture.loose.compactMap { piece in
            let isNeeded = colours[piece.type]?.isEmpty == false
            return isNeeded ? (colour: colours[piece.type]?.removeFirst() ?? "grey", corners: piece.corners) : nil
        }
        guard !pieces.isEmpty else { return nil }
        let radii = pieces.map { $0.corners.map { hypot($0.x, $0.y) }.max() ?? 0 }
        let width = picture.widthMM
        let scale = min(1, width / radii.reduce(0) { $0 + 2 * $1 + edge })
        let top = height - edge
        let size = width / 24
        let middle = top + 1.5 * size + edge + scale * (radii.max() ?? 0)
        height += 1.5 * size + edge + 2 * scale * (radii.max() ?? 0) + edge
        let gap = (width - radii.reduce(0) { $0 + 2 * scale * $1 }) / Double(pieces.count)
        var x = 0.0
        return Tray(
            line: "M0 \(text(top))H\(text(width))", right: text(width), base: text(top + 1.5 * size), size: text(size),
            pieces: zip(pieces, radii).map { piece, radius in
                let center = x + gap / 2 + scale * radius
                x += gap + 2 * scale * radius
                return Tray.Piece(
                    colour: piece.colour,
                    points: points(piece.corners.map { Point(center + scale * $0.x, middle + scale * $0.y) }))
            })
    }

    private static func points(_ corners: [Point]) -> String {
        corners.map { "\(text($0.x)),\(text($0.y))" }.joined(separator: " ")
    }

    private static func text(_ value: Double) -> String { "\(value.rounded(toPlaces: 1))" }
}

/// A figure's silhouette.
struct DrawnOutline {
    struct Part { let points: String }

    let viewBox: String
    let parts: [Part]

    init(_ picture: PlayPicture) {
        let drawn = DrawnFigure(picture)
        viewBox = drawn.viewBox
        parts = drawn.parts.map { Part(points: $0.points) }
    }
}

/// One to three stars for a figure: a hint takes one, and the last one stays.
struct Stars {
    let shown, label: String

    init(hints: Int, _ texts: PageTexts) {
        let count = max(1, 3 - max(0, hints))
        shown = String(repeating: "★", count: count) + String(repeating: "☆", count: 3 - count)
        label = texts.text("play.stars", ["n": "\(count)"])
    }
}

/// Somebody who may play.
struct PlayerChoice {
    let address, name, letter, colour: String
    let isCurrent: Bool

    init(_ member: Member, isCurrent: Bool, _ texts: PageTexts) {
        address = "/games?who=\(member.id)"
        name = texts.person(member.name)
        letter = PageTexts.letter(of: name)
        colour = "\(member.colour)"
        self.isCurrent = isCurrent
    }
}

extension Play {
    func stars(_ texts: PageTexts) -> Stars? { solved == nil ? nil : Stars(hints: hints, texts) }

    /// What is laid: the figure, or the game.
    func title(_ texts: PageTexts) -> String { puzzle.map { texts.puzzle($0, of: game) } ?? texts.game(game) }
}
