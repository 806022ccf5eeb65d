import Vocabulary

/// Finds and decodes every barcode of a picture.
public protocol BarcodeReader {
    /// The codes that are believed, from the top of the picture down; none where none is readable.
    func read(_ raster: Raster) -> [BarcodeReading]
}
