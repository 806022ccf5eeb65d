import Core

/// Limits on the resources that a file may require. The header is checked against them before decoding.
///
/// A 404-byte JPEG can declare 900 megapixels, and a few hundred scans can occupy a decoder for seconds.
package struct ImagingLimits: Sendable, Hashable {
    /// Stored pixels, width × height.
    package var pixels = 100_000_000
    /// Stored pixels of each side.
    package var side = 20_000
    package var fileBytes = 256 << 20
    /// Scans of a progressive JPEG. Cameras write about ten.
    package var scans = 100
    /// Maximum memory of the decoder, estimated from the header. A worker has 768 MiB in total.
    package var workingBytes = 420 << 20
    /// Longer pictures are scaled down to this length of the longer side, pixels; nil disables scaling.
    package var maximumSide: Int? = 4000

    package init() {}

    func check(fileBytes count: Int) throws(ItemFailure) {
        guard count <= fileBytes else {
            throw ImagingFailure.tooLarge("the file has \(count) bytes; at most \(fileBytes) are read")
        }
    }

    /// - Parameter reduction: Factor by which the decoder itself scales the sides down.
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
