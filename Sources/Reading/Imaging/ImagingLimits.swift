import Core

/// What a file may ask for; more is refused by its header, before anything is decoded.
///
/// A 404-byte JPEG can claim 900 megapixels, and a few hundred scans can keep a decoder busy for seconds.
public struct ImagingLimits: Sendable, Hashable {
    /// Stored pixels, width × height.
    public var pixels = 100_000_000
    /// Stored pixels of each side.
    public var side = 20_000
    public var fileBytes = 256 << 20
    /// Scans of a progressive JPEG; cameras write about ten.
    public var scans = 100
    /// What the decoder may have to hold at once, reckoned from the header: a worker has 768 MiB for everything.
    public var workingBytes = 420 << 20
    /// Longer pictures are decoded or scaled to this length of the longer side; nil for never.
    public var maximumSide: Int? = 4000

    public init() {}

    func check(fileBytes count: Int) throws(ItemFailure) {
        guard count <= fileBytes else {
            throw ImagingFailure.tooLarge("the file has \(count) bytes; at most \(fileBytes) are read")
        }
    }

    /// - Parameter reduction: by how much the decoder itself makes the sides smaller.
    func check(_ header: ImageHeader, reduction: Int) throws(ItemFailure) {
        let size = "\(header.width) × \(header.height) pixels"
        guard header.width <= side, header.height <= side else {
            throw ImagingFailure.tooLarge("the picture claims \(size); each side may have at most \(side)")
        }
        let (area, overflow) = header.width.multipliedReportingOverflow(by: header.height)
        guard !overflow, area <= pixels else {
            throw ImagingFailure.tooLarge("the picture claims \(size); at most \(pixels) in all are decoded")
        }
        let kept = header.outputBytesPerPixel / Double(reduction * reduction)
        let needed = Double(area) * (header.decoderBytesPerPixel + kept)
        guard needed <= Double(workingBytes) else {
            throw ImagingFailure.tooLarge(
                "decoding \(size) of this kind takes about \(Int(needed) >> 20) MiB; at most \(workingBytes >> 20) MiB are given"
            )
        }
    }
}
