import Configuration

/// One value that can be configured: its name, its kind, and what holds where nobody sets it.
public struct Setting: Sendable {
    /// What values are allowed.
    public enum Kind: Sendable {
        case integer(ClosedRange<Int>)
        case flag
        case text
        case list
        case choice([String])

        var type: ConfigType {
            switch self {
            case .integer: .int
            case .flag: .bool
            case .text, .choice: .string
            case .list: .stringArray
            }
        }
    }

    /// As in the file, parts separated by dots: `workers.count`. In the environment `TABLESIGHT_WORKERS_COUNT`.
    public var key: String
    public var kind: Kind
    /// Nil: nothing is set.
    public var preset: ConfigContent?
    /// For people.
    public var meaning: String
    public var isSecret = false

    /// `TABLESIGHT_WORKERS_COUNT`: words of the key, those within a part too, in capitals.
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

    /// Everything that can be configured, in the order in which it is shown.
    public static let all: [Setting] = [
        Setting("inboxes", .list, nil, "watched folders; the command line's take their place"),
        Setting("output", .text, nil, "where results go; default: the first inbox's name with .tablesight"),
        Setting(
            "profiles", .list, .stringArray(["everyone"]),
            "whose verdicts: stored people, profiles of models/profiles; household: everybody stored"),
        Setting(
            "boards", .list, .stringArray([]),
            "watched folders whose photos are frames of a session: FOLDER=SET or FOLDER=SET:GAME"),
        Setting("overlays", .flag, .bool(false), "also draw what was read over each photo"),
        Setting("workers.count", .integer(1...64), .int(2), "photos read at the same time"),
        Setting("workers.wallClockSeconds", .integer(1...3600), .int(45), "wall clock of one job"),
        Setting("workers.processorSeconds", .integer(1...3600), .int(30), "processor time of one job"),
        Setting("workers.addressMiB", .integer(256...65536), .int(2048), "address space of a worker"),
        Setting("workers.residentMiB", .integer(64...65536), .int(768), "memory in use above which a job is ended"),
        Setting(
            "workers.recycleMiB", .integer(64...65536), .int(500), "memory in use above which a worker is replaced"),
        Setting("workers.recycleJobs", .integer(1...1_000_000), .int(200), "jobs after which a worker is replaced"),
        Setting("photos.megapixels", .integer(1...10_000), .int(100), "stored pixels of a photo, in millions"),
        Setting("photos.side", .integer(16...1_000_000), .int(20_000), "stored pixels of each side"),
        Setting("photos.fileMiB", .integer(1...4096), .int(256), "size of a file"),
        Setting("photos.scans", .integer(1...10_000), .int(100), "scans of a progressive JPEG"),
        Setting("intake.settleMilliseconds", .integer(10...600_000), .int(400), "how long a file must stay the same"),
        Setting(
            "intake.rescanSeconds", .integer(1...86_400), .int(60), "how often everything is scanned, events or not"),
        Setting("intake.pollSeconds", .integer(1...86_400), .int(5), "the same where the kernel sends no events"),
        Setting(
            "retention.goneOutcomes", .integer(0...100_000_000), .int(100_000), "outcomes kept of files that are gone"),
        Setting("disk.minimumFreeMiB", .integer(0...1_000_000), .int(16), "room below which the daemon is not ready"),
        Setting("api.enabled", .flag, .bool(true), "serve health, metrics and the API"),
        Setting("api.host", .text, .string("127.0.0.1"), "the address to listen on"),
        Setting("api.port", .integer(0...65535), .int(8765), "the port; 0 takes any that is free"),
        Setting("api.token", .text, nil, "default: one that is made and kept in the output folder", isSecret: true),
        Setting("api.allowedHosts", .list, .stringArray([]), "names beside the loopback's by which it may be called"),
        Setting("remote.enabled", .flag, .bool(false), "ask a server for products that no import has"),
        Setting("remote.address", .text, .string("https://world.openfoodfacts.org"), "whom: an Open Food Facts server"),
        Setting("remote.contact", .text, nil, "your e-mail address or page: the server is told whom to write to"),
        Setting("remote.waitSeconds", .integer(1...60), .int(5), "how long an outcome waits for such an answer"),
        Setting("webhooks.urls", .list, .stringArray([]), "receivers of outcomes"),
        Setting("webhooks.secret", .text, nil, "whsec_ and base64: signs what is sent", isSecret: true),
        Setting("webhooks.allowPrivate", .flag, .bool(false), "also send to private and loopback addresses"),
        Setting(
            "log.level", .choice(["trace", "debug", "info", "notice", "warning", "error"]), .string("notice"),
            "what is logged"),
        Setting(
            "log.format", .choice(["text", "json"]), .string("text"), "one line of text, or one JSON object a line"),
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
