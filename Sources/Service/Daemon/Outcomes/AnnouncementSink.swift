import Core

/// Passes the finished outcome to the program, which prints it.
struct AnnouncementSink: OutcomeSink {
    let name = "announcement"
    let announce: @Sendable (Outcome, WatchedResult) -> Void

    func follow(_ photo: JudgedPhoto) -> FilePathBytes? {
        let overlay = photo.configuration.overlay(for: photo.path)
        announce(
            photo.outcome,
            WatchedResult(
                people: photo.configuration.profiles, sidecar: photo.files.first { $0 == photo.photo.sidecar },
                overlay: photo.files.first { $0 == overlay }))
        return nil
    }
}

/// Additional data of one photo's outcome.
package struct WatchedResult: Sendable, Hashable {
    /// The people it was judged for.
    package var people: [AllergenProfile]
    /// Nil if it could not be written; the outcome is in the database.
    package var sidecar: FilePathBytes?
    package var overlay: FilePathBytes?
}
