import Core

/// Finds and decodes every barcode of a picture.
public protocol BarcodeReader {
    /// What is believed, and what was seen and could not be read.
    func read(_ raster: Raster) -> BarcodeFindings
}

/// What a reader makes of one picture.
public struct BarcodeFindings: Sendable {
    /// The codes that are believed, from the top of the picture down.
    public var readings: [BarcodeReading] = []
    /// Retail codes that were read and are not believed by themselves, the most often seen first: the digits printed under
    /// the bars may confirm one.
    public var doubtful: [BarcodeReading] = []
    /// Bars that nothing could read. Empty where something was read.
    public var unread: [UnreadBarcode] = []

    public init() {}
}
