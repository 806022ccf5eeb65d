import Foundation
import Core

/// Affine map between two pages, in pixels: x' = a·x + b·y + tx, y' = c·x + d·y + ty.
struct PageMap: Equatable {
    var a = 1.0
    var b = 0.0
    var tx = 0.0
    var c = 0.0
    var d = 1.0
    var ty = 0.0

    /// The coefficients row by row, as the OpenCV façade takes them.
    var rows: [Double] { [a, b, tx, c, d, ty] }

    static func scale(x: Double, y: Double) -> PageMap { PageMap(a: x, d: y) }

    /// Rotates a page of this size clockwise by `degrees` and scales it by `zoom`. The shifted result fills a page of
    /// the returned `size`.
    static func rotation(
        width: Int, height: Int, degrees: Double, zoom: Double = 1
    ) -> (map: PageMap, size: (width: Int, height: Int)) {
        let quarter = degrees.truncatingRemainder(dividingBy: 90) == 0
        let radians = degrees * .pi / 180
        // Exact for quarter turns, so that they do not blur the page.
        let cosine = quarter ? cos(radians).rounded() : cos(radians)
        let sine = quarter ? sin(radians).rounded() : sin(radians)
        let (w, h) = (Double(width), Double(height))
        let newWidth = max(1, ((abs(cosine) * w + abs(sine) * h) * zoom).rounded())
        let newHeight = max(1, ((abs(sine) * w + abs(cosine) * h) * zoom).rounded())
        // Pixel centres have integer coordinates: the centre of a page of w pixels is at (w − 1) / 2.
        let (x, y) = ((w - 1) / 2, (h - 1) / 2)
        var map = PageMap(a: cosine * zoom, b: -sine * zoom, c: sine * zoom, d: cosine * zoom)
        map.tx = (newWidth - 1) / 2 - map.a * x - map.b * y
        map.ty = (newHeight - 1) / 2 - map.c * x - map.d * y
        return (map, (Int(newWidth), Int(newHeight)))
    }

    /// The composition of this map followed by `next`.
    func then(_ next: PageMap) -> PageMap {
        PageMap(
            a: next.a * a + next.b * c, b: next.a * b + next.b * d, tx: next.a * tx + next.b * ty + next.tx,
            c: next.c * a + next.d * c, d: next.c * b + next.d * d, ty: next.c * tx + next.d * ty + next.ty)
    }

    /// The inverse; nil if the map is singular.
    var inverse: PageMap? {
        let area = a * d - b * c
        guard abs(area) > 1e-9 else { return nil }
        let back = PageMap(a: d / area, b: -b / area, c: -c / area, d: a / area)
        return PageMap(
            a: back.a, b: back.b, tx: -(back.a * tx + back.b * ty),
            c: back.c, d: back.d, ty: -(back.c * tx + back.d * ty))
    }

    func callAsFunction(_ point: Point) -> Point {
        Point(a * point.x + b * point.y + tx, c * point.x + d * point.y + ty)
    }

    func callAsFunction(_ quad: Quad) -> Quad {
        Quad(
            topLeft: self(quad.topLeft), topRight: self(quad.topRight),
            bottomRight: self(quad.bottomRight), bottomLeft: self(quad.bottomLeft))
    }
}
