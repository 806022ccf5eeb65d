import Testing
import Core

@testable import Imaging

/// The upright position of each quarter of the stored picture, by EXIF 2.32, tag 274: "the 0th row is at the visual …
/// of the image, and the 0th column is the visual …".
@Suite struct OrientationTests {
    /// The stored quarter at each upright position: top left, top right, bottom left, bottom right.
    static let upright: [Int: [Int]] = [
        1: [0, 1, 2, 3], 2: [1, 0, 3, 2], 3: [3, 2, 1, 0], 4: [2, 3, 0, 1],
        5: [0, 2, 1, 3], 6: [2, 0, 3, 1], 7: [3, 1, 2, 0], 8: [1, 3, 0, 2],
    ]

    private let picture = RenderedPicture()

    @Test(arguments: 1...8) func `a JPEG is rotated once`(_ orientation: Int) throws {
        try check(TaggedFile.jpeg(try picture.file(.jpeg), orientation: orientation), orientation)
    }

    @Test(arguments: 1...8) func `a PNG is rotated once`(_ orientation: Int) throws {
        let exif = TaggedFile.exif(orientation, .big)
        try check(TaggedFile.png(try picture.file(.png), chunk: "eXIf", exif), orientation)
    }

    @Test(arguments: 1...8) func `a WebP is rotated once`(_ orientation: Int) throws {
        let file = TaggedFile.webp(try picture.file(.webp), width: 48, height: 32, orientation: orientation)
        try check(file, orientation)
    }

    @Test(arguments: 1...8, [ByteView.Endian.big, .little])
    func `a TIFF is rotated once, although its decoders rotate too`(_ orientation: Int, _ endian: ByteView.Endian)
        throws
    {
        let colours = try ImageDecoder().decode(try picture.file(.png)).raster.bytes
        try check(
            TaggedFile.tiff(width: 48, height: 32, samples: 3, orientation: orientation, endian, pixels: colours),
            orientation)
        let grays = stride(from: 1, to: colours.count, by: 3).map { colours[$0] }
        let gray = TaggedFile.tiff(
            width: 48, height: 32, samples: 1, orientation: orientation, endian, pixels: grays)
        try check(gray, orientation, channel: 1)
    }

    @Test(arguments: [1, 3, 6, 8]) func `a HEIC is rotated once, by its decoder`(_ orientation: Int) throws {
        let image = try ImageDecoder().decode(try picture.heif(.heic, orientation: UInt32(orientation)))
        #expect(image.orientation == 1)
        #expect(difference(image.raster.quarterCentres, wanted(orientation)) <= 12)
    }

    private func wanted(_ orientation: Int) -> [[UInt8]] {
        (Self.upright[orientation] ?? []).map { RenderedPicture.quarters[$0] }
    }

    private func check(_ file: [UInt8], _ orientation: Int, channel: Int? = nil) throws {
        let image = try ImageDecoder().decode(file)
        #expect(image.orientation == orientation)
        #expect(image.isComplete)
        let size = orientation >= 5 ? (32, 48) : (48, 32)
        #expect((image.raster.width, image.raster.height) == size)
        #expect((image.width, image.height) == size)
        let colours = wanted(orientation).map { colour in channel.map { [colour[$0]] } ?? colour }
        #expect(difference(image.raster.quarterCentres, colours) <= 12)
    }
}
