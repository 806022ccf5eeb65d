import Core

/// Locates and decodes every barcode in a picture.
public protocol BarcodeReader {
    /// Accepted, doubtful and unread codes of the raster, with corners in pixels of it.
    func read(_ raster: Raster) -> BarcodeFindings
}

/// The result of reading one picture.
public struct BarcodeFindings: Sendable {
    /// The accepted codes, ordered from the top of the picture down.
    public var readings: [BarcodeReading] = []
    /// Retail codes that were decoded but not accepted, the most often detected first. Digits printed under the bars
    /// may confirm one.
    public var doubtful: [BarcodeReading] = []
    /// Bars that were located but not decoded. Empty if any code was accepted.
    public var unread: [UnreadBarcode] = []

    public init() {}
}
