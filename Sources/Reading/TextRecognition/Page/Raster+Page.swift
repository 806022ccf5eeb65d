internal import COpenCV
import Core

extension Raster {
    /// A raster whose bytes `fill` writes. `fill` returns a status of the OpenCV façade.
    ///
    /// - Throws: `ItemFailure` if that status is an error; `step` names the operation.
    static func filled(
        width: Int, height: Int, format: PixelFormat, step: String,
        _ fill: (UnsafeMutablePointer<UInt8>?) -> Int32
    ) throws -> Raster {
        var status: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: width * height * format.rawValue) { buffer, filled in
            buffer.initialize(repeating: 0)
            status = fill(buffer.baseAddress)
            filled = buffer.count
        }
        guard status == 0, let raster = Raster(width: width, height: height, format: format, bytes: bytes) else {
            throw ItemFailure(
                stage: .recognition, code: .decodeFailed, detail: "page preparation (\(step)) answered \(status)",
                hint: "Save the picture again as JPEG or PNG with at most 20,000 pixels a side.")
        }
        return raster
    }

    /// Scaled by area.
    func resized(width newWidth: Int, height newHeight: Int) throws -> Raster {
        try Raster.filled(width: newWidth, height: newHeight, format: format, step: "size") { to in
            bytes.withUnsafeBufferPointer {
                tcv_resize(
                    $0.baseAddress, Int32(width), Int32(height), Int32(format.rawValue), to, Int32(newWidth),
                    Int32(newHeight))
            }
        }
    }

    /// Smoothed by a Gaussian, whose deviation is in pixels.
    func smoothed(deviation: Double) throws -> Raster {
        try Raster.filled(width: width, height: height, format: format, step: "smoothing") { to in
            bytes.withUnsafeBufferPointer { samples in
                func image(_ samples: UnsafeMutableRawPointer?) -> tcv_image {
                    tcv_image(
                        samples: samples, width: Int32(width), height: Int32(height), channels: Int32(format.rawValue),
                        depth: Int32(TCV_U8), stride: width * format.rawValue)
                }
                var from = image(UnsafeMutableRawPointer(mutating: samples.baseAddress))
                var target = image(to)
                return tcv_image_smooth(&from, &target, deviation)
            }
        }
    }

    /// Rotated clockwise by `quarters` × 90°, without interpolation.
    func rotated(quarters: Int) throws -> Raster {
        // The EXIF orientations of these rotations.
        guard let orientation: Int32 = [1: 6, 2: 3, 3: 8][((quarters % 4) + 4) % 4] else { return self }
        let (to_width, to_height) = quarters % 2 == 0 ? (width, height) : (height, width)
        return try Raster.filled(width: to_width, height: to_height, format: format, step: "turning") { to in
            bytes.withUnsafeBufferPointer {
                tcv_upright(
                    $0.baseAddress, Int32(width), Int32(height), Int32(format.rawValue), width * format.rawValue,
                    orientation, to, Int32(to_width), Int32(to_height), Int32(format.rawValue))
            }
        }
    }
}
