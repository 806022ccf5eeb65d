import Core
import Foundation
import TestSupport
import Testing

@testable import TextRecognition

@Suite("Ink of words")
struct InkTests {
    /// A picture of one ground with upright bars of another colour: letters with strokes of a known width.
    private func picture(ground: UInt32, ink: UInt32, stroke: Int, step: Int = 16) throws -> Raster {
        let (width, height) = (160, 60)
        var bytes: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let isInk = (14..<46).contains(y) && (20..<140).contains(x) && (x - 20) % step < stroke
                let color = isInk ? ink : ground
                bytes += [UInt8(color >> 16 & 255), UInt8(color >> 8 & 255), UInt8(color & 255)]
            }
        }
        return try #require(Raster(width: width, height: height, format: .rgb8, bytes: bytes))
    }

    private func ink(on raster: Raster) throws -> Ink {
        let box = Quad(x: 16, y: 10, width: 128, height: 40)
        let word = Word(text: "IIIIIIII", confidence: 1, box: box)
        let reading = TextReading(
            languages: [], lines: [TextLine(text: "IIIIIIII", confidence: 1, box: box, words: [word])])
        return try #require(reading.measuringInk(on: raster).lines[0].words[0].ink)
    }

    private func isNear(_ one: UInt32, _ other: UInt32) -> Bool {
        [16, 8, 0].allSatisfy { shift in abs(Int(one >> UInt32(shift) & 255) - Int(other >> UInt32(shift) & 255)) < 25 }
    }

    @Test(arguments: [(0xFFFFFF, 0x202020), (0x103020, 0xF0D040), (0xE0C0A0, 0x802010)] as [(UInt32, UInt32)])
    func `ink and ground are told apart, dark on bright and bright on dark`(ground: UInt32, color: UInt32) throws {
        let ink = try ink(on: try picture(ground: ground, ink: color, stroke: 5))
        #expect(isNear(ink.color, color), "\(String(ink.color, radix: 16))")
        #expect(isNear(ink.ground, ground), "\(String(ink.ground, radix: 16))")
    }

    @Test func `wider strokes measure wider`() throws {
        let thin = try ink(on: try picture(ground: 0xFFFFFF, ink: 0, stroke: 3)).stroke
        let bold = try ink(on: try picture(ground: 0xFFFFFF, ink: 0, stroke: 7)).stroke
        // Of a box of 40 pixels, and the sixteenth that the measure adds.
        #expect(abs(thin - (3 / 40 + 1 / 16)) < 0.02, "\(thin)")
        #expect(abs(bold - (7 / 40 + 1 / 16)) < 0.03, "\(bold)")
    }

    @Test func `print without contrast has no stroke`() throws {
        #expect(try ink(on: try picture(ground: 0x808080, ink: 0x848484, stroke: 5)).stroke == 0)
    }

    @Test func `an ink is stored as short text and read again`() throws {
        let ink = Ink(color: 0x0102FF, ground: 0xFFFFFF, stroke: 0.1234)
        let text = String(decoding: try JSONEncoder().encode(ink), as: UTF8.self)
        #expect(text == ##""#0102ff #ffffff 0.123""##)
        #expect(
            try JSONDecoder().decode(Ink.self, from: Data(text.utf8))
                == Ink(color: 0x0102FF, ground: 0xFFFFFF, stroke: 0.123))
        for damaged in [##""#0102ff""##, ##""red #ffffff 0.1""##, ##""#0102ff #ffffff 7""##] {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(Ink.self, from: Data(damaged.utf8)) }
        }
    }

    @Test func `a word of a stored reading may have no ink`() throws {
        let box = Quad(x: 0, y: 0, width: 1, height: 1)
        let stored = try JSONEncoder().encode(Word(text: "a", confidence: 1, box: box))
        #expect(!String(decoding: stored, as: UTF8.self).contains("ink"))
        #expect(try JSONDecoder().decode(Word.self, from: stored).ink == nil)
    }
}
