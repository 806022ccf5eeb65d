import Vocabulary

internal import CZBar

/// Reads barcodes with ZBar, and tries harder where the picture as it is shows none.
///
/// Every scan has a scanner of its own: a used one remembers parts of codes, and reads the next picture differently.
public struct ZBarReader: BarcodeReader, Sendable {
    /// Rescue steps work on at most so many pixels: a photo without a code costs each of them.
    private static let rescuePixels = 1_500_000.0
    /// What a rescued reading is worth beside a plain one; not calibrated yet.
    private static let rescueDiscount = 0.93

    public init() {}

    /// The codes that are believed, from the top of the picture down; none where none is readable or memory ran out.
    ///
    /// A wrong text is worse than none: a code that only a rescue step reads must be read by a second one too, unless it
    /// guards itself well.
    public func read(_ raster: Raster) -> [BarcodeReading] {
        guard let plane = GrayPlane(raster) else { return [] }
        let plain = ZBarScanner.scan(plane).filter(\.isPlausible)
        let readings = plain.isEmpty ? rescued(plane) : plain.map { $0.reading(on: plane) }
        return readings.sorted { ($0.top, $0.left, $0.text) < ($1.top, $1.left, $1.text) }
    }

    /// What the first steps of the ladder read that agree, in the plane's pixels.
    private func rescued(_ plane: GrayPlane) -> [BarcodeReading] {
        let factor = min(1, (Self.rescuePixels / Double(plane.width * plane.height)).squareRoot())
        guard let small = factor < 1 ? plane.scaled(by: factor) : plane else { return [] }
        var seen: [[ScannedSymbol.Identity]] = []
        var first: [ScannedSymbol.Identity: BarcodeReading] = [:]
        for step in RescueStep.ladder {
            guard let doctored = step.applied(to: small) else { return [] }
            var agreed: [BarcodeReading] = []
            let symbols = ZBarScanner.scan(doctored).filter(\.isPlausible)
            for var symbol in symbols {
                symbol.points = symbol.points.map {
                    let point = step.undone($0, width: small.width, height: small.height)
                    return Point(point.x / factor, point.y / factor)
                }
                var reading = symbol.reading(on: plane)
                reading.rescue = step.name
                reading.confidence = (reading.confidence * Self.rescueDiscount).rounded(toPlaces: 4)
                let before = seen.count { $0.contains(symbol.identity) }
                let earliest = first[symbol.identity] ?? reading
                first[symbol.identity] = earliest
                if let needed = symbol.neededRescueReadings, before + 1 >= needed { agreed.append(earliest) }
            }
            if !agreed.isEmpty { return agreed }
            seen.append(symbols.map(\.identity))
        }
        return []
    }
}

extension ScannedSymbol {
    /// What makes two readings the same.
    fileprivate struct Identity: Hashable {
        var symbology: Symbology
        var text: String
    }

    fileprivate var identity: Identity { Identity(symbology: symbology, text: text) }

    /// The symbol as outcomes have it, with its corners kept inside the plane.
    fileprivate func reading(on plane: GrayPlane) -> BarcodeReading {
        let outline = symbology.isMatrix ? Outline(corners: points) : Outline(around: points)
        return BarcodeReading(
            format: symbology.rawValue, text: text, gtin: gtin?.digits,
            confidence: confidence,
            corners: outline.corners.map {
                Point(min(max($0.x, 0), Double(plane.width)), min(max($0.y, 0), Double(plane.height)))
            })
    }
}

extension BarcodeReading {
    fileprivate var top: Double { corners.map(\.y).min() ?? 0 }
    fileprivate var left: Double { corners.map(\.x).min() ?? 0 }
}

extension ZBarReader {
    /// The library's version, as outcomes carry it.
    public static var version: String {
        var (major, minor, patch) = (UInt32(0), UInt32(0), UInt32(0))
        zbar_version(&major, &minor, &patch)
        return "zbar \(major).\(minor).\(patch)"
    }
}
