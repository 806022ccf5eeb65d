/// When other bytes at a path are the same photo: written slowly, or rotated and saved again.
package enum PhotoRewriting {
    /// The longest time between the two contents, seconds; shorter than between two meals.
    package static let longest: Int64 = 3 * 3600
}
