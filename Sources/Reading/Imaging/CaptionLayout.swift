/// Places captions beside their marks, inside the picture, and without overlap while there is room.
struct CaptionLayout {
    /// A rectangle in pixels of the overlay.
    struct Box: Equatable {
        var left: Int
        var top: Int
        var width: Int
        var height: Int

        func overlaps(_ other: Box) -> Bool {
            left < other.left + other.width && other.left < left + width && top < other.top + other.height
                && other.top < top + height
        }
    }

    let width: Int
    let height: Int
    private(set) var placed: [Box] = []

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// A position for a caption of this size beside `mark`; the size is at most the picture's.
    ///
    /// Candidates in order: above the mark's left corner, below, above its right corner, beside, and inside. If all
    /// are occupied, the one with the least overlap is used.
    mutating func place(width boxWidth: Int, height boxHeight: Int, beside mark: Box) -> Box {
        let (right, bottom) = (mark.left + mark.width, mark.top + mark.height)
        let spots = [
            (mark.left, mark.top - boxHeight), (mark.left, bottom), (right - boxWidth, mark.top - boxHeight),
            (right - boxWidth, bottom), (right, mark.top), (mark.left - boxWidth, mark.top), (mark.left, mark.top),
            (mark.left, mark.top - 2 * boxHeight), (mark.left, bottom + boxHeight),
        ]
        let boxes = spots.map { left, top in
            Box(
                left: min(max(0, left), max(0, width - boxWidth)), top: min(max(0, top), max(0, height - boxHeight)),
                width: boxWidth, height: boxHeight)
        }
        let free = boxes.first { box in !placed.contains { $0.overlaps(box) } }
        let best = free ?? boxes.min { covered($0) < covered($1) } ?? boxes[0]
        placed.append(best)
        return best
    }

    /// Pixels of `box` that earlier captions cover, counted once per caption.
    private func covered(_ box: Box) -> Int {
        placed.reduce(0) { sum, other in
            let across = min(box.left + box.width, other.left + other.width) - max(box.left, other.left)
            let down = min(box.top + box.height, other.top + other.height) - max(box.top, other.top)
            return sum + max(0, across) * max(0, down)
        }
    }
}
