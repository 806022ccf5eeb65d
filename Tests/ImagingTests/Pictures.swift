import Foundation
import Testing
import Vocabulary

@testable import Imaging

/// Small pictures made by hand, in formats that need no encoder.
enum Pictures {
    /// 4×2 pixels: red, green, blue, white over black, black, gray, gray.
    static let stripes: [[UInt8]] = [
        [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255], [0, 0, 0, 0, 0, 0, 128, 128, 128, 128, 128, 128],
    ]

    /// A picture through the overlay's own PNG writer.
    static func png(_ rows: [[UInt8]]) throws -> [UInt8] {
        let raster = try #require(
            Raster(width: rows[0].count / 3, height: rows.count, format: .rgb8, bytes: rows.flatMap(\.self)))
        return try #require(LeptonicaDecoder.png(raster))
    }

    /// ``stripes`` as a 24-bit BMP: rows from the bottom up, blue first, padded to four bytes.
    static let bmp: [UInt8] = {
        func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) } }
        var data: [UInt8] = []
        for row in stripes.reversed() {
            for pixel in stride(from: 0, to: row.count, by: 3) { data += [row[pixel + 2], row[pixel + 1], row[pixel]] }
        }
        return Array("BM".utf8) + little(54 + data.count, 4) + little(0, 4) + little(54, 4) + little(40, 4)
            + little(4, 4)
            + little(2, 4) + little(1, 2) + little(24, 2) + little(0, 4) + little(data.count, 4)
            + [UInt8](repeating: 0, count: 16) + data
    }()

    /// One red pixel.
    static let gif: [UInt8] =
        Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 0] + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0]
        + [2, 2, 0x44, 0x01, 0, 0x3B]

    /// A 2×1 gray TIFF, black and white, stored with orientation 3.
    static let tiff: [UInt8] = {
        func entry(_ tag: Int, _ type: Int, _ value: Int) -> [UInt8] {
            [
                UInt8(tag & 0xFF), UInt8(tag >> 8), UInt8(type), 0, 1, 0, 0, 0, UInt8(value & 0xFF), UInt8(value >> 8),
                0, 0,
            ]
        }
        let entries =
            entry(256, 3, 2) + entry(257, 3, 1) + entry(258, 3, 8) + entry(259, 3, 1) + entry(262, 3, 1)
            + entry(273, 4, 8) + entry(274, 3, 3) + entry(277, 3, 1) + entry(278, 3, 1) + entry(279, 4, 2)
        return [0x49, 0x49, 0x2A, 0, 10, 0, 0, 0, 0, 255] + [10, 0] + entries + [0, 0, 0, 0]
    }()
}
