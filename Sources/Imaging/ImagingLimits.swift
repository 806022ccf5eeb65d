/// What a photo may ask for before it is decoded: a 404-byte JPEG can ask for 2.6 GB.
public struct ImagingLimits: Sendable, Hashable {
    /// Width × height.
    public var pixels = 100_000_000
    /// Of width and of height.
    public var side = 20_000
    /// Of the file.
    public var bytes = 256 << 20
    /// Progressive JPEGs of many scans take seconds a megapixel.
    public var jpegScans = 100
    /// Rasters are made smaller until their longer side is no more than this.
    public var rasterSide = 4_000

    public init() {}
}
