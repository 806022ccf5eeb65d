import Foundation
import TestSupport
import Testing
import Vocabulary

@testable import Imaging

@Suite struct ImageDecoderTests {
    private let decoder = ImageDecoder()

    private func code(_ body: () throws -> Void) -> ItemFailure.Code? {
        do { try body() } catch { return (error as? ItemFailure)?.code }
        return nil
    }

    @Test func `a PNG and a BMP of the same picture are the same raster, in red, green, blue`() throws {
        let png = try decoder.decode(try Pictures.png(Pictures.stripes))
        let bmp = try decoder.decode(Pictures.bmp)
        #expect(png.raster.bytes == Pictures.stripes.flatMap(\.self))
        #expect(bmp.raster == png.raster)
        #expect(png.facts.format == "png")
        #expect(bmp.facts.format == "bmp")
        #expect(png.shortfall == nil)
        #expect(bmp.shortfall == nil)
    }

    @Test func `the first frame of a GIF is read`() throws {
        let image = try decoder.decode(Pictures.gif)
        #expect(image.raster.bytes == [255, 0, 0])
        #expect(image.facts.format == "gif")
    }

    @Test func `a TIFF is turned by its own tag`() throws {
        let image = try decoder.decode(Pictures.tiff)
        #expect(image.raster.format == .gray8)
        #expect(image.raster.bytes == [255, 0])
        #expect(image.facts.orientation == 3)
    }

    @Test(
        arguments: [
            (1, 3, [1, 2, 3, 4, 5, 6]), (2, 3, [3, 2, 1, 6, 5, 4]), (3, 3, [6, 5, 4, 3, 2, 1]),
            (4, 3, [4, 5, 6, 1, 2, 3]),
            (5, 2, [1, 4, 2, 5, 3, 6]), (6, 2, [4, 1, 5, 2, 6, 3]), (7, 2, [6, 3, 5, 2, 4, 1]),
            (8, 2, [3, 6, 2, 5, 1, 4]),
        ] as [(Int, Int, [UInt8])])
    func `each EXIF orientation is applied once`(orientation: Int, width: Int, upright: [UInt8]) throws {
        let stored = try #require(Raster(width: 3, height: 2, format: .gray8, bytes: [1, 2, 3, 4, 5, 6]))
        let turned = stored.turnedUpright(from: orientation)
        #expect(turned.width == width)
        #expect(turned.bytes == upright)
    }

    @Test func `a cut file never passes as whole`() throws {
        let whole = try Pictures.png(Pictures.stripes)
        for length in 8..<whole.count {
            let bytes = Array(whole.prefix(length))
            do {
                let image = try decoder.decode(bytes)
                #expect(image.shortfall?.code == .truncated, "cut at \(length)")
            } catch { #expect(error.code == .truncated, "cut at \(length)") }
        }
    }

    @Test func `a large photo is made smaller, and says by how much`() throws {
        let wide = try #require(
            Raster(width: 8000, height: 10, format: .gray8, bytes: [UInt8](repeating: 7, count: 80_000)))
        let (raster, enlargement) = wide.shrunk(toSide: 4000)
        #expect(raster.width == 4000)
        #expect(raster.height == 5)
        #expect(enlargement == 2)
        #expect(raster.bytes.allSatisfy { $0 == 7 })
    }

    @Test(arguments: ["menus", "labels", "barcodes", "boards"])
    func `every sample decodes whole, whatever its format`(domain: String) throws {
        for sample in try Sample.all(in: domain) {
            let path = try #require(FilePathBytes(sample.photo.path))
            let image = try decoder.decode(try ImageFile.read(path, followSymlinks: false))
            #expect(image.shortfall == nil, "\(sample)")
            #expect(max(image.facts.width, image.facts.height) >= 600, "\(sample)")
        }
    }

    @Test func `a bomb is refused by its header`() throws {
        let path = try #require(FilePathBytes(Repository.samples.appending(path: "bad/huge.png").path))
        let bytes = try ImageFile.read(path, followSymlinks: false)
        #expect(code { _ = try decoder.decode(bytes) } == .tooLarge)
    }
}
