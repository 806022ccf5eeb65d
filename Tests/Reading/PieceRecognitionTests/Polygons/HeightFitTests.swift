import Foundation
import TestSupport
import Testing
import Core

@testable import PieceRecognition

/// Tests on simulated edges of an oblique view that the fit distinguishes extruded pieces from flat ones.
struct HeightFitTests {
    private let view: BoardView
    private let laid = TangramPieces.scattered()

    /// Drawn once, because a photo takes a second.
    private static let seen = Result {
        let set = try PreparedPieceSet.load("tangram", from: ModelFolder(Repository.models))
        let (photo, markers) = (try #require(PrintedBoard(tilt: 50).photo()), try #require(set.markers))
        return try #require(try BoardView(photo, markers: markers))
    }

    init() throws { view = try Self.seen.get() }

    /// Fits twenty edge points on each side of each piece. They lie on the edge of the top, `height` millimetres
    /// above the board. On a visible side face they lie on the edge of the base. All deviate outward by `bleed`
    /// pixels of the view, and randomly by `noise`.
    private func fit(height: Double, bleed: Double, noise: Double = 0.6) -> HeightFit {
        let growth = view.growth(height: height)
        let starts = laid.map { piece in
            let corners = piece.template.map { $0 - centroid(piece.template) }
            let base = Placement(
                at: Point(piece.x * view.scale - 0.5, piece.y * view.scale - 0.5), angle: piece.angle * .pi / 180,
                scale: view.scale)
            let edges = corners.indices.flatMap { side in
                var (a, b) = (base(corners[side]), base(corners[(side + 1) % corners.count]))
                var normal = Point((b - a).y, -(b - a).x) * (1 / (b - a).length)
                if normal.dot(a - base.at) < 0 { normal = normal * -1 }
                if normal.dot(a - view.nadir) > 0 {
                    (a, b) = (view.nadir + (a - view.nadir) * growth, view.nadir + (b - view.nadir) * growth)
                }
                return (1...20).map { step in
                    let off = bleed + noise * (step.isMultiple(of: 2) ? 1 : -1)
                    return EdgePoint(at: a + (b - a) * (Double(step) / 21) + normal * off, side: side, strength: 80)
                }
            }
            // The segmented region is at the position of the top.
            var start = base
            start.at = view.nadir + (base.at - view.nadir) * growth
            return HeightFit.Start(corners: corners, placement: start, edges: edges)
        }
        return HeightFit(starts, view: view, thickness: 5, rims: [0])
    }

    private func farthestOff(_ fit: HeightFit) -> Double {
        zip(laid, fit.placements).map { piece, placement in
            (view.onTable(placement.at) - Point(piece.x, piece.y)).length
        }.max() ?? .infinity
    }

    @Test(arguments: [-0.7, 0, 0.7, 1.2]) func `equal deviations on all sides are not interpreted as height`(
        bleed: Double
    ) {
        let fit = fit(height: 0, bleed: bleed)
        #expect(fit.height == 0)
        #expect(farthestOff(fit) < 0.2)
    }

    @Test(arguments: [4.0, 5, 6], [0, 0.4]) func `pieces with deviations only on the far sides are extruded`(
        height: Double, bleed: Double
    ) {
        let fit = fit(height: height, bleed: bleed)
        #expect(abs(fit.height - height) < 1)
        #expect(farthestOff(fit) < 1)
    }
}
