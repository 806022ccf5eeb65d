import Foundation
import TestSupport
import Testing

import Core

@Suite struct TableWritingTests {
    /// Fields as OWASP lists them, and harmless ones.
    private static let dangerous = ["=1+1", "+1+cmd|' /C calc'!A0", "-1+cmd|x", "-2-3", "@SUM(A1)", "\tx", "\rx", "＝1"]
    private static let harmless = ["-5", "-5.25", "12", "Käse", "a=b", "1-2", "’s Milk", ""]

    @Test func `a field that a spreadsheet would run gets an apostrophe`() {
        for field in Self.dangerous { #expect(CSVLine.text([field]).contains("'" + field.prefix(1)), "\(field)") }
        for field in Self.harmless { #expect(CSVLine.text([field]) == field + "\r\n") }
    }

    @Test func `no field sends commands to a terminal`() {
        for scalar in (0..<0xA0).compactMap(Unicode.Scalar.init) where scalar.properties.generalCategory == .control {
            guard !["\t", "\n", "\r"].contains(scalar) else { continue }
            #expect(CSVLine.text(["a\(scalar)]0;b"]) == "a]0;b\r\n", "\(scalar.value)")
        }
    }

    @Test func `each text comes back as it was written`() {
        var dice = Dice(7)
        let letters = Array("=+-@'\t\"\r\n,;1.aé＝")
        for _ in 0..<2000 {
            let fields = (0..<(1 + dice.roll(4))).map { _ in
                "x" + String((0..<dice.roll(8)).map { _ in dice.pick(letters) })
            }
            .map { String($0.dropFirst(dice.roll(2))) }
            let bytes = Array(CSVLine.text(fields + ["z"]).utf8)
            let back = bytes.withUnsafeBufferPointer { bytes in
                let dialect = TableDialect(of: "a,b".utf8)
                let (rows, used) = dialect.rows(of: bytes, isLast: true)
                #expect(rows.count == 1 && used == bytes.count)
                return rows.first.map { dialect.fields(bytes, $0) } ?? []
            }
            #expect(back.map(CSVLine.original) == fields + ["z"])
        }
    }

    @Test func `digits are read as a whole or not at all`() {
        for text in ["0", "12", "-12.50", "0.001", "12345678901234567890"] {
            #expect(Decimal(digits: text) == Decimal(string: text), "\(text)")
        }
        for text in [
            "", "-", ".", "1.", ".5", "1e3", "1/2", "0.75l", "2-3", "1 2", "1,5", "--1", "+1", "1.2.3", "١", "0x1F",
        ] {
            #expect(Decimal(digits: text) == nil, "\(text)")
        }
    }
}
