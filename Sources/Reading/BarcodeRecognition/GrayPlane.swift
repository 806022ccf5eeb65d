internal import COpenCV
import Core

/// The brightness of a picture: rows of 8-bit samples, origin top-left, no padding.
struct GrayPlane {
    let width: Int
    let height: Int
    let bytes: [UInt8]

    /// Rec. 601 luma of a colour raster. Nil where memory ran out.
    init?(_ raster: Raster) {
        switch raster.format {
        case .gray8:
            self.init(width: raster.width, height: raster.height, bytes: raster.bytes)
        case .rgb8:
            self.init(width: raster.width, height: raster.height) { gray in
                raster.bytes.withUnsafeBufferPointer {
                    tcv_rgb_to_gray($0.baseAddress, Int32(raster.width), Int32(raster.height), gray)
                }
            }
        }
    }

    private init(width: Int, height: Int, bytes: [UInt8]) {
        self.width = width
        self.height = height
        self.bytes = bytes
    }

    /// Filled by `fill`, which answers as the façade does; nil where it fails.
    init?(width: Int, height: Int, fill: (UnsafeMutablePointer<UInt8>?) -> Int32) {
        var status = TCV_OK
        let bytes = [UInt8](unsafeUninitializedCapacity: width * height) { buffer, count in
            status = Int(fill(buffer.baseAddress))
            count = status == TCV_OK ? width * height : 0
        }
        guard status == TCV_OK else { return nil }
        self.init(width: width, height: height, bytes: bytes)
    }

    /// The same picture in another size, at least one pixel.
    func scaled(by factor: Double) -> GrayPlane? {
        let (toWidth, toHeight) = (max(1, Int(Double(width) * factor)), max(1, Int(Double(height) * factor)))
        return GrayPlane(width: toWidth, height: toHeight) { to in
            bytes.withUnsafeBufferPointer {
                tcv_gray_resize($0.baseAddress, Int32(width), Int32(height), to, Int32(toWidth), Int32(toHeight))
            }
        }
    }

    /// Edges made steeper by `amount`, at a width of `sigma` pixels; an amount of -1 blurs.
    func unsharp(sigma: Double, amount: Double) -> GrayPlane? {
        GrayPlane(width: width, height: height) { to in
            bytes.withUnsafeBufferPointer {
                tcv_gray_unsharp($0.baseAddress, Int32(width), Int32(height), sigma, amount, to)
            }
        }
    }

    /// Contrast evened out locally.
    func evened(clip: Double) -> GrayPlane? {
        GrayPlane(width: width, height: height) { to in
            bytes.withUnsafeBufferPointer { tcv_gray_even($0.baseAddress, Int32(width), Int32(height), clip, to) }
        }
    }

    /// Each row's local range of brightness spread over all of it: bars in shade and glare become alike.
    var stretched: GrayPlane? {
        // Two of a retail code's seven-module digits and more, and never less than a wide bar.
        let reach = max(9, (width / 12) | 1)
        return GrayPlane(width: width, height: height) { to in
            bytes.withUnsafeBufferPointer {
                tcv_gray_stretch($0.baseAddress, Int32(width), Int32(height), Int32(reach), to)
            }
        }
    }

    /// The mean of six bands of rows, where bars stand upright: noise goes, bars stay.
    var banded: GrayPlane? {
        let (bands, rows) = (6, 8)
        guard height >= bands else { return nil }
        return GrayPlane(width: width, height: bands * rows) { to in
            bytes.withUnsafeBufferPointer {
                tcv_gray_bands($0.baseAddress, Int32(width), Int32(height), Int32(bands), Int32(rows), to)
            }
        }
    }

    /// The upright part around these points with `margin` pixels on every side, and where it begins.
    func part(around points: [Point], margin: Int) -> (plane: GrayPlane, origin: Point)? {
        guard let left = points.map(\.x).min(), let right = points.map(\.x).max(), let top = points.map(\.y).min(),
            let bottom = points.map(\.y).max()
        else { return nil }
        let columns = max(0, Int(left) - margin)..<min(width, Int(right) + margin + 1)
        let rows = max(0, Int(top) - margin)..<min(height, Int(bottom) + margin + 1)
        guard !columns.isEmpty, !rows.isEmpty else { return nil }
        var part: [UInt8] = []
        part.reserveCapacity(columns.count * rows.count)
        for row in rows { part += bytes[(row * width + columns.lowerBound)..<(row * width + columns.upperBound)] }
        return (
            GrayPlane(width: columns.count, height: rows.count, bytes: part),
            Point(Double(columns.lowerBound), Double(rows.lowerBound))
        )
    }

    /// Black for white.
    var inverted: GrayPlane { GrayPlane(width: width, height: height, bytes: bytes.map { 255 - $0 }) }
}
