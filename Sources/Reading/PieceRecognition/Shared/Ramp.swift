/// How far a measure has come from `none`, where it proves nothing, to `full`, where more of it proves no more.
struct Ramp: Sendable, Hashable {
    var none, full: Double

    init(_ none: Double, _ full: Double) { (self.none, self.full) = (none, full) }

    /// 0…1, linear between the limits.
    func callAsFunction(_ value: Double) -> Double { max(0, min(1, (value - none) / (full - none))) }

    /// A factor that falls to `least` where the ramp is 0.
    func factor(_ value: Double, least: Double) -> Double { least + (1 - least) * self(value) }

    /// A factor that falls by `most` where the ramp is 1.
    func discount(_ value: Double, most: Double = 1) -> Double { 1 - most * self(value) }
}

extension Int {
    /// The nearest whole number (of two the even one), or another rounding. A value without one gives the smallest
    /// 32-bit number, which is outside of every picture.
    init(whole value: Double, _ rule: FloatingPointRoundingRule = .toNearestOrEven) {
        self = abs(value) < Double(Int32.max) ? Int(value.rounded(rule)) : Int(Int32.min)
    }
}
