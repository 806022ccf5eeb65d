import Foundation
import TestSupport
import Testing
import Vocabulary

@testable import Imaging

@Suite struct ImageHeaderTests {
    /// A JPEG of nothing but its markers: frame header, one scan of two bytes, end.
    private func jpeg(orientation: Int? = nil, bigEndian: Bool = true, scans: Int = 1, ended: Bool = true) -> [UInt8] {
        var bytes: [UInt8] = [0xFF, 0xD8]
        if let orientation {
            var exif = Array("Exif\0\0".utf8)
            exif += bigEndian ? [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1] : [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 1, 0]
            let value = UInt8(orientation)
            exif +=
                bigEndian
                ? [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, value, 0, 0] : [0x12, 0x01, 3, 0, 1, 0, 0, 0, value, 0, 0, 0]
            bytes += [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif
        }
        bytes += [0xFF, 0xC0, 0, 11, 8, 0x00, 0x20, 0x00, 0x10, 1, 1, 0x11, 0]  // 16×32
        for _ in 0..<scans { bytes += [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0xFF, 0x00, 0xAB] }
        return ended ? bytes + [0xFF, 0xD9] : bytes
    }

    @Test(arguments: [true, false], 1...8)
    func `a JPEG's size and EXIF orientation are found in both byte orders`(bigEndian: Bool, orientation: Int) throws {
        let header = try ImageHeader(jpeg(orientation: orientation, bigEndian: bigEndian))
        #expect(header.format == .jpeg)
        #expect(header.width == 16)
        #expect(header.height == 32)
        #expect(header.orientation == orientation)
        #expect(header.shortfall == nil)
    }

    @Test func `an orientation that does not exist is upright`() throws {
        #expect(try ImageHeader(jpeg(orientation: 9)).orientation == 1)
        #expect(try ImageHeader(jpeg(orientation: 0)).orientation == 1)
    }

    @Test func `a JPEG without its end, or without any scan, is cut`() throws {
        #expect(try ImageHeader(jpeg(ended: false)).shortfall != nil)
        #expect(try ImageHeader(jpeg(scans: 0)).shortfall == "there is no picture data")
    }

    @Test func `bytes after the end do not matter`() throws {
        #expect(try ImageHeader(jpeg() + [1, 2, 3]).shortfall == nil)
    }

    @Test func `hundreds of scans are refused before anything is decoded`() throws {
        let header = try ImageHeader(jpeg(scans: 101))
        #expect { try header.check(ImagingLimits()) } throws: { ($0 as? ItemFailure)?.code == .tooLarge }
        try ImageHeader(jpeg(scans: 100)).check(ImagingLimits())
    }

    @Test(arguments: [(20_001, 10), (10, 20_001), (15_000, 15_000)])
    func `a size beyond the limits is refused with its figures`(width: Int, height: Int) throws {
        var header = ImageHeader(.png)
        header.width = width
        header.height = height
        #expect { try header.check(ImagingLimits()) } throws: { error in
            let failure = error as? ItemFailure
            return failure?.code == .tooLarge && failure?.detail.contains("\(width)×\(height)") == true
        }
    }

    @Test(arguments: [
        ("%PDF-1.7", "PDF"), ("8BPS....", "Photoshop"), ("<svg xmlns", "SVG"), ("PK\u{3}\u{4}....", "ZIP"),
        ("....ftypisom....", "video"),
    ])
    func `a known format that is not read is named`(text: String, name: String) {
        #expect { try ImageHeader(Array(text.utf8)) } throws: { error in
            let failure = error as? ItemFailure
            return failure?.code == .unsupportedFormat && failure?.detail.contains(name) == true
        }
    }

    @Test func `no bytes are empty, other bytes no picture`() {
        #expect { try ImageHeader([]) } throws: { ($0 as? ItemFailure)?.code == .emptyFile }
        #expect { try ImageHeader(Array("hello".utf8)) } throws: { ($0 as? ItemFailure)?.code == .notAnImage }
        #expect { try ImageHeader([0x0A]) } throws: { ($0 as? ItemFailure)?.code == .notAnImage }
    }

    @Test func `no cut and no flipped byte of a header ever traps`() throws {
        var generator = SystemRandomNumberGenerator()
        var seeds: [[UInt8]] = [
            jpeg(orientation: 6, bigEndian: false, scans: 3), Pictures.gif, Pictures.bmp, Pictures.tiff,
        ]
        seeds.append(try Pictures.png(Pictures.stripes))
        seeds.append(Array("RIFF".utf8) + [40, 0, 0, 0] + Array("WEBPVP8X".utf8) + [UInt8](repeating: 9, count: 40))
        seeds.append([0, 0, 0, 24] + Array("ftypheic".utf8) + [UInt8](repeating: 0, count: 40))
        for seed in seeds {
            for length in 0...seed.count { _ = try? ImageHeader(Array(seed.prefix(length))) }
            for _ in 0..<400 {
                var bytes = seed
                for _ in 0..<3 {
                    bytes[Int.random(in: 4..<bytes.count, using: &generator)] =
                        [0, 0xFF, 0x7F, 0x80].randomElement() ?? 0
                }
                _ = try? ImageHeader(bytes)
            }
        }
    }
}
