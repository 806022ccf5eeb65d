internal import COpenCV
import Foundation
import Vocabulary

/// PP-OCRv6's detector: a map of where print is, and lines out of it.
///
/// Threshold, score and growth are those that the design measured best on photos of labels and menus.
final class NetworkLineDetector: LineDetector {
    /// Longer side of the picture that the network sees, pixels.
    static let side = 1280
    private static let threshold = 0.3
    private static let leastScore = 0.5
    private static let unclip = 1.6
    /// More than any page of print has; noise alone reaches it.
    private static let mostLines = 2000

    /// Lines lower than this in the network's picture are small print: half of it is overlooked.
    private static let smallLine = 13.0
    /// Height of the bands that small print is looked for in, and by how much they overlap, pixels.
    private static let band = 640
    private static let overlap = 80

    private let network: NeuralNetwork

    init(network: NeuralNetwork) { self.network = network }

    func lines(on page: Raster) throws -> [DetectedLine] {
        let scale = min(1, Double(Self.side) / Double(max(page.width, page.height)))
        let lines = try lines(on: page, scale: scale)
        guard scale < 0.9,
            lines.isEmpty ? try looksPrinted(page) : median(lines.map(\.shape.thickness)) * scale < Self.smallLine
        else { return lines }
        return try linesInBands(of: page)
    }

    /// Looks at the page in its own resolution, band by band from the top: lines lie in bands whole.
    private func linesInBands(of page: Raster) throws -> [DetectedLine] {
        var lines: [DetectedLine] = []
        let rowBytes = page.width * page.format.rawValue
        for top in stride(from: 0, to: page.height, by: Self.band) {
            let (start, end) = (max(0, top - Self.overlap), min(page.height, top + Self.band + Self.overlap))
            guard
                let band = Raster(
                    width: page.width, height: end - start, format: page.format,
                    bytes: Array(page.bytes[(start * rowBytes)..<(end * rowBytes)]))
            else { continue }
            for var line in try self.lines(on: band, scale: 1) {
                line.shape.move(down: Double(start))
                // What two bands see belongs to the one that has its middle.
                let middle = line.shape.spine[line.shape.spine.count / 2].y
                if middle >= Double(top), middle < Double(top + Self.band) { lines.append(line) }
            }
        }
        return lines
    }

    /// True where so many letters stand side by side that finding no line needs a closer look.
    private func looksPrinted(_ page: Raster) throws -> Bool { try PagePreparation(page).page().looksLined }

    private func lines(on page: Raster, scale: Double) throws -> [DetectedLine] {
        // The network halves its picture five times.
        func size(_ side: Int) -> Int { max(32, Int((Double(side) * scale / 32).rounded()) * 32) }
        let (width, height) = (size(page.width), size(page.height))
        var status: Int32 = 0
        let input = [Float](unsafeUninitializedCapacity: 3 * width * height) { buffer, count in
            buffer.initialize(repeating: 0)
            status = page.bytes.withUnsafeBufferPointer {
                tcv_lines_input(
                    $0.baseAddress, Int32(page.width), Int32(page.height), Int32(page.format.rawValue), Int32(width),
                    Int32(height), buffer.baseAddress)
            }
            count = buffer.count
        }
        try Self.check(status, "the detector's input")
        return try network.run(input, shape: [1, 3, Int64(height), Int64(width)]) { map, sizes in
            guard map.count == width * height else {
                throw ItemFailure(
                    stage: .recognition, code: .decodeFailed,
                    detail: "the line detector answered a map of \(sizes) for a picture of \(width) × \(height)",
                    hint: "Run scripts/fetch-models: the network is not the one expected.")
            }
            return try Self.lines(in: map, width: width, height: height, page: page)
        }
    }

    private static func lines(
        in map: UnsafeBufferPointer<Float>, width: Int, height: Int, page: Raster
    ) throws -> [DetectedLine] {
        var found = [tcv_text_line](repeating: tcv_text_line(), count: mostLines)
        var count: Int32 = 0
        let status = tcv_lines_find(
            map.baseAddress, Int32(width), Int32(height), threshold, leastScore, unclip, Int32(page.width),
            Int32(page.height), &found, Int32(mostLines), &count)
        try check(status, "lines")
        return found.prefix(Int(count)).map { line in
            DetectedLine(shape: LineShape(line), score: line.score)
        }
    }

    private static func check(_ status: Int32, _ step: String) throws {
        guard status != TCV_OK else { return }
        throw ItemFailure(
            stage: .recognition, code: .decodeFailed, detail: "line detection (\(step)) answered \(status)",
            hint: "Save the picture again as JPEG or PNG with at most 20,000 pixels a side.")
    }
}

extension LineShape {
    fileprivate init(_ line: tcv_text_line) {
        if line.is_bent != 0 {
            let spine = withUnsafeBytes(of: line.spine) { Array($0.bindMemory(to: Double.self)) }
            self.init(
                spine: stride(from: 0, to: spine.count - 1, by: 2).map { Point(spine[$0], spine[$0 + 1]) },
                height: line.height)
        } else {
            let c = line.corners
            self.init(Quad(uprightFrom: [Point(c.0, c.1), Point(c.2, c.3), Point(c.4, c.5), Point(c.6, c.7)]))
        }
    }
}

extension Quad {
    /// Corners in any rotation, as those of print that reads from left to right: the two leftmost are its beginning.
    fileprivate init(uprightFrom corners: [Point]) {
        let byX = corners.sorted { $0.x < $1.x }
        let left = byX.prefix(2).sorted { $0.y < $1.y }
        let right = byX.suffix(2).sorted { $0.y < $1.y }
        self.init(topLeft: left[0], topRight: right[0], bottomRight: right[1], bottomLeft: left[1])
    }
}
