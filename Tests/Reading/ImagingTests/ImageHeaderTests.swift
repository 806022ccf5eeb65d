import Testing
import Core

@testable import Imaging

@Suite struct ImageHeaderTests {
    private let picture = RenderedPicture()

    @Test(arguments: ImageFormat.allCases)
    func `every format is identified by its bytes, with its size`(_ format: ImageFormat) throws {
        // Multiples of HEVC's block size: a HEIC stores the size in blocks and a crop.
        let header = try ImageHeader(try RenderedPicture(width: 192, height: 128).file(format))
        #expect(header.format == format)
        #expect(header.width == 192)
        #expect(header.height == 128)
        #expect(header.orientation == 1)
    }

    @Test(arguments: 1...8, [ByteView.Endian.big, .little])
    func `EXIF orientation is read in both byte orders`(_ orientation: Int, _ endian: ByteView.Endian) throws {
        let jpeg = TaggedFile.jpeg(try picture.file(.jpeg), orientation: orientation, endian)
        #expect(try ImageHeader(jpeg).orientation == orientation)
    }

    @Test(arguments: [0, 9, 65535])
    func `an invalid orientation is ignored`(_ orientation: Int) throws {
        #expect(try ImageHeader(TaggedFile.jpeg(picture.file(.jpeg), orientation: orientation)).orientation == 1)
    }

    @Test(arguments: [
        ("%PDF-1.7\n", "PDF"), ("8BPS\0\u{1}", "Photoshop"), ("<?xml version=\"1.0\"?><svg xmlns=\"\">", "SVG"),
        ("\0\0\0\u{C}JXL \r\n", "JPEG XL"), ("\0\0\0\u{18}ftypmp42\0\0\0\0", "MP4"), ("II+\0", "BigTIFF"),
        ("\0\0\0\u{18}ftypcrx \0\0\0\0", "camera raw"),
    ])
    func `a known but unsupported format is named`(_ text: String, _ name: String) {
        let failure = #expect(throws: ItemFailure.self) { try ImageHeader(Array(text.utf8)) }
        #expect(failure?.code == .unsupportedFormat)
        #expect(failure?.detail.contains(name) == true)
    }

    @Test func `text, zeros and an empty file are not pictures`() {
        #expect(code(of: Array("Dear Sir or Madam".utf8)) == .notAnImage)
        #expect(code(of: [UInt8](repeating: 0, count: 4096)) == .notAnImage)
        #expect(code(of: []) == .emptyFile)
    }

    @Test func `a text file is called one, and other bytes are not`() {
        func detail(_ bytes: [UInt8]) -> String? {
            let failure = #expect(throws: ItemFailure.self) { try ImageHeader(bytes) }
            #expect(failure?.hint.contains("photo") == true)
            return failure?.detail
        }
        #expect(detail(Array("Milk, bread\r\n\tKäse\n".utf8)) == "this is a text file, not a photo")
        #expect(detail([UInt8](repeating: 0, count: 64))?.contains("text") == false)
        #expect(detail(Array("abc".utf8) + [0, 1, 2])?.contains("text") == false)
    }

    @Test func `a PNG with converted line ends is damaged`() throws {
        var png = try picture.file(.png)
        png.remove(at: 4)
        #expect(code(of: png) == .damaged)
    }

    @Test(arguments: ImageFormat.allCases)
    func `a header truncated anywhere throws and never traps`(_ format: ImageFormat) throws {
        let file = try picture.file(format)
        for length in 0..<min(file.count, 700) {
            let start = Array(file[..<length])
            let code = code(of: start)
            #expect(
                code == nil || [.emptyFile, .notAnImage, .truncated, .damaged, .unsupportedFormat].contains(code),
                "\(format) cut at \(length)")
            _ = Completeness(of: start, format: format)
        }
    }

    @Test(arguments: ImageFormat.allCases)
    func `wrong bytes anywhere in a header never trap`(_ format: ImageFormat) throws {
        let file = try picture.file(format)
        for place in 0..<min(file.count, 300) {
            for value: UInt8 in [0x00, 0x7F, 0x80, 0xFF] {
                var wrong = file
                wrong.replaceSubrange(place..<min(place + 4, file.count), with: [value, value, value, value])
                _ = try? ImageHeader(wrong)
                _ = Completeness(of: wrong, format: format)
            }
        }
    }

    private func code(of bytes: [UInt8]) -> ItemFailure.Code? {
        do throws(ItemFailure) {
            _ = try ImageHeader(bytes)
            return nil
        } catch { return error.code }
    }
}
