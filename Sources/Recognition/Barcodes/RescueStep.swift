import Vocabulary

/// One way to make unreadable bars readable: another picture of the same codes, and the way back to the first one's pixels.
struct RescueStep {
    /// As outcomes name it.
    var name: String
    private var evens = true
    private var inverts = false
    private var sharpens = false
    private var scale = 1.0
    /// Clockwise.
    private var degrees = 0.0

    /// Tried in this order, where the picture as it is shows nothing.
    ///
    /// Evening out the contrast alone reads most of what can be read, and the other steps read more on top of it. The
    /// scanner looks along rows and columns, so with these turns no code lies more than 15° off a scan line.
    static let ladder = [
        RescueStep(name: "evened"),
        RescueStep(name: "upscaled", scale: 2),
        RescueStep(name: "turned", degrees: 45),
        RescueStep(name: "turned", degrees: -30),
        RescueStep(name: "turned", degrees: 15),
        RescueStep(name: "sharpened", sharpens: true),
        RescueStep(name: "inverted", inverts: true),
        RescueStep(name: "inverted", evens: false, inverts: true),
    ]

    /// The plane after this step; nil where memory ran out.
    func applied(to plane: GrayPlane) -> GrayPlane? {
        var result: GrayPlane? = plane
        if evens { result = result?.evened(clip: 3) }
        if inverts { result = result?.inverted }
        if sharpens { result = result?.unsharp(sigma: 3, amount: 3) }
        if scale != 1 { result = result?.scaled(by: scale) }
        if degrees != 0 { result = result?.turned(by: degrees) }
        return result
    }

    /// Where a point of the plane after this step lies in the one before, whose size is given.
    func undone(_ point: Point, width: Int, height: Int) -> Point {
        if degrees != 0 { return Turn(degrees: degrees).undone(point, width: width, height: height) }
        return Point(point.x / scale, point.y / scale)
    }
}
