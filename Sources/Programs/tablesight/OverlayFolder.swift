import Core
import Engine

/// The folder of --overlay; created with the first overlay.
struct OverlayFolder {
    private let path: FilePathBytes
    /// Photos by overlay name: photos with the same name from two folders need two overlay files.
    private var photos: [FilePathBytes: FilePathBytes] = [:]

    init(_ name: String) throws(StartupError) {
        guard let path = FilePathBytes(name) else { throw StartupError(.usage, "--overlay must name a folder") }
        self.path = path
        try OutputFolder.make(path)
    }

    /// `<folder>/<file name>.png`; a second photo with the same name gets `<file name>.2.png`.
    mutating func place(for photo: FilePathBytes) -> FilePathBytes {
        let name = path.appending(photo.lastComponent)
        var place = name.appending(suffix: ".png")
        var number = 1
        while let other = photos[place], other != photo {
            number += 1
            place = name.appending(suffix: ".\(number).png")
        }
        photos[place] = photo
        return place
    }
}
