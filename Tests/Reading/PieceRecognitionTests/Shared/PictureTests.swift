import Foundation
import Testing
import Core

@testable import PieceRecognition

@Suite struct `Pictures and geometry` {
    /// A dark picture with a bright rectangle.
    private func picture(_ box: PixelBox, in size: (Int, Int) = (64, 48)) throws -> Picture<UInt8> {
        let made = Picture<UInt8>(width: size.0, height: size.1, isCleared: true)
        for y in box.y..<box.bottom { for x in box.x..<box.right { made[x, y] = 200 } }
        return made
    }

    @Test func `parts and outlines are those of the mask`() throws {
        let box = PixelBox(x: 10, y: 8, width: 20, height: 12)
        let mask = try picture(box).above(100)
        let (labels, parts) = try mask.parts(neighbours: 8)
        #expect(parts.count == 1)
        #expect(parts.first?.box == box && parts.first?.area == 240)
        #expect(labels[15, 10] == 1 && labels[0, 0] == 0)
        let outlines = try PictureOutlines(mask, origin: (100, 0))
        let outline = try #require(outlines.outline(0))
        #expect(outlines.count == 1)
        #expect(outline.box == PixelBox(x: 110, y: 8, width: 20, height: 12))
        // The outline runs through the centres of the outermost pixels.
        #expect(outline.area == 19 * 11)
    }

    @Test func `a part in a hole of another part is a part and not an outermost one`() throws {
        let mask = try picture(PixelBox(x: 4, y: 4, width: 40, height: 40)).above(100)
        for y in 8..<40 { for x in 8..<40 { mask[x, y] = 0 } }
        for y in 16..<24 { for x in 16..<28 { mask[x, y] = 255 } }
        #expect(try PictureOutlines(mask).count == 1)
        #expect(try PictureOutlines(mask, .holes).count == 1)
        let parts = try PictureOutlines(mask, .parts)
        let boxes = (0..<parts.count).compactMap { parts.outline($0)?.box }
        #expect(
            Set(boxes) == [PixelBox(x: 4, y: 4, width: 40, height: 40), PixelBox(x: 16, y: 16, width: 12, height: 8)])
    }

    @Test func `memory that is used again is cleared, and a picture in use keeps its own`() {
        let kept = Picture<UInt8>(width: 400, height: 400)
        for index in 0..<160_000 { kept.samples[index] = 9 }
        for _ in 0..<3 {
            let used = Picture<UInt8>(width: 400, height: 400)
            for index in 0..<160_000 { used.samples[index] = 7 }
        }
        let cleared = Picture<UInt8>(width: 390, height: 400, isCleared: true)
        #expect((0..<156_000).allSatisfy { cleared.samples[$0] == 0 })
        #expect((0..<160_000).allSatisfy { kept.samples[$0] == 9 })
    }

    @Test func `a part shares the memory and a copy does not`() throws {
        let whole = try picture(PixelBox(x: 0, y: 0, width: 4, height: 4))
        whole.part(PixelBox(x: 2, y: 2, width: 4, height: 4))[0, 0] = 7
        #expect(whole[2, 2] == 7)
        let copy = try whole.blurred(3)
        copy[0, 0] = 1
        #expect(whole[0, 0] == 200)
    }

    @Test func `straight sides of a tilted quadrangle are exact to a tenth of a pixel`() throws {
        let corners = [Point(20, 14), Point(90, 24), Point(84, 74), Point(14, 64)]
        let mask = Picture<UInt8>(width: 110, height: 90, isCleared: true)
        let polygon = ConvexPolygon(corners)
        for y in 0..<90 { for x in 0..<110 where polygon.contains(x, y) { mask[x, y] = 255 } }
        let outlines = try PictureOutlines(mask)
        let outline = try #require(outlines.outline(0))
        let sides = StraightSides()
        let coarse = try #require(try sides.corners(of: outline.hull()))
        let once = try #require(try sides.straightened(coarse, on: outline))
        let found = try #require(StraightSides.clockwise(once))
        #expect(found.count == 4)
        for corner in corners {
            // A pixel belongs to the polygon if its centre does, so its outline lies up to half a pixel inside.
            #expect(found.contains { ($0 - corner).length < 0.75 })
        }
    }

    @Test func `a homography and its inverse cancel`() throws {
        let map = Homography([1.2, 0.1, 5, -0.05, 0.9, 3, 1e-4, 2e-4, 1])
        let back = try #require(map.inverse)
        let place = back(map(Point(30, 40)))
        #expect((place - Point(30, 40)).length < 1e-9)
        let corners = [Point(0, 0), Point(100, 0), Point(100, 80), Point(0, 80), Point(50, 20)]
        let fit = try #require(try Homography.fitting(corners, to: corners.map { map($0) }))
        #expect(fit.residual < 1e-6)
        #expect((fit.map(Point(70, 60)) - map(Point(70, 60))).length < 1e-6)
    }

    @Test func `a positive definite system is solved`() {
        var a = [4.0, 2, 0, 2, 5, 1, 0, 1, 3]
        var b = [8.0, 13, 5]
        #expect(Cholesky.solve(&a, &b, size: 3))
        let x = b
        #expect(abs(4 * x[0] + 2 * x[1] - 8) < 1e-9 && abs(2 * x[0] + 5 * x[1] + x[2] - 13) < 1e-9)
        var singular = [1.0, 1, 1, 1]
        var right = [1.0, 1]
        #expect(!Cholesky.solve(&singular, &right, size: 2))
    }

    @Test func `the light of a table is divided out`() throws {
        let photo = Picture<UInt8>(width: 240, height: 160, channels: 3)
        for y in 0..<160 {
            for x in 0..<240 {
                // Twice as bright on the right, and a dark square.
                let isPiece = (100..<130).contains(x) && (60..<90).contains(y)
                let light = 90 + 90 * Double(x) / 240
                for channel in 0..<3 { photo.samples[y * photo.stride + 3 * x + channel] = isPiece ? 40 : UInt8(light) }
            }
        }
        let light = try TableLight(photo)
        let (difference, even) = try light.even(photo, tableIsWhite: false)
        #expect(light.noise <= 1.5 && light.tint < 0.05)
        #expect(difference[10, 10] <= 3 && difference[230, 150] <= 3 && difference[115, 75] > 70)
        #expect(abs(Int(even[10, 10]) - 238) < 8 && abs(Int(even[230, 150]) - 238) < 8)
    }
}

@Suite struct `Consensus` {
    @Test func `of conflicting things the best stays`() {
        let kept = Suppression.best(of: [1.0, 1.2, 5, 5.1, 9.5], by: { -abs($0 - 5.1) }) { abs($0 - $1) < 0.5 }
        #expect(kept == [5.1, 1.2, 9.5])
    }

    @Test func `the size with most support wins`() {
        let sizes = [10.0, 10.2, 9.9, 30, 31, 80]
        #expect(SizeConsensus.agreeing(sizes, size: { $0 }, within: 0.1) { Double($0.count) } == [10, 10.2, 9.9])
        #expect(
            SizeConsensus.agreeing(sizes, size: { $0 }, tried: [30], within: 0.1) { Double($0.count) } == [30, 31])
        #expect(SizeConsensus.agreeing([Double](), size: { $0 }, within: 0.1) { Double($0.count) }.isEmpty)
    }
}
