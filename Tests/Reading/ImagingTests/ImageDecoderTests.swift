import Testing
import Core

@testable import Imaging

@Suite struct ImageDecoderTests {
    private let picture = RenderedPicture()
    private let decoder = ImageDecoder()

    @Test(arguments: ImageFormat.allCases)
    func `every format returns the written colours`(_ format: ImageFormat) throws {
        let image = try decoder.decode(try picture.file(format))
        #expect(image.format == format)
        #expect((image.width, image.height) == (48, 32))
        #expect((image.raster.width, image.raster.height) == (48, 32))
        #expect(image.scale == 1)
        #expect(image.isComplete)
        #expect(image.raster.format == .rgb8)
        let lossy = [.jpeg, .heic, .avif].contains(format)
        #expect(difference(image.raster.quarterCentres, RenderedPicture.quarters) <= (lossy ? 12 : 0))
    }

    @Test(arguments: [ImageFormat.jpeg, .png, .tiff, .bmp, .gif, .pnm])
    func `a picture without colour becomes gray`(_ format: ImageFormat) throws {
        let image = try decoder.decode(try RenderedPicture(isGray: true).file(format))
        #expect(image.raster.format == .gray8)
        let wanted = RenderedPicture.quarters.map { [$0[1]] }
        #expect(difference(image.raster.quarterCentres, wanted) <= 3)
    }

    @Test func `a frame of a video keeps each sample, of eight bits and of sixteen`() throws {
        let head = Array("P6\n# t_ns=40000000\n2 1\n".utf8)
        let samples: [UInt8] = [10, 0, 255, 7, 80, 9]
        let eight = try decoder.decode(head + Array("255\n".utf8) + samples)
        let sixteen = try decoder.decode(head + Array("65535\n".utf8) + samples.flatMap { [$0, 0x40] })
        #expect(eight.raster.bytes == samples)
        #expect(sixteen.raster == eight.raster)
        #expect([eight.width, eight.height, sixteen.width, sixteen.height] == [2, 1, 2, 1])
    }

    @Test(arguments: ImageFormat.allCases)
    func `a truncated file is never reported as whole`(_ format: ImageFormat) throws {
        let file = try picture.file(format)
        for share in 1...9 {
            do throws(ItemFailure) {
                let image = try decoder.decode(Array(file[..<(file.count * share / 10)]))
                #expect(image.shortfall?.code == .truncated, "\(format) cut at \(share * 10) %")
            } catch {
                #expect([.truncated, .notAnImage].contains(error.code), "\(format) cut at \(share * 10) %: \(error)")
            }
        }
    }

    @Test func `a JPEG without its last third returns the rest and reports the truncation`() throws {
        let file = try RenderedPicture(width: 640, height: 480).file(.jpeg)
        let image = try decoder.decode(Array(file[..<(file.count * 2 / 3)]))
        #expect(image.shortfall?.code == .truncated)
        #expect(image.isComplete == false)
        #expect(difference([image.raster.quarterCentres[0]], [RenderedPicture.quarters[0]]) <= 12)
    }

    @Test func `a JPEG truncated before its first pixel is refused`() throws {
        let file = try picture.file(.jpeg)
        let scan = try #require(file.indices.first { file[$0] == 0xFF && file[$0 + 1] == 0xDA })
        #expect(refusal(of: Array(file[..<(scan + 10 + 4)])) == .truncated)
    }

    @Test func `a whole file that its decoder refuses is damaged`() throws {
        var png = try picture.file(.png)
        png[png.count - 20] ^= 1
        #expect(refusal(of: png) == .damaged)
    }

    @Test func `transparent pixels are white`() throws {
        // 8-bit gray in which 30, the blue quarter's value, is transparent.
        let file = try RenderedPicture(isGray: true).file(.png)
        let image = try decoder.decode(TaggedFile.png(file, chunk: "tRNS", [0, 30]))
        #expect(image.raster.quarterCentres == [[255], [160], [60], [230]])
    }

    @Test func `half transparent colour is blended with white once`() throws {
        // One colour at half alpha: 100 → 100·½ + 255·½.
        let pixel: [UInt8] = [200, 100, 0, 128]
        let tiff = TaggedFile.tiff(
            width: 1, height: 1, samples: 4, orientation: 1, .little, pixels: pixel, isAlphaStraight: true)
        let white = 255.0 * (1 - 128.0 / 255)
        let wanted = [200, 100, 0].map { [UInt8]([UInt8((Double($0) * 128 / 255 + white).rounded())]) }
        let image = try decoder.decode(tiff)
        #expect(difference([image.raster.bytes], [wanted.flatMap { $0 }]) <= 1)
    }

    @Test func `a header that exceeds the limits is refused before decoding`() throws {
        var jpeg = try picture.file(.jpeg)
        let frame = try #require(jpeg.indices.first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
        jpeg.replaceSubrange((frame + 5)..<(frame + 9), with: [0x75, 0x30, 0x75, 0x30])
        #expect(refusal(of: jpeg) == .tooLarge)
        jpeg.replaceSubrange((frame + 5)..<(frame + 9), with: [0x2E, 0xE0, 0x2E, 0xE0])
        let failure = #expect(throws: ItemFailure.self) { try decoder.decode(jpeg) }
        #expect(failure?.code == .tooLarge)
        #expect(failure?.detail.contains("12000 × 12000") == true)
    }

    @Test func `limits apply to scans, bytes and memory`() throws {
        var limits = ImagingLimits()
        limits.scans = 2
        #expect(try refusal(of: picture.file(.jpeg, progressive: true), limits) == .tooLarge)
        limits = ImagingLimits()
        limits.fileBytes = 50
        #expect(try refusal(of: picture.file(.png), limits) == .tooLarge)
        limits = ImagingLimits()
        limits.workingBytes = 48 * 32 * 6
        #expect(try refusal(of: picture.file(.png), limits) == .tooLarge)
    }

    @Test(arguments: [ImageFormat.jpeg, .png, .heic])
    func `a large photo is scaled down and the scale is returned`(_ format: ImageFormat) throws {
        var limits = ImagingLimits()
        limits.maximumSide = 100
        let file = try RenderedPicture(width: 640, height: 480).file(format)
        let image = try ImageDecoder(limits: limits).decode(file)
        #expect((image.width, image.height) == (640, 480))
        #expect((image.raster.width, image.raster.height) == (100, 75))
        #expect(image.scale == 100.0 / 640)
        #expect(difference(image.raster.quarterCentres, RenderedPicture.quarters) <= 12)
    }

    @Test func `only the first frame of an animation is decoded`() throws {
        let gif = try picture.file(.gif)
        // A second frame that declares 65,535 × 65,535 pixels, which would need 4 GB.
        let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 2, 1, 0x2C, 0]
        let image = try decoder.decode(gif.dropLast() + frame + [0x3B])
        #expect(image.isComplete)
        #expect(image.raster.quarterCentres == RenderedPicture.quarters)
    }

    private func refusal(of file: [UInt8], _ limits: ImagingLimits = ImagingLimits()) -> ItemFailure.Code? {
        do throws(ItemFailure) {
            _ = try ImageDecoder(limits: limits).decode(file)
            return nil
        } catch { return error.code }
    }
}
