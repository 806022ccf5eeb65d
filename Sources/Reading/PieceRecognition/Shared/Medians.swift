import Core

/// Counts of bytes, for medians and other quantiles of many.
struct ByteCounts {
    private var counts: [Int32]

    init(channels: Int = 1) { counts = [Int32](repeating: 0, count: 256 * channels) }

    /// A picture's histogram: 256 numbers a channel.
    init(_ histogram: [Int32]) { counts = histogram }

    mutating func add(_ value: UInt8, channel: Int = 0) { counts[256 * channel + Int(value)] += 1 }

    /// The value at this index of all in rising order.
    func value(at index: Int, channel: Int = 0) -> Int {
        var seen = 0
        for value in 0..<256 {
            seen += Int(counts[256 * channel + value])
            if seen > index { return value }
        }
        return 255
    }

    func count(channel: Int = 0) -> Int { counts[256 * channel..<256 * (channel + 1)].reduce(0) { $0 + Int($1) } }

    /// 255 without any.
    func median(channel: Int = 0) -> Int { value(at: count(channel: channel) / 2, channel: channel) }
}

extension Collection<SIMD3<Int32>> {
    /// The median of each channel; nil without colours.
    var medianColour: SIMD3<Int32>? {
        guard let r = map(\.x).median, let g = map(\.y).median, let b = map(\.z).median else { return nil }
        return SIMD3(r, g, b)
    }
}
