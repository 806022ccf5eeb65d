import Core

/// The failures of this stage, each with advice for the user.
enum ImagingFailure {
    static func empty() -> ItemFailure {
        make(.emptyFile, "the file has no bytes", "copy or save the photo again")
    }

    static func notAnImage(_ view: ByteView) -> ItemFailure {
        make(
            .notAnImage,
            isText(view)
                ? "this is a text file, not a photo" : "the first bytes are of no picture format known here",
            "send a photo as JPEG, PNG, WebP, TIFF, BMP, GIF, HEIC or AVIF")
    }

    /// True if the file begins with letters, blanks and line ends only.
    private static func isText(_ view: ByteView) -> Bool {
        (0..<min(view.count, 512)).allSatisfy { place in
            view[place].map { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) } == true
        }
    }

    static func unsupported(_ name: String) -> ItemFailure {
        make(.unsupportedFormat, "this is \(name), which is not read here", "save or export it as JPEG or PNG")
    }

    static func truncated(_ detail: String) -> ItemFailure {
        make(.truncated, detail, "copy the file again: it ends before the picture does")
    }

    static func damaged(_ detail: String) -> ItemFailure {
        make(.damaged, detail, "take or save the photo again")
    }

    static func tooLarge(_ detail: String, hint: String = "send a smaller version of the photo") -> ItemFailure {
        make(.tooLarge, detail, hint)
    }

    static func failed(_ detail: String) -> ItemFailure {
        make(.decodeFailed, detail, "report this with the photo; a smaller version of it may work")
    }

    private static func make(_ code: ItemFailure.Code, _ detail: String, _ hint: String) -> ItemFailure {
        ItemFailure(stage: .imaging, code: code, detail: detail, hint: hint)
    }
}
