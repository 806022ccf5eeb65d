internal import COpenCV
import Core

/// A gray image: rows of 8-bit samples, origin top-left, no padding.
struct GrayPlane {
    let width: Int
    let height: Int
    let bytes: [UInt8]

    /// Rec. 601 luma of a colour raster. Nil if memory runs out.
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

    /// A plane filled by `fill`, which returns a status of the OpenCV façade. Nil if that status is an error.
    init?(width: Int, height: Int, fill: (UnsafeMutablePointer<UInt8>?) -> Int32) {
        var status = TCV_OK
        let bytes = [UInt8](unsafeUninitializedCapacity: width * height) { buffer, count in
            status = Int(fill(buffer.baseAddress))
            count = status == TCV_OK ? width * height : 0
        }
        guard status == TCV_OK else { return nil }
        self.init(width: width, height: height, bytes: bytes)
    }

    /// The image scaled by `factor`, at least one pixel on each side.
    func scaled(by factor: Double) -> GrayPlane? {
        let (toWidth, toHeight) = (max(1, Int(Double(width) * factor)), max(1, Int(Double(height) * factor)))
        return GrayPlane(width: toWidth, height: toHeight) { to in
            bytes.withUnsafeBufferPointer {
                tcv_gray_resize($0.baseAddress, Int32(width), Int32(height), to, Int32(toWidth), Int32(toHeight))
            }
        }
    }

    /// Unsharp mask of `sigma` pixels and strength `amount`; an amount of -1 blurs.
    func unsharp(sigma: Double, amount: Double) -> GrayPlane? {
        GrayPlane(width: width, height: height) { to in
            bytes.withUnsafeBufferPointer {
                tcv_gray_unsharp($0.baseAddress, Int32(width), Int32(height), sigma, amount, to)
            }
        }
    }

    /// Local contrast equalisation (CLAHE) with this clip limit.
    func evened(clip: Double) -> GrayPlane? {
        GrayPlane(width: width, height: height) { to in
            bytes.withUnsafeBufferPointer { tcv_gray_even($0.baseAddress, Int32(width), Int32(height), clip, to) }
        }
    }

    /// Each row with its local brightness range stretched to 0…255, which compensates for shade and glare.
    var stretched: GrayPlane? {
        // At least two seven-module digits of a retail code, and at least one wide bar.
        let reach = max(9, (width / 12) | 1)
        return GrayPlane(width: width, height: height) { to in
            bytes.withUnsafeBufferPointer {
                tcv_gray_stretch($0.baseAddress, Int32(width), Int32(height), Int32(reach), to)
            }
        }
    }

    /// Bands of ``banded``.
    static let bands = 6

    /// The means of six bands of rows. Averaging along upright bars removes noise.
    var banded: GrayPlane? {
        let (bands, rows) = (Self.bands, 8)
        guard height >= bands else { return nil }
        return GrayPlane(width: width, height: bands * rows) { to in
            bytes.withUnsafeBufferPointer {
                tcv_gray_bands($0.baseAddress, Int32(width), Int32(height), Int32(bands), Int32(rows), to)
            }
        }
    }

    /// The bounding box of the points plus `margin` pixels on every side, and its origin.
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

    /// The negative.
    var inverted: GrayPlane { GrayPlane(width: width, height: height, bytes: bytes.map { 255 - $0 }) }
}
