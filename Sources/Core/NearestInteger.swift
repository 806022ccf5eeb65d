extension FixedWidthInteger {
    /// The nearest integer. A number that comes from outside may have any size, and a conversion of a number outside the
    /// range ends the program.
    ///
    /// - Parameter value: not a number gives 0; a number outside ±2^53, or outside the type, gives that end of the range.
    public init(nearest value: Double) {
        guard !value.isNaN else {
            self = 0
            return
        }
        let (least, most) = (Swift.max(Double(Self.min), -0x1p53), Swift.min(Double(Self.max), 0x1p53))
        self = Self(exactly: Swift.min(Swift.max(value.rounded(), least), most)) ?? 0
    }

    /// The sum; the end of the range in place of a sum beyond it. Addends that come from outside may have any size.
    public func addingSaturated(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
}
