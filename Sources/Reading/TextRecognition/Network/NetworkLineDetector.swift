internal import COpenCV
import Foundation
import Core

/// PP-OCRv6's detector: computes a probability map of text and extracts lines from it.
///
/// Threshold, score and growth had the best accuracy on photos of labels and menus.
final class NetworkLineDetector: LineDetector {
    /// Longer side of the network's input, pixels.
    static let side = 1280
    private static let threshold = 0.3
    private static let minScore = 0.5
    private static let unclip = 1.6
    /// Maximum number of lines. No page of text has as many; noise does.
    private static let maxLines = 2000

    /// Lines lower than this in the network's input are small print, of which half is missed.
    private static let smallLine = 13.0

    /// Thickness of lines that the overview shows well, pixels of it. Higher ones may be the bars of a code.
    private static let largeLine = 13.0...40
    /// Score from which a line of the overview is not looked at again.
    private static let sureScore = 0.7
    /// Share of the picture up to which other places that may be print are a rest.
    private static let mostRest = 0.05
    /// Faint probabilities around a line or a code, pixels of the overview.
    private static let rim = 4.0

    private let network: NeuralNetwork
    /// The lines of a page that was searched in advance.
    private var foreseen: (page: Raster, lines: [DetectedLine])?

    init(network: NeuralNetwork) { self.network = network }

    func foresee(_ page: Raster) {
        // The search that follows reports an error.
        foreseen = (try? lines(on: page, search: .close)).map { (page, $0) }
    }

    func lines(on page: Raster, search: PrintSearch) throws -> [DetectedLine] {
        defer { foreseen = nil }
        if case .close = search, let foreseen, foreseen.page == page { return foreseen.lines }
        let longerSide = Double(max(page.width, page.height))
        let scale = min(1, Double(Self.side) / longerSide)
        let overviewScale = Double(PrintRegions.overviewSide) / longerSide
        // A picture not much larger than the overview is searched at once.
        let overview = overviewScale > scale / 2 ? nil : try self.overview(of: page, search, scale: overviewScale)
        if let overview, let lines = try largePrint(in: overview, by: overviewScale, on: page, scale: scale) {
            return lines
        }
        let map = try map(of: page, scale: scale, where: overview)
        let lines = try lines(in: map, page: page)
        guard scale < 0.9,
            lines.isEmpty ? try looksPrinted(page) : (lines.map(\.shape.thickness).median ?? 0) * scale < Self.smallLine
        else { return lines }
        return try self.lines(in: self.map(of: page, scale: 1, where: lines.isEmpty ? nil : map), page: page)
    }

    /// The map of a small copy without codes; nil for a close search.
    private func overview(of page: Raster, _ search: PrintSearch, scale: Double) throws -> TextMap? {
        guard case .quick(let matrices) = search else { return nil }
        var map = try map(of: page, scale: scale)
        for c in matrices where c.count == 4 {
            map.clear(
                LineShape(Quad(topLeft: c[0], topRight: c[1], bottomRight: c[2], bottomLeft: c[3])), scale: scale)
        }
        return map
    }

    /// The lines of a picture with hardly any print but large lines, which the overview shows as well as the whole picture
    /// would. The rest is looked at closely.
    ///
    /// - Parameters:
    ///   - small: pixels of the overview for one of the page.
    ///   - scale: pixels of the network's picture for one of the page.
    /// - Returns: nil if there is more print. Its lines are found as on any page then, because large lines of a packet
    ///   taken from the overview were joined otherwise, and some read worse.
    private func largePrint(
        in overview: TextMap, by small: Double, on page: Raster, scale: Double
    ) throws -> [DetectedLine]? {
        let large = try lines(in: overview, page: page).filter {
            Self.largeLine.contains($0.shape.thickness * small) && $0.score >= Self.sureScore
        }
        var rest = overview
        for line in large { rest.clear(line.shape, scale: small) }
        let (width, height) = (Self.size(page.width, scale), Self.size(page.height, scale))
        let regions = PrintRegions(map: rest.values, mapWidth: rest.width, width: width, height: height)
        let share = Double(regions.rects.reduce(0) { $0 + $1.area }) / Double(width * height)
        guard !large.isEmpty, share <= Self.mostRest else { return nil }
        let others = try lines(in: map(of: page, scale: scale, where: rest), page: page).filter { line in
            !large.contains { $0.shape.contains(line.shape.middle) }
        }
        return large + others
    }

    /// A side of the network's picture, pixels.
    private static func size(_ side: Int, _ scale: Double) -> Int {
        max(PageTiles.step, Int((Double(side) * scale / Double(PageTiles.step)).rounded()) * PageTiles.step)
    }

    /// True if the page has so many adjacent letters that an empty detection needs a second attempt.
    private func looksPrinted(_ page: Raster) throws -> Bool { try PagePreparation(page).page().looksLined }

    /// The network's answer for a page: probabilities of text, row by row from the top.
    private struct TextMap {
        let width: Int
        let height: Int
        var values: [Float]

        /// Removes a line of the page, with its rim.
        ///
        /// - Parameter scale: pixels of the map for one of the page.
        mutating func clear(_ shape: LineShape, scale: Double) {
            let xs = (shape.top + shape.bottom).map { $0.x * scale },
                ys = (shape.top + shape.bottom).map { $0.y * scale }
            guard let left = xs.min(), let right = xs.max(), let low = ys.min(), let high = ys.max() else { return }
            let rim = NetworkLineDetector.rim
            for y in max(0, Int(low - rim))..<max(0, min(height, Int(high + rim) + 1)) {
                for x in max(0, Int(left - rim))..<max(0, min(width, Int(right + rim) + 1))
                where shape.contains(Point(Double(x) / scale, Double(y) / scale), margin: rim / scale) {
                    values[y * width + x] = 0
                }
            }
        }
    }

    /// - Parameter shown: The map of a smaller picture of the page. The network looks only where it shows print; the
    ///   rest of the map is 0.
    private func map(of page: Raster, scale: Double, where shown: TextMap? = nil) throws -> TextMap {
        let picture = try Self.picture(
            of: page, width: Self.size(page.width, scale), height: Self.size(page.height, scale))
        let regions =
            shown.map {
                PrintRegions(map: $0.values, mapWidth: $0.width, width: picture.width, height: picture.height)
            } ?? PrintRegions(wholeOf: picture.width, picture.height)
        var map = TextMap(
            width: picture.width, height: picture.height,
            values: [Float](repeating: 0, count: picture.width * picture.height))
        for region in regions.rects {
            for tile in PageTiles(width: region.x.count, height: region.y.count).tiles {
                try answer(for: tile.moved(by: region.x.lowerBound, region.y.lowerBound), of: picture, to: &map.values)
            }
        }
        return map
    }

    private static func picture(of page: Raster, width: Int, height: Int) throws -> Raster {
        guard (width, height) != (page.width, page.height) else { return page }
        return try Raster.filled(width: width, height: height, format: page.format, step: "the detector's picture") {
            picture in
            page.bytes.withUnsafeBufferPointer {
                tcv_lines_picture(
                    $0.baseAddress, Int32(page.width), Int32(page.height), Int32(page.format.rawValue), Int32(width),
                    Int32(height), picture)
            }
        }
    }

    /// Writes the network's text probabilities for one tile into the map of the whole picture.
    private func answer(for tile: PageTiles.Tile, of picture: Raster, to map: inout [Float]) throws {
        let (width, height) = (tile.seenX.count, tile.seenY.count)
        var status: Int32 = 0
        let input = [Float](unsafeUninitializedCapacity: 3 * width * height) { buffer, count in
            buffer.initialize(repeating: 0)
            status = picture.bytes.withUnsafeBufferPointer {
                tcv_lines_input(
                    $0.baseAddress, Int32(picture.width), Int32(picture.height), Int32(picture.format.rawValue),
                    Int32(tile.seenX.lowerBound), Int32(tile.seenY.lowerBound), Int32(width), Int32(height),
                    buffer.baseAddress)
            }
            count = buffer.count
        }
        try Self.check(status, "the detector's input")
        try network.run(input, shape: [1, 3, Int64(height), Int64(width)]) { seen, sizes in
            guard seen.count == width * height else {
                throw ItemFailure(
                    stage: .recognition, code: .decodeFailed,
                    detail: "the line detector answered a map of \(sizes) for a picture of \(width) × \(height)",
                    hint: "Run scripts/fetch-models: the network is not the one expected.")
            }
            for y in tile.ownY {
                let from = (y - tile.seenY.lowerBound) * width + tile.ownX.lowerBound - tile.seenX.lowerBound
                let to = y * picture.width + tile.ownX.lowerBound
                map.replaceSubrange(to..<(to + tile.ownX.count), with: seen[from..<(from + tile.ownX.count)])
            }
        }
    }

    private func lines(in map: TextMap, page: Raster) throws -> [DetectedLine] {
        var found = [tcv_text_line](repeating: tcv_text_line(), count: Self.maxLines)
        var count: Int32 = 0
        let status = map.values.withUnsafeBufferPointer {
            tcv_lines_find(
                $0.baseAddress, Int32(map.width), Int32(map.height), Self.threshold, Self.minScore, Self.unclip,
                Int32(page.width), Int32(page.height), &found, Int32(Self.maxLines), &count)
        }
        try Self.check(status, "lines")
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
    /// Orders corners of any rotation for text from left to right: the two leftmost corners come at its beginning.
    fileprivate init(uprightFrom corners: [Point]) {
        let byX = corners.sorted { $0.x < $1.x }
        let left = byX.prefix(2).sorted { $0.y < $1.y }
        let right = byX.suffix(2).sorted { $0.y < $1.y }
        self.init(topLeft: left[0], topRight: right[0], bottomRight: right[1], bottomLeft: left[1])
    }
}
