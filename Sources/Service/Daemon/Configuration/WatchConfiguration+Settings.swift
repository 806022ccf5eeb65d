import Boards
import Catalogue
import Core
import Engine
import HTTP
import Queue
import ReadJobs
import Settings

extension WatchConfiguration {
    /// The configuration from `settings`.
    ///
    /// - Parameter people: finds profiles by name, also in the daemon's database.
    package init(
        _ settings: Settings, once: Bool, people: ([String], FilePathBytes) throws -> [AllergenProfile]
    ) throws {
        let inboxes = settings.list("inboxes")
        try self.init(
            inboxes: inboxes.isEmpty ? ["inbox"] : inboxes, output: settings.text("output"),
            workers: settings.integer("workers.count"),
            settle: .milliseconds(settings.integer("intake.settleMilliseconds")),
            rescan: .seconds(settings.integer("intake.rescanSeconds")), drawsOverlays: settings.flag("overlays"),
            once: once, profiles: [])
        profiles = try people(settings.list("profiles"), database)
        poll = .seconds(settings.integer("intake.pollSeconds"))
        workerLimits.wallClock = .seconds(settings.integer("workers.wallClockSeconds"))
        workerLimits.processorSeconds = settings.integer("workers.processorSeconds")
        workerLimits.addressBytes = settings.integer("workers.addressMiB") << 20
        workerLimits.residentBytes = settings.integer("workers.residentMiB") << 20
        workerLimits.recycleBytes = settings.integer("workers.recycleMiB") << 20
        workerLimits.recycleJobs = settings.integer("workers.recycleJobs")
        photoLimits = ReadJob.Limits(
            pixels: settings.integer("photos.megapixels") * 1_000_000, side: settings.integer("photos.side"),
            fileBytes: settings.integer("photos.fileMiB") << 20, scans: settings.integer("photos.scans"))
        webhooks = try WebhookSettings(settings)
        mqtt = try MQTTSettings(settings)
        remote = settings.flag("remote.enabled") ? try RemoteSettings(settings) : nil
        queue = try QueueSettings(settings)
        if workers == 0, queue == nil {
            throw StartupError(
                .configuration,
                "workers.count is 0, so nobody reads photos: set 1 or more, or name a queue with --queue")
        }
        minimumFreeBytes = settings.integer("disk.minimumFreeMiB") << 20
        keptGoneOutcomes = settings.integer("retention.goneOutcomes")
        mostWaiting = settings.integer("api.mostWaiting")
        boards = try Board.all(in: settings)
        cameras = try Camera.all(in: settings)
    }

    /// The API's settings; creates a token if none is set.
    package func api(_ settings: Settings) throws(StartupError) -> APISettings {
        let place = output.appending(names: "api-token")
        let token = if let set = settings.text("api.token") { set } else { try OutputFolder.token(at: place) }
        return APISettings(
            host: settings.text("api.host") ?? "127.0.0.1", port: settings.integer("api.port"),
            token: token, allowedHosts: settings.list("api.allowedHosts"),
            publicAddress: settings.text("api.publicAddress").flatMap(PublicAddress.init))
    }
}
