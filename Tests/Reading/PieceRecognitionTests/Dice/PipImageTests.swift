import Core
import Testing

@testable import PieceRecognition

@Suite struct `Pictures of pips` {
    private static let face: UInt8 = 220
    private static let pip = Point(200, 150)
    private static let radius = 12.0

    /// A light face of 200 × 200 pixels about (200, 150) on a dark table, with one dark pip.
    private static let photo: Raster? = {
        var bytes: [UInt8] = []
        for y in 0..<300 {
            for x in 0..<400 {
                let at = Point(Double(x), Double(y)) - pip
                let isFace = abs(at.x) <= 100 && abs(at.y) <= 100
                bytes += [UInt8](repeating: at.length <= radius ? 30 : isFace ? face : 70, count: 3)
            }
        }
        return Raster(width: 400, height: 300, format: .rgb8, bytes: bytes)
    }()

    private static func image() throws -> PreparedPipImage {
        let photo = try #require(photo)
        return try #require(try PreparedPipImage(photo))
    }

    private static let colour = SIMD3(Int32(face), Int32(face), Int32(face))

    @Test func `a pip is found once, with its radius, colour and background`() throws {
        let image = try Self.image()
        let pips = try image.pips()
        let pip = try #require(pips.first)
        #expect(pips.count == 1)
        #expect((pip.at - Self.pip).length < 0.5 && abs(pip.radius - Self.radius) < 1)
        #expect(pip.isDark && pip.roundness > 0.95)
        #expect(Pip.difference(pip.inside, SIMD3(30, 30, 30)) < 5 && Pip.difference(pip.around, Self.colour) < 5)
    }

    @Test func `a colour ends at the face's edge, and rays skip pips`() throws {
        let image = try Self.image()
        let rays = [
            PreparedPipImage.Ray(from: Point(150, 150), way: Point(1, 0), most: 400),
            PreparedPipImage.Ray(from: Point(150, 150), way: Point(0, -1), most: 60),
        ]
        let across = try image.ends(of: rays, colour: Self.colour, tolerance: 40, side: 200, over: [])
        // The first ray meets the pip, the second one ends before the edge.
        #expect(abs((across.first?.distance ?? 0) - 38) < 8 && across.first?.change ?? 0 > 150)
        #expect(across.last?.distance == 60 && across.last?.change == 0)
        let over = try image.ends(of: rays, colour: Self.colour, tolerance: 40, side: 200, over: image.pips())
        #expect(abs((over.first?.distance ?? 0) - 150) < 8 && abs((over.first?.change ?? 0) - 150) < 10)
    }

    @Test func `the colour of a face is the median of its places within the photo`() throws {
        let image = try Self.image()
        let places = [Point(120, 70), Point(280, 230), Point(-50, 10), Self.pip]
        let colour = try #require(image.colour(at: places, side: 200))
        #expect(Pip.difference(colour, Self.colour) < 5)
        #expect(image.colour(at: [Point(-50, 10), Point(500, 10)], side: 200) == nil)
    }

    @Test func `a patch shows a face about its centre`() throws {
        let image = try Self.image()
        let lattice = PipLattice(centre: Self.pip, step: 50, angle: 0, seen: .none)
        let patch = try image.patch(about: lattice, side: 200, reach: 3, size: 12)
        #expect(patch.count == 144)
        // Three steps of 50 pixels: the corners are on the table, the middle is the pip's surroundings.
        #expect(abs(patch[0].x - 70) < 5 && abs(patch[143].z - 70) < 5)
        #expect(abs(patch[12 * 3 + 6].y - 220) < 5)
    }
}
