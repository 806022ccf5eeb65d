/// A decoded upright image: rows of 8-bit samples, origin top-left, no padding between rows.
public struct Raster: Sendable, Equatable {
    /// The channels of a pixel. The raw value is the number of bytes.
    public enum PixelFormat: Int, Sendable {
        case gray8 = 1
        case rgb8 = 3
    }

    /// In pixels, at least 1.
    public let width: Int
    /// In pixels, at least 1.
    public let height: Int
    public let format: PixelFormat
    /// `width * height * format.rawValue` bytes, row by row from the top.
    public let bytes: [UInt8]

    /// Nil if the dimensions do not match the number of bytes.
    public init?(width: Int, height: Int, format: PixelFormat, bytes: [UInt8]) {
        guard width > 0, height > 0, width <= 1 << 20, height <= 1 << 20,
            bytes.count == width * height * format.rawValue
        else { return nil }
        self.width = width
        self.height = height
        self.format = format
        self.bytes = bytes
    }
}
