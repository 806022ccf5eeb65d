import Foundation
import Testing
import Core

@testable import Kinds

/// Two players lay figures on one table, each with a set.
struct PlayerSetsTests {
    private func report(
        _ tables: [TableOfPieces], puzzle: String? = nil, reversed: Bool = false
    ) throws -> GameReport {
        var pieces = tables.flatMap(\.pieces)
        for index in pieces.indices { pieces[index].id = index }
        if reversed { pieces.reverse() }
        var game = try GameCatalogue(models: TableOfPieces.models).game("tangram", .init(puzzle: puzzle))
        return game.process(TableOfPieces(pieces: pieces).frame())
    }

    @Test(arguments: [false, true]) func `each player's figure is identified in any order of pieces`(
        reversed: Bool
    ) throws {
        let report = try report(
            [TableOfPieces("cat", at: Point(0, 0), noise: 1), TableOfPieces("house", turned: 70, at: Point(300, 0))],
            reversed: reversed)
        let figures = try #require(report.figures).sorted { $0.pieces[0] < $1.pieces[0] }
        #expect(figures.map(\.puzzle) == ["cat", "house"])
        #expect(figures.map(\.placed) == [7, 7])
        #expect(figures.map(\.reason) == ["allPiecesPlaced", "allPiecesPlaced"])
        #expect(figures.map(\.pieces) == [Array(0..<7), Array(7..<14)])
        #expect(report.outcome.kind == .levelComplete)
    }

    @Test func `a loose piece between two figures belongs to the player who lacks it`() throws {
        var house = try TableOfPieces("house", at: Point(300, 0))
        // Nearer to the cat than to its own figure.
        house.change("square") {
            $0.xMM = 110
            $0.yMM = 0
        }
        let report = try report([TableOfPieces("cat", at: Point(0, 0)), house])
        let figures = try #require(report.figures)
        #expect(figures.map(\.puzzle) == ["cat", "house"])
        #expect(figures.map(\.placed) == [7, 6])
        #expect(figures.map(\.pieces) == [Array(0..<7), Array(7..<14)])
    }

    @Test func `the most advanced figure continues, and an occluded piece does not prevent identification`()
        throws
    {
        var boat = try TableOfPieces("boat", at: Point(0, 0))
        boat.pieces.removeLast()
        let report = try report([boat, TableOfPieces("rocket", at: Point(300, 0))])
        #expect(report.puzzle == "rocket")
        #expect(report.figures?.map(\.puzzle) == ["boat", "rocket"])
        #expect(report.figures?.map(\.placed) == [6, 7])
        #expect(report.figures?[0].reason == "piecesPlaced")
    }

    @Test func `loose pieces next to a figure are not reported as a figure`() throws {
        var heap = TableOfPieces.scattered()
        for index in heap.pieces.indices { heap.pieces[index].xMM += 500 }
        let report = try report([TableOfPieces("cat", at: Point(0, 0)), heap])
        let figures = try #require(report.figures)
        #expect(figures[0].puzzle == "cat")
        #expect(figures.dropFirst().allSatisfy { $0.puzzle == nil })
        #expect(figures.map(\.pieces.count).reduce(0, +) == 14)
    }

    @Test func `one set on the table has no figures beside its report`() throws {
        #expect(try report([TableOfPieces("cat")]).figures == nil)
        #expect(try report([TableOfPieces.scattered()]).figures == nil)
    }
}
