import Boards
import Catalogue
import Core
import Engine
import Foundation
import HTTP
import Kinds
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
        games = settings.games
    }

    /// The API's settings; creates a token if none is set.
    package func api(_ settings: Settings) throws(StartupError) -> APISettings {
        let place = output.appending(names: "api-token")
        let token = if let set = settings.text("api.token") { set } else { try OutputFolder.token(at: place) }
        var api = APISettings(
            host: settings.text("api.host") ?? "127.0.0.1", port: settings.integer("api.port"),
            token: token, allowedHosts: settings.list("api.allowedHosts"),
            publicAddress: settings.text("api.publicAddress").flatMap(PublicAddress.init))
        let port = settings.integer("api.httpsPort")
        if port > 0 { try encrypt(&api, port: port, certificate: settings.text("api.certificate")) }
        return api
    }

    package var houseCertificate: HouseCertificate { HouseCertificate(in: HouseCertificate.usualFolder(in: output)) }

    /// Serves HTTPS too.
    ///
    /// - Parameter file: PEM, with the key; nil for the certificate of the house.
    /// - Throws: ``StartupError`` (78) without a certificate that can be used.
    package func encrypt(_ api: inout APISettings, port: Int, certificate file: String? = nil) throws(StartupError) {
        let file = file ?? houseCertificate.server.display
        do { api.encrypted = (port, try ServerCertificate(file: file)) } catch {
            throw StartupError(
                .configuration,
                "HTTPS needs a certificate with its key in \(file): make one with `tablesight household certificate HOST`, "
                    + "or set api.certificate")
        }
        api.publicAddress?.plainPort = api.port
    }
}

extension Settings {
    /// The folder with games of one's own.
    package var games: URL { text("games").map { URL(filePath: $0) } ?? OwnGames.usualFolder() }
}
