import Core
import Foundation

/// The tilt of the camera over the table, estimated from regions whose form from straight above is known, and the
/// homography that shows the table from there.
///
/// A pinhole camera with square pixels and a central principal point is assumed. Of its focal length, only the usual
/// range is known.
struct TableTilt {
    /// A region whose second moments, seen from straight above, are alike in all directions and alike for all regions.
    struct Form {
        /// Centre, pixels.
        var at: Point
        /// Second moments xx, xy, yy, pixels², of a square u², for its edges u and v the sum of uuᵀ and vvᵀ. A rectangle
        /// has two: its longer edge may be either.
        var moments: [SIMD3<Double>]
        /// Quality 0…1.
        var weight: Double
    }

    struct Parameters: Sendable {
        /// Tilts and directions that are tried first, degrees, and the usual focal length in the picture's longer side.
        var tilts = stride(from: 10.0, through: 65, by: 5)
        var directions = stride(from: 0.0, to: 360, by: 15)
        var focal = 0.9
        /// Range of focal lengths: from a wide camera to a narrow one.
        var focals = 0.6...2.0
        /// Rounds of refinement; each halves the steps.
        var refinements = 6
        /// Deviations of the moments' relative difference and of the logarithm of a size at which a form's agreement
        /// falls to 1/e. Set on rendered boards, as all values here.
        var roundness = 0.13
        var size = 0.12
        /// Bins of sizes in one unit of the logarithm.
        var binsInUnit = 12.0
        /// Most forms that vote.
        var most = 40
        /// A tilt explains the forms better than none by this factor and by this many whole forms.
        var minGain = 1.15
        var minForms = 0.6
        /// A smaller tilt, degrees, does not harm reading.
        var minTilt = 15.0
        /// Ratio of sizes within which two forms at one place are the same.
        var sameSize = 1.25
        /// The view reaches beyond the outermost forms by so many sizes of the largest, and has at most so many pixels
        /// as the picture has.
        var margin = 3.0
        var maxPixels = 2.5
    }

    /// Angle between the camera's axis and the table's normal, degrees.
    let degrees: Double
    /// Pixels of the view from above → pixels of the picture.
    let toPicture: Homography
    let width: Int
    let height: Int

    /// Nil if no tilt explains the forms better than a view from straight above.
    init?(_ all: [Form], width: Int, height: Int, parameters p: Parameters = Parameters()) {
        let forms = Self.distinct(all, p)
        let camera = Camera(width: width, height: height)
        let level = camera.score(Pose(tilt: 0, direction: 0, focal: p.focal), forms, p)
        func isBetter(_ score: Double) -> Bool { score > p.minGain * level && score > level + p.minForms }
        // Most photos are from above, which is known without a search.
        guard isBetter(forms.reduce(0) { $0 + $1.weight }) else { return nil }
        var best = (pose: Pose(tilt: 0, direction: 0, focal: p.focal), score: level)
        func consider(_ pose: Pose) {
            let score = camera.score(pose, forms, p)
            if score > best.score { best = (pose, score) }
        }
        for tilt in p.tilts {
            for direction in p.directions {
                consider(Pose(tilt: tilt * .pi / 180, direction: direction * .pi / 180, focal: p.focal))
            }
        }
        guard best.pose.tilt > 0, isBetter(best.score) else { return nil }
        var step = (tilt: 2.5 * Double.pi / 180, direction: 7.5 * Double.pi / 180, focal: 1.15)
        for _ in 0..<p.refinements {
            for _ in 0..<2 {
                let from = best.pose
                for way in [-1.0, 1] {
                    consider(Pose(tilt: from.tilt + way * step.tilt, direction: from.direction, focal: from.focal))
                    consider(Pose(tilt: from.tilt, direction: from.direction + way * step.direction, focal: from.focal))
                    let focal = from.focal * pow(step.focal, way)
                    if p.focals.contains(focal) {
                        consider(Pose(tilt: from.tilt, direction: from.direction, focal: focal))
                    }
                }
            }
            step = (step.tilt / 2, step.direction / 2, step.focal.squareRoot())
        }
        guard best.pose.tilt * 180 / .pi >= p.minTilt, let view = camera.view(best.pose, of: forms, p) else {
            return nil
        }
        degrees = best.pose.tilt * 180 / .pi
        (toPicture, self.width, self.height) = view
    }

    /// The best of forms at one place with the same size, best first.
    private static func distinct(_ all: [Form], _ p: Parameters) -> [Form] {
        func size(_ form: Form) -> Double {
            let m = form.moments[0]
            return max(0, m.x * m.z - m.y * m.y).squareRoot().squareRoot()
        }
        let sized = all.map { (form: $0, size: size($0)) }.filter { $0.size > 0 }
        return Suppression.best(of: sized, most: p.most, by: { $0.form.weight }) {
            ($0.form.at - $1.form.at).length < $1.size && max($0.size, $1.size) < p.sameSize * min($0.size, $1.size)
        }.map(\.form)
    }

    /// Radians, and focal length in the picture's longer side.
    private struct Pose { var tilt, direction, focal: Double }

    private struct Camera {
        let centre: Point
        let longer: Double
        let corners: [Point]

        init(width: Int, height: Int) {
            let (right, bottom) = (Double(width - 1), Double(height - 1))
            (centre, longer) = (Point(right / 2, bottom / 2), max(right, bottom))
            corners = [Point(0, 0), Point(right, 0), Point(right, bottom), Point(0, bottom)]
        }

        /// Pixels of the picture → the table, at a distance of 1 on the optical axis.
        func toTable(_ pose: Pose) -> Homography {
            let (c, s) = (cos(pose.tilt), sin(pose.tilt))
            let (x, y) = (-sin(pose.direction), cos(pose.direction))
            // Rodrigues' rotation about a horizontal axis, after the inverse of the camera's matrix.
            let focal = pose.focal * longer
            let turn = Homography([
                c + x * x * (1 - c), x * y * (1 - c), y * s, x * y * (1 - c), c + y * y * (1 - c), -x * s, -y * s,
                x * s, c,
            ])
            return turn * Homography(origin: centre * (-1 / focal), scale: 1 / focal)
        }

        /// How many forms agree, by weight.
        func score(_ pose: Pose, _ forms: [Form], _ p: Parameters) -> Double {
            let map = toTable(pose)
            var bins = [Double](repeating: 0, count: 256)
            var seen: [(size: Double, weight: Double)] = []
            seen.reserveCapacity(forms.count)
            for form in forms {
                guard let place = map.jacobian(form.at) else { continue }
                var most = (size: 0.0, weight: 0.0)
                for m in form.moments {
                    let (a, b, d) = place.moments(m)
                    let determinant = a * d - b * b
                    guard determinant > 0, a + d > 0 else { continue }
                    let uneven = ((a - d) * (a - d) + 4 * b * b) / ((a + d) * (a + d))
                    let weight = form.weight * exp(-uneven / (p.roundness * p.roundness))
                    if weight > most.weight { most = (log(determinant) / 4, weight) }
                }
                guard most.weight > 0.01 else { continue }
                seen.append(most)
                let bin = Int((most.size * p.binsInUnit).rounded(.down)) + 224
                if bins.indices.contains(bin) { bins[bin] += most.weight }
            }
            var (top, sum) = (1, 0.0)
            for bin in 1..<255 {
                let here = bins[bin - 1] + 2 * bins[bin] + bins[bin + 1]
                if here > sum { (top, sum) = (bin, here) }
            }
            var size = (Double(top - 224) + 0.5) / p.binsInUnit
            for _ in 0..<2 {
                var (all, moved) = (0.0, 0.0)
                for one in seen {
                    let off = (one.size - size) / p.size
                    let weight = one.weight * exp(-off * off)
                    all += weight
                    moved += weight * one.size
                }
                if all > 0 { size = moved / all }
            }
            return seen.reduce(0) { sum, one in
                let off = (one.size - size) / p.size
                return sum + one.weight * exp(-off * off)
            }
        }

        /// The view from above of the part of the table with the forms, at the scale of the picture along the
        /// direction that is not foreshortened.
        func view(
            _ pose: Pose, of forms: [Form], _ p: Parameters
        ) -> (toPicture: Homography, width: Int, height: Int)? {
            let map = toTable(pose)
            let near = forms.compactMap { form -> (at: Point, stretch: Double, size: Double)? in
                map.jacobian(form.at).map { place in
                    let (a, b, d) = place.moments(form.moments[0])
                    return (map(form.at), place.least, (a * d - b * b).squareRoot().squareRoot())
                }
            }
            // Units of the table in a pixel.
            guard var pixel = near.map(\.stretch).median else { return nil }
            let margin = p.margin * (near.map(\.size).max() ?? 0)
            var (left, right) = (near.map(\.at.x).min() ?? 0, near.map(\.at.x).max() ?? 0)
            var (top, bottom) = (near.map(\.at.y).min() ?? 0, near.map(\.at.y).max() ?? 0)
            (left, right, top, bottom) = (left - margin, right + margin, top - margin, bottom + margin)
            let seen = corners.compactMap { map.jacobian($0) == nil ? nil : map($0) }
            if seen.count == 4 {
                (left, right) = (max(left, seen.map(\.x).min() ?? left), min(right, seen.map(\.x).max() ?? right))
                (top, bottom) = (max(top, seen.map(\.y).min() ?? top), min(bottom, seen.map(\.y).max() ?? bottom))
            }
            guard right > left, bottom > top, pixel > 0 else { return nil }
            let limit = p.maxPixels * (2 * centre.x + 1) * (2 * centre.y + 1)
            pixel = max(pixel, ((right - left) * (bottom - top) / limit).squareRoot())
            let (width, height) = (Int((right - left) / pixel), Int((bottom - top) / pixel))
            guard width >= 32, height >= 32, let back = map.inverse else { return nil }
            return (
                (back * Homography(origin: Point(left, top), scale: pixel)).normalized, width, height
            )
        }
    }
}

extension TableTilt {
    /// Beyond this tilt nothing is read: a side is foreshortened to less than .57, and thick pieces hide each other.
    private static let mostDegrees = 55.0

    /// The view of the table from above.
    func fromAbove(_ raster: Raster) throws(PictureFailure) -> Raster {
        let seen = try raster.warped(toPicture, width: width, height: height)
        guard let top = seen.raster else { throw .argument }
        return top
    }

    /// What is read on the table from above. A foreshortened face has fewer pixels, so its confidence is lower.
    func detections(of set: PreparedPieceSet, read: () throws -> PieceDetections) rethrows -> PieceDetections {
        guard degrees < Self.mostDegrees else { return PieceDetections(none: set) }
        var detections = try read()
        let factor = cbrt(cos(degrees * .pi / 180))
        for index in detections.frame.pieces.indices {
            let confidence = detections.frame.pieces[index].confidence * factor
            detections.frame.pieces[index].confidence = confidence.rounded(toPlaces: 4)
        }
        return detections
    }
}

/// The derivative of a map of the plane at one place.
private struct Jacobian {
    var xx, xy, yx, yy: Double

    /// Second moments after the map.
    func moments(_ m: SIMD3<Double>) -> (Double, Double, Double) {
        let (p, q) = (xx * m.x + xy * m.y, xx * m.y + xy * m.z)
        let (r, s) = (yx * m.x + yy * m.y, yx * m.y + yy * m.z)
        return (p * xx + q * xy, p * yx + q * yy, r * yx + s * yy)
    }

    /// The smaller singular value: by how much the map stretches the direction that it stretches least.
    var least: Double {
        let (a, b, d) = moments(SIMD3(1, 0, 1))
        return ((a + d - ((a - d) * (a - d) + 4 * b * b).squareRoot()) / 2).squareRoot()
    }
}

extension Homography {
    /// Nil at and beyond the horizon.
    fileprivate func jacobian(_ p: Point) -> Jacobian? {
        let (x, y, z) = rows
        let place = SIMD3(p.x, p.y, 1)
        let depth = (z * place).sum()
        guard depth > 0.05 else { return nil }
        let (u, v) = ((x * place).sum() / depth, (y * place).sum() / depth)
        return Jacobian(
            xx: (x.x - u * z.x) / depth, xy: (x.y - u * z.y) / depth, yx: (y.x - v * z.x) / depth,
            yy: (y.y - v * z.y) / depth)
    }
}
