import Vocabulary

/// A photo as the recognisers get it.
public struct DecodedImage: Sendable {
    /// Upright; at most ``ImagingLimits/rasterSide`` pixels long.
    public let raster: Raster
    /// The file's format, the size of the whole upright image, and the orientation that was stored and is applied.
    public let facts: ReadAnswer.ImageFacts
    /// Pixels of the whole upright image for one of the raster's; 1 where it was not made smaller.
    public let enlargement: Double
    /// Set where the file is cut or damaged and yet gave a picture: some of it is missing, or invented by the decoder.
    public let shortfall: ItemFailure?
}
