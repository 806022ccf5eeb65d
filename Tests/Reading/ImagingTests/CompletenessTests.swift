import Testing
import Core

@testable import Imaging

@Suite struct CompletenessTests {
    private let picture = RenderedPicture()

    @Test(arguments: ImageFormat.allCases)
    func `a whole file is complete, even with data behind its end`(_ format: ImageFormat) throws {
        let file = try picture.file(format)
        #expect(Completeness(of: file, format: format) == .complete)
        #expect(Completeness(of: file + [UInt8](repeating: 7, count: 99), format: format) == .complete)
    }

    @Test(arguments: ImageFormat.allCases, [0.1, 0.5, 0.9, 1])
    func `a truncated file is never complete`(_ format: ImageFormat, _ share: Double) throws {
        let file = try picture.file(format)
        let length = min(file.count - 1, Int(Double(file.count) * share))
        #expect(Completeness(of: Array(file[..<length]), format: format) != .complete)
    }

    @Test func `a PNG with a wrong bit is damaged`() throws {
        var png = try picture.file(.png)
        png[png.count - 20] ^= 1
        guard case .damaged = Completeness(of: png, format: .png) else {
            Issue.record("the checksum was not looked at")
            return
        }
    }

    @Test func `the checksum matches the specification`() {
        // The check value of CRC-32 in ISO 3309, and that of IEND, which ends every PNG.
        #expect(PNGChecksum.of(ByteView(Array("123456789".utf8)), 0, 9) == 0xCBF4_3926)
        #expect(PNGChecksum.of(ByteView(Array("IEND".utf8)), 0, 4) == 0xAE42_6082)
    }

    @Test func `an end marker within a thumbnail does not end a JPEG`() throws {
        let jpeg = try picture.file(.jpeg)
        let thumbnail: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]
        let tagged = jpeg[..<2] + [0xFF, 0xE1, 0, 6] + thumbnail + jpeg[2...]
        #expect(Completeness(of: Array(tagged), format: .jpeg) == .complete)
        #expect(Completeness(of: Array(tagged.dropLast(2)), format: .jpeg) != .complete)
    }
}
