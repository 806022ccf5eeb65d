/// The orientation of an EXIF block: tag 274 of its first directory, as in TIFF 6.0.
enum ExifOrientation {
    static let tag = 274

    /// Orientation 1…8; 1 if the tag is absent or invalid. `block` starts with the byte order mark.
    static func read(_ block: ByteView) -> Int {
        guard let directory = TIFFDirectory(first: block), let value = directory.number(tag), (1...8).contains(value)
        else { return 1 }
        return value
    }
}
