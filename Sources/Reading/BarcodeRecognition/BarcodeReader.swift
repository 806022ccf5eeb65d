import Core

/// Locates and decodes every barcode in a picture.
package protocol BarcodeReader {
    /// Accepted, doubtful and unread codes of the raster, with corners in pixels of it.
    func read(_ raster: Raster) -> BarcodeFindings
}

/// The result of reading one picture.
package struct BarcodeFindings: Sendable {
    /// The accepted codes, ordered from the top of the picture down.
    package var readings: [BarcodeReading] = []
    /// Retail codes that were decoded but not accepted, the most often detected first. Digits printed under the bars
    /// may confirm one.
    package var doubtful: [BarcodeReading] = []
    /// Bars that were located but not decoded. Empty if any code was accepted.
    package var unread: [UnreadBarcode] = []

    package init() {}
}
