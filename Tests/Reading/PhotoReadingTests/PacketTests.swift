import BarcodeRecognition
import Core
import Foundation
import Imaging
import TestSupport
import Testing

@testable import PhotoReading

/// A product's code that is near shows that the photo is of a packet.
@Suite struct PacketTests {
    private func isCloseUp(_ width: Double, _ height: Double, _ format: String, gtin: String? = nil) -> Bool {
        // Turned by a right angle, so that the first corner is not the upper left one.
        let corners = [Point(50 + width, 20), Point(50 + width, 20 + height), Point(50, 20 + height), Point(50, 20)]
        return BarcodeReading(format: format, text: "9520100001017", gtin: gtin, confidence: 1, corners: corners)
            .isCloseUp(inPictureOf: 1000, 1000)
    }

    @Test func `a product's code is near from a fiftieth of the picture on, a matrix and other bars from more`() {
        #expect(isCloseUp(200, 100, "EAN-13", gtin: "09520100001017"))
        #expect(!isCloseUp(190, 100, "EAN-13", gtin: "09520100001017"))
        #expect(isCloseUp(250, 200, "QR-Code") && !isCloseUp(240, 200, "QR-Code"))
        #expect(isCloseUp(500, 200, "Code 128") && !isCloseUp(490, 200, "Code 128"))
    }

    private func sample(_ name: String) throws -> DecodedImage {
        let file = Repository.samples.appending(path: "barcodes/\(name).jpg")
        return try ImageDecoder().decode([UInt8](try Data(contentsOf: file)))
    }

    @Test func `the print of a close code is read from a quick look as from the whole picture`() throws {
        let reader = try PhotoReader(models: ModelFolder(Repository.models))
        let digits = [
            "crackers-turned": "9520100001031", "parcel-upca": "036000291452", "crate-code128": "CRATE-0042-B7",
            "link-qr": "Scan me",
        ]
        for (name, printed) in digits {
            let photo = try sample(name)
            let (quick, whole) = (reader.lines(of: photo, nil), reader.lines(of: photo, .label))
            #expect(quick == whole && quick.contains(printed), "\(name)")
        }
    }

    @Test func `pieces are looked for on a packet only when somebody asks for them`() throws {
        let reader = try PhotoReader(models: ModelFolder(Repository.models))
        let photo = try sample("spread-ean13")
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

extension PhotoReader {
    /// The lines that are read with some confidence. Which specks become lines depends on the weights of the processor.
    fileprivate func lines(of photo: DecodedImage, _ domain: Outcome.Domain?) -> [String] {
        read(ReadingRequest(domain: domain, pieceSet: nil)) { () throws(ItemFailure) in photo }
            .readings.text?.lines.filter { $0.confidence >= 0.5 }.map(\.text) ?? []
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
