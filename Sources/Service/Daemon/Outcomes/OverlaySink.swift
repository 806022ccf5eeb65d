import Core
import Engine
import Store

/// Draws the overlay, if the settings ask for it.
struct OverlaySink: OutcomeSink {
    let name = "overlay"
    let processor: PhotoProcessor

    func follow(_ photo: JudgedPhoto) async throws -> FilePathBytes? {
        guard photo.configuration.drawsOverlays, photo.outcome.source.width != nil else { return nil }
        let place = photo.configuration.overlay(for: photo.path)
        try SidecarFile.makeFolders(place.folder)
        let processor = processor.limited(to: photo.configuration.photoLimits)
        let failure = await processor.drawOverlay(of: photo.outcome, photo: photo.path, in: photo.inbox, to: place)
        if let failure { throw failure }
        return place
    }
}
