import Core

extension OutcomeStore {
    /// Writes the sidecars of replaced outcomes. A running daemon does this within a second.
    ///
    /// - Returns: the sidecars that could not be written, with the reasons.
    package func writeSidecars() throws -> [(path: FilePathBytes, reason: String)] {
        var refused: [(FilePathBytes, String)] = []
        var written: [Int64] = []
        for (photo, json) in try unwrittenSidecars() {
            do {
                try SidecarFile.write(json + [0x0A], to: photo.sidecar)
                if try !removeIfErased(photo.sidecar, of: photo.path) { written.append(photo.id) }
            } catch let error as StartupError where error.concernsOnePath {
                refused.append((photo.path, error.message))
            }
        }
        try markSidecarsWritten(written)
        return refused
    }
}
