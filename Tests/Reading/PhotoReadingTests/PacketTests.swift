import Core
import Foundation
import Imaging
import TestSupport
import Testing

@testable import PhotoReading

/// A product's code that is near shows that the photo is of a packet.
@Suite struct PacketTests {
    private func code(_ width: Double, _ height: Double, gtin: String? = "09520100001017") -> BarcodeReading {
        // Turned by a right angle, so that the first corner is not the upper left one.
        let corners = [Point(50 + width, 20), Point(50 + width, 20 + height), Point(50, 20 + height), Point(50, 20)]
        return BarcodeReading(format: "EAN-13", text: "9520100001017", gtin: gtin, confidence: 1, corners: corners)
    }

    @Test func `a fiftieth of the picture is near, less is not, and other codes never are`() {
        #expect(code(200, 100).isClose(inPictureOf: 1000, 1000))
        #expect(!code(190, 100).isClose(inPictureOf: 1000, 1000))
        #expect(!code(900, 900, gtin: nil).isClose(inPictureOf: 1000, 1000))
        #expect(!code(200, 100).isClose(inPictureOf: 0, 0))
    }

    @Test func `pieces are looked for on a packet only when somebody asks for them`() throws {
        let reader = try PhotoReader(models: ModelFolder(Repository.models))
        let file = Repository.samples.appending(path: "barcodes/spread-ean13.jpg")
        let photo = try ImageDecoder().decode([UInt8](try Data(contentsOf: file)))
        func read(_ domain: Outcome.Domain?) -> Readings {
            reader.read(ReadingRequest(domain: domain, pieceSet: nil)) { () throws(ItemFailure) in photo }.readings
        }
        let packet = read(nil)
        #expect(packet.barcodes?.first?.gtin == "09520100001017")
        #expect(packet.pieces == nil && packet.text?.lines.isEmpty == false)
        #expect(read(.board).pieces != nil)
        // The same code on a picture nine times as large, as of a packet beside a game.
        var table = photo
        table.raster = try #require(photo.raster.onTable(times: 3))
        let beside = reader.read(ReadingRequest(domain: nil, pieceSet: nil)) { () throws(ItemFailure) in table }
            .readings
        #expect(beside.barcodes?.first?.gtin == "09520100001017" && beside.pieces != nil)
    }
}

extension Raster {
    /// The picture in the corner of a grey one that is larger by this factor on both sides.
    fileprivate func onTable(times factor: Int) -> Raster? {
        let row = width * format.rawValue
        var table = [UInt8](repeating: 120, count: row * factor * height * factor)
        for y in 0..<height {
            table.replaceSubrange(y * row * factor..<y * row * factor + row, with: bytes[y * row..<(y + 1) * row])
        }
        return Raster(width: width * factor, height: height * factor, format: format, bytes: table)
    }
}
