import Configuration

/// A setting: its name, its kind and its default.
package struct Setting: Sendable {
    package enum Kind: Sendable {
        case integer(ClosedRange<Int>)
        case flag
        case text
        case list
        case choice([String])
        /// Scheme, host and port of a web server.
        case address

        var type: ConfigType {
            switch self {
            case .integer: .int
            case .flag: .bool
            case .text, .choice, .address: .string
            case .list: .stringArray
            }
        }
    }

    /// Name in the file, parts separated by dots: `workers.count`. In the environment it is `TABLESIGHT_WORKERS_COUNT`.
    package var key: String
    package var kind: Kind
    /// The default, or nil.
    package var preset: ConfigContent?
    package var meaning: String
    package var isSecret = false

    /// Environment variable, for example `TABLESIGHT_WORKERS_COUNT`: the words of the key in capitals.
    var variable: String {
        var text = "TABLESIGHT_"
        var before: Character = "."
        for character in key {
            if character.isUppercase, before.isLowercase { text += "_" }
            text += character == "." ? "_" : character.uppercased()
            before = character
        }
        return text
    }

    var absoluteKey: AbsoluteConfigKey { AbsoluteConfigKey(key.split(separator: ".").map(String.init)) }

    /// All settings, in the order of their output.
    package static let all: [Setting] = [
        Setting("inboxes", .list, nil, "watched folders; folders on the command line replace them"),
        Setting("output", .text, nil, "output folder (default: the first inbox's name with .tablesight)"),
        Setting(
            "profiles", .list, .stringArray(["everyone"]),
            "people to judge for: stored, or in models/profiles; household: all stored people"),
        Setting(
            "boards", .list, .stringArray([]),
            "watched folders whose photos are frames of a session, as  FOLDER=SET or FOLDER=SET:GAME"),
        Setting(
            "cameras", .list, .stringArray([]),
            "cameras above a table, as  DEVICE=SET or DEVICE=SET:GAME; a video file is played in a camera's place"),
        Setting(
            "games", .text, nil,
            "folder with your own games, a folder each (default: tablesight/games in your data folder)"),
        Setting("overlays", .flag, .bool(false), "also draw the results over each photo"),
        Setting(
            "workers.count", .integer(0...64), .int(2),
            "number of photos that are read at the same time; 0 leaves all to the queue"),
        Setting("workers.wallClockSeconds", .integer(1...3600), .int(45), "maximum wall-clock time of one job"),
        Setting("workers.processorSeconds", .integer(1...3600), .int(30), "maximum processor time of one job"),
        Setting("workers.addressMiB", .integer(256...65536), .int(2048), "maximum address space of a worker"),
        Setting("workers.residentMiB", .integer(64...65536), .int(768), "memory in use above which a job is killed"),
        Setting(
            "workers.recycleMiB", .integer(64...65536), .int(500), "memory in use above which a worker is replaced"),
        Setting("workers.recycleJobs", .integer(1...1_000_000), .int(200), "jobs after which a worker is replaced"),
        Setting("photos.megapixels", .integer(1...10_000), .int(100), "maximum pixels of a photo, in millions"),
        Setting("photos.side", .integer(16...1_000_000), .int(20_000), "maximum pixels of each side"),
        Setting("photos.fileMiB", .integer(1...4096), .int(256), "maximum size of a file"),
        Setting("photos.scans", .integer(1...10_000), .int(100), "maximum scans of a progressive JPEG"),
        Setting(
            "intake.settleMilliseconds", .integer(10...600_000), .int(400),
            "time without changes after which a file is complete"),
        Setting(
            "intake.rescanSeconds", .integer(1...86_400), .int(60), "interval of full scans"),
        Setting("intake.pollSeconds", .integer(1...86_400), .int(5), "the same if the kernel sends no events"),
        Setting(
            "retention.goneOutcomes", .integer(0...100_000_000), .int(100_000), "outcomes of deleted files to keep"),
        Setting(
            "disk.minimumFreeMiB", .integer(0...1_000_000), .int(16), "free space below which the daemon is not ready"),
        Setting("api.enabled", .flag, .bool(true), "serve health, metrics and the API"),
        Setting("api.host", .text, .string("127.0.0.1"), "address to listen on"),
        Setting("api.port", .integer(0...65535), .int(8765), "port to listen on; 0: any free port"),
        Setting(
            "api.httpsPort", .integer(0...65535), .int(0), "port for HTTPS, with the certificate of the house; 0: none"),
        Setting(
            "api.certificate", .text, nil,
            "PEM file with another certificate and its key for HTTPS (default: https/server.pem in the output folder)"),
        Setting("api.token", .text, nil, "access token (default: generated in the output folder)", isSecret: true),
        Setting("api.allowedHosts", .list, .stringArray([]), "additional host names that requests may use"),
        Setting(
            "api.publicAddress", .address, nil,
            "address that phones use, if it differs from the API's: https://kitchen.local"),
        Setting(
            "api.mostWaiting", .integer(1...1_000_000), .int(1000), "waiting photos above which uploads are refused"),
        Setting("queue.address", .text, nil, "NATS server for workers on other machines: nats://HOST:PORT or tls://…"),
        Setting("queue.prefix", .text, .string("tablesight"), "first word of the queue's names; one for each daemon"),
        Setting("queue.slots", .integer(1...256), .int(16), "photos that other machines read at the same time"),
        Setting("queue.credentials", .text, nil, "file with user name and password, an NKey seed or a JWT"),
        Setting("queue.ca", .text, nil, "file with certificates to trust (default: those of the system)"),
        Setting("queue.certificate", .text, nil, "file with the daemon's own certificate for the queue"),
        Setting("queue.certificateKey", .text, nil, "file with the key of queue.certificate"),
        Setting("queue.share", .text, nil, "folder that workers share (default: they fetch photos from the API)"),
        Setting(
            "queue.workerToken", .text, nil, "token with which workers fetch photos (default: generated)",
            isSecret: true),
        Setting("remote.enabled", .flag, .bool(false), "ask a server for products that are not imported"),
        Setting("remote.address", .text, .string("https://world.openfoodfacts.org"), "an Open Food Facts server"),
        Setting("remote.contact", .text, nil, "your e-mail address or web page, sent to the server"),
        Setting("remote.waitSeconds", .integer(1...60), .int(5), "maximum time an outcome waits for the server"),
        Setting("webhooks.urls", .list, .stringArray([]), "addresses of the receivers of events"),
        Setting("webhooks.secret", .text, nil, "secret of the signature: whsec_ and base64", isSecret: true),
        Setting("webhooks.allowPrivate", .flag, .bool(false), "also send to private and loopback addresses"),
        Setting("mqtt.url", .text, nil, "MQTT broker that gets each outcome: mqtt://HOST:PORT or mqtts://…"),
        Setting("mqtt.prefix", .text, .string("tablesight"), "first words of the topics; one for each daemon"),
        Setting("mqtt.credentials", .text, nil, "file with user name and password for the broker, on two lines"),
        Setting("mqtt.ca", .text, nil, "file with certificates to trust (default: those of the system)"),
        Setting("mqtt.clientId", .text, nil, "the daemon's name at the broker (default: mqtt.prefix)"),
        Setting("mqtt.discovery", .flag, .bool(true), "also describe the topics to Home Assistant"),
        Setting("mqtt.discoveryPrefix", .text, .string("homeassistant"), "Home Assistant's discovery prefix"),
        Setting(
            "log.level", .choice(["trace", "debug", "info", "notice", "warning", "error"]), .string("notice"),
            "lowest level that is logged"),
        Setting(
            "log.format", .choice(["text", "json"]), .string("text"), "lines of text, or one JSON object per line"),
    ]

    private init(
        _ key: String, _ kind: Kind, _ preset: ConfigContent?, _ meaning: String, isSecret: Bool = false
    ) {
        self.key = key
        self.kind = kind
        self.preset = preset
        self.meaning = meaning
        self.isSecret = isSecret
    }
}
