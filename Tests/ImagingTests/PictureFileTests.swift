import Foundation
import Imaging
import TestSupport
import Testing
import Vocabulary

@Suite struct PictureFileTests {
    @Test func `a picture is written whole, and no temporary stays`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.path(below: "out.png")
        try PictureFile.write([1, 2, 3], to: path)
        #expect(try ImageFile.read(path, followSymlinks: false) == [1, 2, 3])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["out.png"])
    }

    @Test func `a folder that is not there is a failure that may pass`() throws {
        let folder = try TemporaryFolder()
        #expect {
            try PictureFile.write([1], to: try folder.path(below: "gone/out.png"))
        } throws: { ($0 as? ItemFailure)?.code == .inputOutput && ($0 as? ItemFailure)?.isTransient == true }
    }

    @Test(arguments: ["menus", "labels", "barcodes", "boards"])
    func `every sample decodes whole, whatever its format`(domain: String) throws {
        for sample in try Sample.all(in: domain) {
            let path = try #require(FilePathBytes(sample.photo.path))
            let image = try ImageDecoder().decode(try ImageFile.read(path, followSymlinks: false))
            #expect(image.shortfall == nil, "\(sample)")
        }
    }
}
