/// The result for one photo: one JSON object with identical bytes in `scan`, `batch`, the sidecar and the database.
///
/// The same photo bytes and the same `versions` give the same object, except for `processing`.
public struct Outcome: Sendable, Hashable, Codable {
    /// How far processing came.
    public enum Status: String, Sendable, Hashable, Codable, CaseIterable {
        /// Read and interpreted completely.
        case completed
        /// Partly read; `reason` states what is missing.
        case partial
        /// Decoded, but nothing could be read. This does not mean that nothing is there.
        case unreadable
        /// Not decoded; `reason` states why.
        case failed
    }

    /// The kind of subject on the photo. `--as` forces one.
    public enum Domain: String, Sendable, Hashable, Codable, CaseIterable {
        case menu, label, barcode, board, receipt, priceTag
    }

    public var schema: String
    /// `sha256:` and the hash of the content in hexadecimal; nil if the content could not be read.
    public var id: String?
    public var source: Source
    public var status: Status
    public var reason: Reason?
    public var domains: [Domain]
    public var confidence: Confidence
    public var readings: Readings
    public var menu: Menu?
    @Boxed public var label: Label?
    @Boxed public var receipt: Receipt?
    @Boxed public var priceTag: PriceTag?
    /// All tags of a shelf photo, `priceTag` included; nil for a photo of one tag.
    public var priceTags: [PriceTag]?
    /// The kind of the printed page; nil if no kind was recognised or a person named one.
    public var pageKind: PageKindReading?
    public var products: [Product]?
    /// The summary of each person over the whole photo, by profile name; nil if nothing was judged.
    public var household: [String: PersonalSummary]?
    @Boxed public var game: GameReport?
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
    /// The photo file.
    public struct Source: Sendable, Hashable, Codable {
        /// The path as given, with U+FFFD in place of bytes that are not UTF-8.
        public var path: String
        /// The bytes of the path in base64; nil if they are valid UTF-8.
        public var pathBase64: String?
        public var bytes: Int
        /// Pixels of the upright image; nil if the photo was not decoded.
        public var width: Int?
        public var height: Int?
        /// `jpeg`, `png`, `webp`, `tiff`, `bmp`, `gif`, `heic`, `avif`.
        public var format: String?
        /// EXIF orientation 1…8 as stored in the file. The image is already rotated upright.
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

    /// Why the status is not `completed`.
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

    /// The versions of everything that affects the outcome.
    public struct Versions: Sendable, Hashable, Codable {
        public var tablesight: String
        /// Recogniser or weights → version.
        public var models: [String: String]
        public var lexicon: String?
        public var catalogue: String?
        /// The words and weights of receipts, price tags, nutrition tables and dates.
        public var documents: String?
        /// The evidence release; nil in outcomes without ingredients' assessment.
        public var risk: String?

        public init(
            tablesight: String, models: [String: String] = [:], lexicon: String? = nil, catalogue: String? = nil,
            documents: String? = nil, risk: String? = nil
        ) {
            self.risk = risk
            self.tablesight = tablesight
            self.models = models
            self.lexicon = lexicon
            self.catalogue = catalogue
            self.documents = documents
        }
    }

    /// How the outcome was computed. Only this part differs between runs.
    public struct Processing: Sendable, Hashable, Codable {
        /// Milliseconds by stage.
        public var timingsMs: [String: Double]
        /// Number of the attempt, from 1.
        public var attempt: Int
        public var worker: String

        public init(timingsMs: [String: Double] = [:], attempt: Int = 1, worker: String = "local") {
            self.timingsMs = timingsMs
            self.attempt = attempt
            self.worker = worker
        }
    }
}
