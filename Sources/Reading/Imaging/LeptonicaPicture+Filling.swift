import Core

internal import COpenCV

extension LeptonicaPicture {
    /// Copies a raster into 32-bit words as R, G, B, A bytes, with rows `stride` bytes apart. False if OpenCV fails.
    static func fill(_ words: UnsafeMutablePointer<UInt32>, stride: Int, from raster: Raster) -> Bool {
        words.withMemoryRebound(to: UInt8.self, capacity: stride * raster.height) { start in
            raster.bytes.withUnsafeBufferPointer { source in
                tcv_to_rgba(
                    source.baseAddress, Int32(raster.width), Int32(raster.height), Int32(raster.format.rawValue), start,
                    stride)
            } == 0
        }
    }
}
