import Foundation
import Glibc
import Imaging
import TestSupport
import Testing
import Core

@Suite struct PictureFileTests {
    @Test func `a picture is written into the opened file`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.path(below: "out.png")
        let file = path.withCString { open($0, O_WRONLY | O_CREAT, 0o600) }
        try PictureFile.write([1, 2, 3], to: file)
        close(file)
        #expect(try ImageFile.read(path, followSymlinks: false) == [1, 2, 3])
    }

    @Test func `a failure to write is reported as transient`() throws {
        #expect {
            try PictureFile.write([1], to: -1)
        } throws: { ($0 as? ItemFailure)?.code == .inputOutput && ($0 as? ItemFailure)?.isTransient == true }
    }

    @Test(arguments: ["menus", "labels", "barcodes", "boards"])
    func `every sample decodes completely in its format`(domain: String) throws {
        for sample in try Sample.all(in: domain) {
            let path = try #require(FilePathBytes(sample.photo.path))
            let image = try ImageDecoder().decode(try ImageFile.read(path, followSymlinks: false))
            #expect(image.shortfall == nil, "\(sample)")
        }
    }
}
