internal import COpenCV
import Core

/// The centre lines of ink: places with the direction and the width of the stroke through each.
struct CentreLines {
    struct Parameters: Sendable {
        /// Pixels to all sides whose principal axis is the direction at a place. Set on development pictures, as all
        /// values here.
        var reach = 4
        /// A direction is reliable from so many of them, and if the principal moments differ by this share of their
        /// sum. At a junction they do not.
        var minCount = 4
        var minShare = 0.75
    }

    var places: [tcv_place]

    static let none = CentreLines(places: [])

    private init(places: [tcv_place]) { self.places = places }

    /// The centre lines of a mask with an empty rim, which is thinned.
    ///
    /// - Parameter depth: Distance of each pixel from the ground, as half of the stroke's width; 1 without it.
    init(
        thinning mask: Picture<UInt8>, depth: Picture<Float>? = nil, _ parameters: Parameters = .init()
    ) throws(PictureFailure) {
        // The primitives get the memory of both pictures only.
        defer { withExtendedLifetime((mask, depth)) {} }
        var image = mask.image
        try PictureFailure.check(tcv_mask_thin(&image))
        let capacity = try mask.count()
        places = [tcv_place](repeating: tcv_place(), count: capacity)
        guard capacity > 0 else { return }
        var count = Int32(0)
        func fill(_ depth: UnsafePointer<tcv_image>?) -> Int32 {
            tcv_mask_places(
                &image, depth, Int32(parameters.reach), Int32(parameters.minCount), parameters.minShare, &places,
                Int32(capacity), &count)
        }
        if var depth = depth?.image {
            try PictureFailure.check(fill(&depth))
        } else {
            try PictureFailure.check(fill(nil))
        }
    }

    var count: Int { places.count }

    /// The smallest rectangle that holds all places, from the outermost centres of pixels.
    var extent: (left: Double, top: Double, right: Double, bottom: Double) {
        var (left, top, right, bottom) = (Double.infinity, Double.infinity, -Double.infinity, -Double.infinity)
        for place in places {
            (left, right) = (min(left, place.x), max(right, place.x))
            (top, bottom) = (min(top, place.y), max(bottom, place.y))
        }
        return (left, top, right, bottom)
    }

    /// The whole pixels, x and y one after the other.
    var pixels: [Int32] { places.flatMap { [Int32($0.x), Int32($0.y)] } }

    mutating func move(by shift: Point) {
        for index in places.indices {
            places[index].x += shift.x
            places[index].y += shift.y
        }
    }

    /// Indices of the places within the limits.
    func near(_ corridor: tcv_corridor) throws(PictureFailure) -> [Int] {
        guard !places.isEmpty else { return [] }
        var (which, count, corridor) = ([Int32](repeating: 0, count: places.count), Int32(0), corridor)
        try PictureFailure.check(tcv_places_near(places, Int32(places.count), &corridor, &which, &count))
        return which.prefix(Int(count)).map { Int($0) }
    }
}

extension tcv_place {
    var at: Point { Point(x, y) }
    var isReliable: Bool { is_reliable != 0 }
}
