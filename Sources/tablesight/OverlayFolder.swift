import Daemon
import Vocabulary

/// The folder that a person named for overlays; made when the first is drawn.
struct OverlayFolder {
    let path: FilePathBytes

    init(_ name: String) throws(StartupError) {
        guard let path = FilePathBytes(name) else { throw StartupError(.usage, "--overlay must name a folder") }
        self.path = path
        try OutputFolder.make(path)
    }

    /// `<folder>/<file name>.png`.
    func place(for photo: FilePathBytes) -> FilePathBytes {
        path.appending(photo.lastComponent).appending(suffix: ".png")
    }
}
