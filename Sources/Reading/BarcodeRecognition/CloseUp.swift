import Core

extension BarcodeReading {
    /// True if the code fills so much of the picture that it was held before the camera: a product's code a fiftieth, a
    /// matrix a twentieth, other bars a tenth. Beside pieces on a table a packet's code is smaller; menus and receipts
    /// have small codes of their own.
    package func isCloseUp(inPictureOf width: Int, _ height: Int) -> Bool {
        let sides = zip(corners, corners.dropFirst() + corners.prefix(1))
        let area = abs(sides.reduce(0) { $0 + $1.0.x * $1.1.y - $1.1.x * $1.0.y }) / 2
        let share = gtin != nil ? 50.0 : isMatrix ? 20 : 10
        return width > 0 && height > 0 && area * share >= Double(width) * Double(height)
    }

    /// True for two-dimensional codes.
    package var isMatrix: Bool { Symbology(rawValue: format)?.isMatrix ?? false }
}
