/// What one photo came to: one JSON object, the same bytes from `scan`, `batch`, the sidecar and the database.
///
/// Same bytes of the photo and same `versions` give the same object, but for `processing`.
public struct Outcome: Sendable, Hashable, Codable {
    /// How far the photo came.
    public enum Status: String, Sendable, Hashable, Codable {
        /// Read and interpreted.
        case completed
        /// Something was read, and something is known to be missing; `reason` says what.
        case partial
        /// Decoded, and nothing could be read; never the same as "nothing there".
        case unreadable
        /// Not decoded; `reason` says why.
        case failed
    }

    /// What kind of thing lies on the table; `--as` forces one.
    public enum Domain: String, Sendable, Hashable, Codable, CaseIterable { case menu, label, barcode, board }

    public var schema: String
    /// `sha256:` and the content's hash in hexadecimal; nil where the content could not be read at all.
    public var id: String?
    public var source: Source
    public var status: Status
    public var reason: Reason?
    public var domains: [Domain]
    public var confidence: Confidence
    public var readings: Readings
    public var menu: Menu?
    public var label: Label?
    public var products: [Product]?
    /// What each person should do about everything on the photo, by the profile's name; nil where nothing was judged.
    public var household: [String: PersonalSummary]?
    public var game: GameReport?
    public var versions: Versions
    public var processing: Processing

    public init(
        id: String?, source: Source, status: Status, reason: Reason? = nil, domains: [Domain] = [],
        confidence: Confidence = Confidence(0), readings: Readings = Readings(), menu: Menu? = nil,
        label: Label? = nil, products: [Product]? = nil, game: GameReport? = nil, versions: Versions,
        processing: Processing = Processing()
    ) {
        self.schema = "tablesight.outcome/1"
        self.id = id
        self.source = source
        self.status = status
        self.reason = reason
        self.domains = domains
        self.confidence = confidence
        self.readings = readings
        self.menu = menu
        self.label = label
        self.products = products
        self.game = game
        self.versions = versions
        self.processing = processing
    }
}

extension Outcome {
    /// The photo itself.
    public struct Source: Sendable, Hashable, Codable {
        /// The path as it was given; with U+FFFD where its bytes are not UTF-8.
        public var path: String
        /// The path's bytes, only where they are not UTF-8.
        public var pathBase64: String?
        public var bytes: Int
        /// Pixels of the upright image; nil where it was not decoded.
        public var width: Int?
        public var height: Int?
        /// `jpeg`, `png`, `webp`, `tiff`, `bmp`, `gif`, `heic`, `avif`.
        public var format: String?
        /// EXIF orientation 1…8 as stored in the file; already applied.
        public var orientation: Int?

        public init(
            path: FilePathBytes, bytes: Int, width: Int? = nil, height: Int? = nil, format: String? = nil,
            orientation: Int? = nil
        ) {
            self.path = path.display
            self.pathBase64 = path.base64IfNotUTF8
            self.bytes = bytes
            self.width = width
            self.height = height
            self.format = format
            self.orientation = orientation
        }
    }

    /// Why the outcome is not a plain success.
    public struct Reason: Sendable, Hashable, Codable {
        public var code: String
        public var detail: String
        public var hint: String

        public init(code: String, detail: String, hint: String) {
            self.code = code
            self.detail = detail
            self.hint = hint
        }

        public init(_ failure: ItemFailure) {
            self.init(code: failure.code.rawValue, detail: failure.detail, hint: failure.hint)
        }
    }

    /// What made this outcome.
    public struct Versions: Sendable, Hashable, Codable {
        public var tablesight: String
        /// Reader or weight → version.
        public var models: [String: String]
        public var lexicon: String?
        public var catalogue: String?

        public init(
            tablesight: String, models: [String: String] = [:], lexicon: String? = nil, catalogue: String? = nil
        ) {
            self.tablesight = tablesight
            self.models = models
            self.lexicon = lexicon
            self.catalogue = catalogue
        }
    }

    /// How it was made; the only part that differs between two runs.
    public struct Processing: Sendable, Hashable, Codable {
        /// Milliseconds by stage.
        public var timingsMs: [String: Double]
        /// 1 for the first.
        public var attempt: Int
        public var worker: String

        public init(timingsMs: [String: Double] = [:], attempt: Int = 1, worker: String = "local") {
            self.timingsMs = timingsMs
            self.attempt = attempt
            self.worker = worker
        }
    }
}
