/// The steps of the ladder, by the names that outcomes carry.
enum RescueStep {
    /// The picture as it is.
    static let plain = "none"
    /// Bars that were located, cut out and set upright.
    static let cropped = "cropped"
    /// The same with each row's range of brightness spread.
    static let flattened = "flattened"
    /// The whole picture with its contrast evened out.
    static let evened = "evened"
    /// Cut bars, averaged along their height.
    static let averaged = "averaged"
    /// Cut bars with steeper edges.
    static let deblurred = "deblurred"
    /// A small picture, three times as large.
    static let enlarged = "enlarged"
    /// The same with steeper edges.
    static let sharpened = "sharpened"
    /// Evened and twice as large.
    static let upscaled = "upscaled"
    /// Cut bars, black for white.
    static let inverted = "inverted"
    /// Cut bars, their range of brightness spread and then black for white.
    static let invertedFlattened = "invertedFlattened"
}
