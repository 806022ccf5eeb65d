internal import COpenCV
import Vocabulary

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
    private init?(width: Int, height: Int, fill: (UnsafeMutablePointer<UInt8>?) -> Int32) {
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

    /// Turned clockwise about the centre, on a plane that holds all of it.
    func turned(by degrees: Double) -> GrayPlane? {
        let (toWidth, toHeight) = Turn(degrees: degrees).bounds(width: width, height: height)
        return GrayPlane(width: toWidth, height: toHeight) { to in
            bytes.withUnsafeBufferPointer {
                tcv_gray_turn($0.baseAddress, Int32(width), Int32(height), degrees, to, Int32(toWidth), Int32(toHeight))
            }
        }
    }

    /// Black for white.
    var inverted: GrayPlane { GrayPlane(width: width, height: height, bytes: bytes.map { 255 - $0 }) }
}
