/// Names of the decode attempts, as outcomes report them under `rescue`.
enum DecodeAttempt {
    /// The unchanged picture.
    static let plain = "none"
    /// Located bars, cut out and rotated upright.
    static let cropped = "cropped"
    /// A crop with the brightness range of each row stretched.
    static let flattened = "flattened"
    /// The whole picture after local contrast equalisation.
    static let evened = "evened"
    /// A crop averaged along the bars.
    static let averaged = "averaged"
    /// A sharpened crop.
    static let deblurred = "deblurred"
    /// A small picture, enlarged three times.
    static let enlarged = "enlarged"
    /// A small picture, enlarged three times and sharpened.
    static let sharpened = "sharpened"
    /// The picture after local contrast equalisation, enlarged twice.
    static let upscaled = "upscaled"
    /// The negative of a crop.
    static let inverted = "inverted"
    /// The negative of a crop with stretched brightness range.
    static let invertedFlattened = "invertedFlattened"
    /// Located bars, compared with the blurred bars of every number.
    static let fitted = "fitted"
}
