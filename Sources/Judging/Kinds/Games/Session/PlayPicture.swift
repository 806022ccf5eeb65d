import Core

/// What a page draws of a game beside the pieces on the table: the parts of the figure that is laid, or the squares of a board
/// and the marks on them. Millimetres, x right, y down, from the top left corner of the figure.
package struct PlayPicture: Sendable, Hashable, Codable {
    package struct Part: Sendable, Hashable, Codable {
        package enum State: String, Sendable, Hashable, Codable, CaseIterable {
            case open, placed
            /// Where the newest help says that a piece belongs.
            case next
        }

        /// The type of the piece: `largeTriangle`; `square` of a board, and a mark on it: `cross`.
        package var type: String
        package var state: State
        package var corners: [Point]
    }

    package var widthMM: Double
    package var heightMM: Double
    package var parts: [Part]
    /// Pieces on the table that are not in place, turned as they lie, each around the origin; `open`. Empty for a board.
    package var loose: [Part] = []

    private enum CodingKeys: String, CodingKey {
        case widthMM = "w_mm"
        case heightMM = "h_mm"
        case parts, loose
    }
}

extension TangramGame {
    package var standing: GameStanding {
        guard let figure = puzzle.flatMap(book.puzzle) else { return GameStanding() }
        return GameStanding(placed: table(of: figure).placed.count, needed: figure.pieces.count)
    }

    /// The figure that is laid, with the pieces that are in place.
    ///
    /// - Parameter advice: the newest help.
    /// - Returns: nil before a figure is chosen or recognised.
    package func picture(after advice: Advice?) -> PlayPicture? {
        guard let figure = puzzle.flatMap(book.puzzle) else { return nil }
        let (placed, loose) = table(of: figure)
        let open = figure.pieces.indices.filter { !placed.contains($0) }
        let helped = advice.flatMap { advice in
            advice.step < .directed
                ? nil
                : open.filter { figure.pieces[$0].shape.type == advice.type }
                    .max { figure.pieces[$0].polygon.area < figure.pieces[$1].polygon.area }
        }
        let corners = figure.pieces.flatMap(\.polygon.corners)
        guard let left = corners.map(\.x).min(), let top = corners.map(\.y).min(), let right = corners.map(\.x).max(),
            let bottom = corners.map(\.y).max()
        else { return nil }
        return PlayPicture(
            widthMM: (right - left).rounded(toPlaces: 1), heightMM: (bottom - top).rounded(toPlaces: 1),
            parts: figure.pieces.enumerated().map { index, piece in
                PlayPicture.Part(
                    type: piece.shape.type, state: placed.contains(index) ? .placed : index == helped ? .next : .open,
                    corners: piece.polygon.corners.map {
                        Point(($0.x - left).rounded(toPlaces: 1), ($0.y - top).rounded(toPlaces: 1))
                    })
            },
            loose: loose.map { piece in
                var pose = piece.pose
                pose.center = Point(0, 0)
                return PlayPicture.Part(
                    type: piece.shape.type, state: .open,
                    corners: piece.shape.outline.laid(at: pose).corners.map {
                        Point($0.x.rounded(toPlaces: 1), $0.y.rounded(toPlaces: 1))
                    })
            })
    }
}
