internal import COpenCV
import Core
import Foundation

extension Int {
    /// A length in a copy at `1 / scale` of the size, at least 1.
    fileprivate func reduced(by scale: Double) -> Int {
        Swift.max(1, Int((Double(self) / scale).rounded(.toNearestOrEven)))
    }
}

/// The type of a picture's samples.
protocol PictureSample: BitwiseCopyable {
    static var depth: Int32 { get }
}

extension UInt8: PictureSample { static var depth: Int32 { Int32(TCV_U8) } }
extension Int16: PictureSample { static var depth: Int32 { Int32(TCV_S16) } }
extension Int32: PictureSample { static var depth: Int32 { Int32(TCV_S32) } }
extension Float: PictureSample { static var depth: Int32 { Int32(TCV_F32) } }

/// A rectangle of whole pixels.
struct PixelBox: Hashable, Sendable {
    var x, y, width, height: Int

    var right: Int { x + width }
    var bottom: Int { y + height }

    /// Enlarged by `rim` pixels on all sides, within a picture.
    func grown(by rim: Int, inWidth width: Int, height: Int) -> PixelBox {
        let (left, top) = (max(0, x - rim), max(0, y - rim))
        return PixelBox(
            x: left, y: top, width: max(0, min(width, right + rim) - left),
            height: max(0, min(height, bottom + rim) - top))
    }
}

extension PixelBox {
    init(_ box: tcv_box) {
        self.init(x: Int(box.x), y: Int(box.y), width: Int(box.width), height: Int(box.height))
    }
}

/// Pixels in memory of their own, for the primitives of COpenCV. Used by one recognition at a time.
final class Picture<Sample: PictureSample> {
    let width: Int
    let height: Int
    /// 1, or 3: red, green, blue.
    let channels: Int
    /// The first sample; rows are `stride` samples apart.
    let samples: UnsafeMutablePointer<Sample>
    let stride: Int
    /// The picture that owns the memory; nil if this one does.
    private let owner: Picture?
    /// Size of the block of `PictureMemory`; 0 if another picture owns it.
    private let blockSize: Int

    /// A picture of zeros, or of undefined samples if a primitive fills it at once.
    init(width: Int, height: Int, channels: Int = 1, isCleared: Bool = false) {
        (self.width, self.height, self.channels, stride, owner) = (width, height, channels, width * channels, nil)
        let count = width * height * channels
        let block = PictureMemory.take(count * MemoryLayout<Sample>.stride)
        blockSize = block.byteCount
        samples = block.start.bindMemory(to: Sample.self, capacity: count)
        if isCleared {
            block.start.initializeMemory(as: UInt8.self, repeating: 0, count: count * MemoryLayout<Sample>.stride)
        }
    }

    private init(part box: PixelBox, of owner: Picture) {
        (width, height, channels, stride) = (box.width, box.height, owner.channels, owner.stride)
        samples = owner.samples + box.y * owner.stride + box.x * owner.channels
        self.owner = owner.owner ?? owner
        blockSize = 0
    }

    deinit { if owner == nil { PictureMemory.give(samples, byteCount: blockSize) } }

    /// A part that shares the memory. The box must be inside.
    func part(_ box: PixelBox) -> Picture {
        precondition(box.x >= 0 && box.y >= 0 && box.right <= width && box.bottom <= height)
        return Picture(part: box, of: self)
    }

    var box: PixelBox { PixelBox(x: 0, y: 0, width: width, height: height) }

    /// The first sample of a pixel.
    @inline(__always) subscript(x: Int, y: Int) -> Sample {
        get { samples[y * stride + x * channels] }
        set { samples[y * stride + x * channels] = newValue }
    }

    /// The three samples of a pixel.
    @inline(__always) func rgb(_ x: Int, _ y: Int) -> (Sample, Sample, Sample) {
        let at = samples + (y * stride + x * channels)
        return (at[0], at[1], at[2])
    }

    /// The same memory, for a primitive.
    var image: tcv_image {
        tcv_image(
            samples: samples, width: Int32(width), height: Int32(height), channels: Int32(channels),
            depth: Sample.depth, stride: stride * MemoryLayout<Sample>.stride)
    }

    /// Fills `to` by a primitive.
    func fill<Other>(
        _ to: Picture<Other>, _ primitive: (UnsafePointer<tcv_image>, UnsafeMutablePointer<tcv_image>) -> Int32
    ) throws(PictureFailure) {
        var (from, target) = (image, to.image)
        try PictureFailure.check(primitive(&from, &target))
    }

    /// A picture of this size filled by a primitive.
    func filled<Other>(
        channels: Int = 1, _ primitive: (UnsafePointer<tcv_image>, UnsafeMutablePointer<tcv_image>) -> Int32
    ) throws(PictureFailure) -> Picture<Other> {
        let made = Picture<Other>(width: width, height: height, channels: channels)
        try fill(made, primitive)
        return made
    }
}

extension Picture where Sample == UInt8 {
    /// A copy of a raster.
    convenience init(_ raster: Raster) {
        self.init(width: raster.width, height: raster.height, channels: raster.format == .rgb8 ? 3 : 1)
        raster.bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            samples.update(from: base, count: min(bytes.count, width * height * channels))
        }
    }

    enum Interpolation: Int32 { case linear, area, cubic, nearest }

    func scaled(toWidth width: Int, height: Int, _ how: Interpolation) throws(PictureFailure) -> Picture {
        guard width > 0, height > 0 else { throw PictureFailure(status: Int32(TCV_E_ARGUMENT)) }
        let made = Picture(width: width, height: height, channels: channels)
        try fill(made) { tcv_image_scale($0, $1, how.rawValue) }
        return made
    }

    /// A copy at `1 / scale` of the size: by area, or enlarged as said.
    func reduced(by scale: Double, enlarging how: Interpolation = .area) throws(PictureFailure) -> Picture {
        try scaled(toWidth: width.reduced(by: scale), height: height.reduced(by: scale), scale > 1 ? .area : how)
    }

    /// A copy at a whole fraction of the size, which is several times faster; the remainder is cut off.
    func reduced(byWhole less: Int) throws(PictureFailure) -> Picture {
        let (width, height) = (width / less, height / less)
        return try part(PixelBox(x: 0, y: 0, width: width * less, height: height * less))
            .scaled(toWidth: width, height: height, .area)
    }

    /// Three channels; this picture itself if it has them.
    func coloured() throws(PictureFailure) -> Picture {
        channels == 3 ? self : try filled(channels: 3) { tcv_image_convert($0, $1) }
    }

    /// One channel; this picture itself if it has one.
    func grey() throws(PictureFailure) -> Picture {
        channels == 1 ? self : try filled { tcv_image_convert($0, $1) }
    }

    /// One channel: 0 is red.
    func channel(_ channel: Int) throws(PictureFailure) -> Picture {
        try filled { tcv_image_channel($0, Int32(channel), $1) }
    }

    /// Gaussian blur with a kernel of `side` pixels.
    func blurred(_ side: Int) throws(PictureFailure) -> Picture {
        try filled(channels: channels) { tcv_image_blur($0, $1, Int32(side)) }
    }

    /// Mean over `side` × `side` pixels.
    func mean(_ side: Int) throws(PictureFailure) -> Picture {
        try filled(channels: channels) { tcv_image_mean($0, $1, Int32(side)) }
    }

    /// The view through a homography from the view to this picture; the rim is repeated, or 0 beyond it.
    func warped(
        _ matrix: Homography, width: Int, height: Int, _ how: Interpolation = .linear, repeatsRim: Bool = true
    ) throws(PictureFailure) -> Picture {
        let made = Picture(width: width, height: height, channels: channels)
        let values = matrix.values
        try fill(made) { tcv_image_warp($0, $1, values, how.rawValue, repeatsRim ? 1 : 0) }
        return made
    }

    /// A rotated patch about a place, of pixels of `step` pixels each.
    func patch(
        about at: Point, angle: Double, step: Double, width: Int, height: Int
    ) throws(PictureFailure) -> Picture {
        let (c, s) = (cos(angle) * step, sin(angle) * step)
        let (x, y) = (Double(width - 1) / 2, Double(height - 1) / 2)
        let made = Picture(width: width, height: height, channels: channels)
        let matrix = [c, -s, at.x - c * x + s * y, s, c, at.y - s * x - c * y]
        try fill(made) { tcv_image_warp_affine($0, $1, matrix) }
        return made
    }

    func gradients() throws(PictureFailure) -> (x: Picture<Int16>, y: Picture<Int16>) {
        let dx = Picture<Int16>(width: width, height: height, channels: channels)
        let dy = Picture<Int16>(width: width, height: height, channels: channels)
        var (from, x, y) = (image, dx.image, dy.image)
        try PictureFailure.check(tcv_image_gradients(&from, &x, &y))
        return (dx, dy)
    }

    /// Canny's edges: a mask.
    func edges(low: Double, high: Double) throws(PictureFailure) -> Picture {
        try filled { tcv_image_edges($0, $1, low, high) }
    }

    /// The maximum channel difference from a colour, 0…255.
    func difference(from rgb: [Double]) throws(PictureFailure) -> Picture {
        try filled { tcv_image_difference($0, rgb, $1) }
    }

    /// The difference from a colour in shares of the channels' sum, times `factor`: hue without brightness, 0…255.
    ///
    /// - Parameters:
    ///   - leastSum: Darker pixels count as if their channels had this sum.
    ///   - brighter: Pixels brighter by this factor differ by `ifBrighter` at least.
    func hueDifference(
        from rgb: [Double], factor: Double, leastSum: Double, brighter: Double, ifBrighter: Double
    ) throws(PictureFailure) -> Picture {
        try filled { tcv_image_hue_difference($0, rgb, factor, leastSum, brighter, ifBrighter, $1) }
    }

    /// Counts of each value of each channel, 256 numbers a channel, where the mask is set.
    func histogram(where mask: Picture? = nil) throws(PictureFailure) -> [Int32] {
        var counts = [Int32](repeating: 0, count: 256 * channels)
        var from = image
        if let mask {
            var where_ = mask.image
            try PictureFailure.check(tcv_image_histogram(&from, &where_, &counts))
        } else {
            try PictureFailure.check(tcv_image_histogram(&from, nil, &counts))
        }
        return counts
    }

    /// The median of each channel where the mask is set.
    func medianColour(where mask: Picture? = nil) throws(PictureFailure) -> [Double] {
        let counts = ByteCounts(try histogram(where: mask))
        return (0..<channels).map { Double(counts.median(channel: $0)) }
    }

    /// The colour of the nearest pixel; nil outside of the picture.
    @inline(__always) func colour(nearest at: Point) -> SIMD3<Int32>? {
        let (x, y) = (at.x.rounded(.toNearestOrEven), at.y.rounded(.toNearestOrEven))
        guard x >= 0, y >= 0, x < Double(width), y < Double(height) else { return nil }
        let (r, g, b) = rgb(Int(x), Int(y))
        return SIMD3(Int32(r), Int32(g), Int32(b))
    }

    /// Bilinear samples of all channels at places (x, y one after the other); −1 outside unless clamped.
    func sample(_ places: [Double], isClamped: Bool, into values: inout [Double]) throws(PictureFailure) {
        var from = image
        try PictureFailure.check(tcv_image_samples(&from, places, Int32(places.count / 2), isClamped ? 1 : 0, &values))
    }
}

/// A connected part of a mask.
struct MaskPart {
    var label: Int
    var box: PixelBox
    /// Pixels.
    var area: Int
    /// Centroid of its area.
    var centre: Point
}

extension Picture where Sample == Int32 {
    /// A mask of one label.
    func equal(to label: Int) throws(PictureFailure) -> Picture<UInt8> {
        try filled { tcv_mask_equal($0, Int32(label), $1) }
    }
}

extension Picture where Sample == Int16 {
    /// Canny's edges of gradients along x (this picture) and y, by their Euclidean norm: a mask.
    func edges(_ dy: Picture, low: Double, high: Double) throws(PictureFailure) -> Picture<UInt8> {
        try filled { from, to in
            var other = dy.image
            return tcv_image_edges_of(from, &other, to, low, high)
        }
    }
}

extension Picture where Sample == UInt8 {
    /// The boxes of labels 1…`count`; nil for an absent one.
    func boxes(of count: Int) throws(PictureFailure) -> [PixelBox?] {
        var (from, boxes) = (image, [tcv_box](repeating: tcv_box(), count: count))
        try PictureFailure.check(tcv_label_boxes(&from, Int32(count), &boxes))
        return boxes.map { $0.width > 0 ? PixelBox($0) : nil }
    }
}

extension Raster {
    /// One channel, without a copy of the raster in colour.
    func grey() throws(PictureFailure) -> Picture<UInt8> {
        guard format == .rgb8 else { return Picture(self) }
        return try filled(width: width, height: height, channels: 1) { tcv_image_convert($0, $1) }
    }

    /// The picture in colour at another size, without a copy of the raster.
    func scaled(
        toWidth width: Int, height: Int, _ how: Picture<UInt8>.Interpolation
    ) throws(PictureFailure) -> Picture<UInt8> {
        guard format == .rgb8, width > 0, height > 0 else {
            return try Picture(self).coloured().scaled(toWidth: width, height: height, how)
        }
        return try filled(width: width, height: height, channels: 3) { tcv_image_scale($0, $1, how.rawValue) }
    }

    /// A copy in colour at `1 / scale` of the size: by area, or enlarged as said.
    func reduced(
        by scale: Double, enlarging how: Picture<UInt8>.Interpolation = .area
    ) throws(PictureFailure) -> Picture<UInt8> {
        try scaled(toWidth: width.reduced(by: scale), height: height.reduced(by: scale), scale > 1 ? .area : how)
    }

    /// The view in colour through a homography from the view to this raster, without a copy of the raster.
    func warped(_ matrix: Homography, width: Int, height: Int) throws(PictureFailure) -> Picture<UInt8> {
        guard format == .rgb8 else {
            return try Picture(self).coloured().warped(matrix, width: width, height: height)
        }
        let values = matrix.values
        return try filled(width: width, height: height, channels: 3) {
            tcv_image_warp($0, $1, values, Int32(TCV_LINEAR), 1)
        }
    }

    /// A picture filled from this colour raster by a primitive, which only reads it.
    private func filled(
        width: Int, height: Int, channels: Int,
        _ primitive: (UnsafePointer<tcv_image>, UnsafeMutablePointer<tcv_image>) -> Int32
    ) throws(PictureFailure) -> Picture<UInt8> {
        let made = Picture<UInt8>(width: width, height: height, channels: channels)
        let status = bytes.withUnsafeBufferPointer { bytes in
            var from = tcv_image(
                samples: UnsafeMutableRawPointer(mutating: bytes.baseAddress), width: Int32(self.width),
                height: Int32(self.height), channels: 3, depth: UInt8.depth, stride: 3 * self.width)
            var to = made.image
            return primitive(&from, &to)
        }
        try PictureFailure.check(status)
        return made
    }
}

extension Picture where Sample == UInt8 {
    /// A copy as a raster.
    var raster: Raster? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height * channels)
        for y in 0..<height {
            bytes += UnsafeBufferPointer(start: samples + y * stride, count: width * channels)
        }
        return Raster(width: width, height: height, format: channels == 3 ? .rgb8 : .gray8, bytes: bytes)
    }
}

extension Picture where Sample == UInt8 {
    /// This picture less another, 0 where that is larger.
    func minus(_ other: Picture) throws(PictureFailure) -> Picture {
        try filled { from, to in
            var other = other.image
            return tcv_image_subtract(from, &other, to)
        }
    }
}
