import BarcodeRecognition
import Core
import TestSupport
import Testing

@testable import App

@Suite struct QRCodeTests {
    private let link = "http://192.168.178.20:8765/pair?code=7KQM-4XRT"

    /// The modules as a picture, `scale` pixels each, with a quiet zone of four.
    private func raster(_ code: QRCode, scale: Int = 6) throws -> Raster {
        let side = (code.side + 8) * scale
        var bytes = [UInt8](repeating: 255, count: side * side)
        for y in 0..<side {
            for x in 0..<side {
                let (column, row) = (x / scale - 4, y / scale - 4)
                guard column >= 0, row >= 0, column < code.side, row < code.side else { continue }
                if code.modules[row * code.side + column] { bytes[y * side + x] = 0 }
            }
        }
        return try #require(Raster(width: side, height: side, format: .gray8, bytes: bytes))
    }

    @Test func `a barcode reader reads the text back`() throws {
        let code = try #require(QRCode(link))
        let models = ModelFolder(Repository.models)
        let reader = BarcodeDecodeAttempts(zxing: nil, calibration: try BarcodeCalibration(models: models))
        let found = reader.read(try raster(code)).readings
        #expect(found.map(\.text) == [link])
    }

    @Test func `svg and terminal lines show the same modules`() throws {
        let code = try #require(QRCode(link))
        var drawn = Set<Int>()
        for part in code.path.data.matches(of: /M(\d+) (\d+)h(\d+)v1H(\d+)z/) {
            let (x, y, length) = (Int(part.1) ?? 0, Int(part.2) ?? 0, Int(part.3) ?? 0)
            for column in x..<x + length { drawn.insert(y * code.side + column) }
        }
        #expect(drawn == Set(code.modules.indices.filter { code.modules[$0] }))
        let lines = code.lines(colours: false)
        #expect(lines.count == (code.side + 5) / 2)
        // Light is drawn, dark is left out: the first module of a code is dark.
        let first = Array(lines[1])
        #expect(first[2] == (code.modules[code.side] ? " " : "▄"))
        #expect(code.svg.contains("<path d=\"M0 0h7"))
    }

    @Test func `a text that does not fit gives no code`() {
        #expect(QRCode("") == nil)
        #expect(QRCode(String(repeating: "x", count: 1001)) == nil)
    }
}
