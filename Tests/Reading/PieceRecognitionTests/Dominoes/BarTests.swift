import Core
import Foundation
import Testing

@testable import PieceRecognition

@Suite struct `Bars of dominoes` {
    /// A light picture; `ink` gives the value of a dark or changed pixel.
    private func picture(_ size: Int = 160, ink: (Point) -> UInt8?) -> Picture<UInt8> {
        let made = Picture<UInt8>(width: size, height: size)
        for y in 0..<size {
            for x in 0..<size { made[x, y] = ink(Point(Double(x), Double(y))) ?? 200 }
        }
        return made
    }

    /// True on a bar of 40 × 6 pixels about (80, 80).
    private func isOnBar(_ at: Point, angle: Double) -> Bool {
        let place = (at - Point(80, 80)).rotated(cosine: cos(angle), sine: -sin(angle))
        return abs(place.x) <= 20 && abs(place.y) <= 3
    }

    @Test(arguments: [0, 0.3, -0.7])
    func `a bar is found with its middle, length, rotation and contrast`(angle: Double) throws {
        let picture = picture { isOnBar($0, angle: angle) ? 80 : nil }
        let marks = try BarMarks(in: picture, lengths: 12...60)
        let bar = try #require(marks.bars.first)
        #expect(marks.bars.count == 1)
        #expect((bar.at - Point(80, 80)).length < 0.5)
        #expect(abs(bar.length - 41) < 1.5)
        #expect(abs(remainder(bar.angle - angle, .pi)) < 0.02)
        #expect(bar.contrast == 120 && !bar.isLight)
    }

    @Test func `a bar of another length and a round spot are not bars`() throws {
        let bar = picture { isOnBar($0, angle: 0) ? 80 : nil }
        #expect(try BarMarks(in: bar, lengths: 12...30).bars.isEmpty)
        let round = try BarMarks(in: picture { ($0 - Point(60, 90)).length < 6 ? 80 : nil }, lengths: 12...60)
        let dark = round.spots.filter { !$0.isLight }
        let spot = try #require(dark.first)
        #expect(round.bars.isEmpty && dark.count == 1)
        #expect(spot.at == Point(60, 90) && abs(spot.size - 11) <= 1)
    }

    @Test func `pips prove the edge length in whose halves they are centred`() {
        let bar = BarMark(at: Point(100, 100), angle: 0, length: 30, contrast: 100, isLight: false)
        // A tile of 40 × 80: a two above the bar, a one below it.
        let spots = [Point(90, 70), Point(110, 90), Point(100, 120)].map {
            InkSpot(at: $0, size: 8, isLight: false)
        }
        let pips = PipsBesideBar(bar, spots, aspect: 2, sides: 30...60)
        #expect(pips.score(side: 40) > 1.99)
        #expect(pips.score(side: 48) < 1)
        let across = pips.across(side: 40)
        #expect(across.map { abs($0.x) < 0.01 * abs($0.y) } == true)
        // Light spots are not the pips of a dark bar.
        let light = spots.map { InkSpot(at: $0.at, size: 8, isLight: true) }
        let none = PipsBesideBar(bar, light, aspect: 2, sides: 30...60)
        #expect(none.score(side: 40) == 0 && none.across(side: 40) == nil)
    }

    @Test func `a spot on the rim excludes an edge length`() {
        let bar = BarMark(at: Point(100, 100), angle: 0, length: 30, contrast: 100, isLight: false)
        let pips = PipsBesideBar(
            bar, [Point(100, 120), Point(119.5, 120)].map { InkSpot(at: $0, size: 8, isLight: false) }, aspect: 2,
            sides: 30...60)
        #expect(pips.score(side: 40) == 0)
    }

    @Test func `the strongest step of a line is where the colour changes, and a seam counts`() throws {
        let step = try LineSteps(picture(64) { $0.x < 30 ? nil : 100 }.coloured())
        let found = try #require(
            try step.strongest(isUpright: true, about: 32, reach: 5, in: 8..<56) { 1 - 0.01 * Double($0) })
        #expect(abs(found.place - 30) <= 1 && abs(found.step - 100 * 3.0.squareRoot()) < 1)
        #expect(try step.strongest(isUpright: false, about: 32, reach: 5, in: 8..<56) { _ in 1 } == nil)
        let seam = try LineSteps(picture(64) { (29...30).contains($0.x) ? 150 : nil }.coloured())
        // Strips beside the seam differ as much; the nearer line counts.
        let line = try #require(
            try seam.strongest(isUpright: true, about: 30, reach: 2, in: 8..<56) { 1 - 0.01 * Double($0) })
        #expect(line.place == 30 && abs(line.step - 50 * 3.0.squareRoot()) < 1)
        // A pip beside a part of a line is no step along it.
        let pip = try LineSteps(picture(64) { $0.x < 30 && (30..<36).contains($0.y) ? 100 : nil }.coloured())
        #expect(try pip.strongest(isUpright: true, about: 30, reach: 2, in: 8..<56) { _ in 1 } == nil)
    }
}
