import Testing

@testable import Core

@Suite struct NearestIntegerTests {
    @Test(arguments: [
        (1.5, 2), (-1.5, -2), (0.49, 0), (9e15, 9_000_000_000_000_000), (1e300, 1 << 53), (-1e300, -1 << 53),
        (.infinity, 1 << 53), (.nan, 0),
    ])
    func `a number of any size becomes an integer`(value: Double, expected: Int) {
        #expect(Int(nearest: value) == expected)
    }

    @Test func `a small type ends at its range`() {
        #expect(UInt8(nearest: 300) == 255)
        #expect(UInt8(nearest: -3) == 0)
        #expect(Int32(nearest: -1e12) == .min)
    }
}
