// swift-tools-version:6.2
import PackageDescription

// Sources/<layer>/<module>. A layer imports only layers above it, and itself only where docs/architecture.md draws it;
// ArchitectureTests holds this file, that page and the imports together.

/// A module of Sources/<layer>; Core is a layer and a module.
func module(
    _ name: String, in layer: String, uses own: [String] = [], _ products: [Target.Dependency] = [],
    c: [CSetting] = [], cxx: [CXXSetting] = [], swift: [SwiftSetting] = [], links: [String] = [],
    without others: [String] = []
) -> Target {
    .target(
        name: name, dependencies: own.map { .byName(name: $0) } + products,
        path: name == layer ? "Sources/\(name)" : "Sources/\(layer)/\(name)", exclude: others,
        cSettings: c, cxxSettings: cxx, swiftSettings: swift, linkerSettings: links.map { .linkedLibrary($0) })
}

/// A program of Sources/Programs.
func program(
    _ name: String, uses own: [String], _ products: [Target.Dependency] = [], swift: [SwiftSetting] = []
) -> Target {
    .executableTarget(
        name: name, dependencies: own.map { .byName(name: $0) } + products, path: "Sources/Programs/\(name)",
        swiftSettings: swift)
}

/// A library of Debian's.
func system(_ name: String, _ pkgConfig: String, _ package: String) -> Target {
    .systemLibrary(
        name: name, path: "Sources/Native/\(name)", pkgConfig: pkgConfig, providers: [.apt([package])])
}

/// Tests of Tests/<layer>/<module>Tests.
func tests(
    _ name: String, in layer: String, uses own: [String], _ products: [Target.Dependency] = [], data: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: (own + ["TestSupport"]).map { .byName(name: $0) } + products,
        path: "Tests/\(layer)/\(name)", exclude: data)
}

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let configuration = Target.Dependency.product(name: "Configuration", package: "swift-configuration")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let grdbSQLite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "Metrics", package: "swift-metrics")
let mustache = Target.Dependency.product(name: "Mustache", package: "swift-mustache")
let nio = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioHTTP = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let nioHTTPTypes = Target.Dependency.product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let signals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

/// Templates and texts of the app's features, which models/web/features links to.
let templates = [
    "Frame", "Household", "Photos", "Products", "Diary", "Shopping", "Play", "Status",
].map { "\($0)/Templates" }

/// Optimised in debug builds too: tests judge 50,000 texts and find 6,000 foods, and each daemon reads those foods. As
/// whole modules, or each file would optimise what it uses of the others again; with two threads, because only those
/// write an object for each file.
let optimised: [SwiftSetting] = [
    .unsafeFlags(
        ["-O", "-disable-batch-mode", "-whole-module-optimization", "-num-threads", "2"],
        .when(configuration: .debug))
]

let openCVHeaders: [CXXSetting] = [
    .unsafeFlags(["-isystem", "/usr/include/opencv4"]), .unsafeFlags(["-O2"], .when(configuration: .debug)),
]

let package = Package(
    name: "tablesight",
    products: [
        .executable(name: "tablesight", targets: ["tablesight"]),
        .executable(name: "tablesight-worker", targets: ["tablesight-worker"]),
        .executable(name: "tablesight-frames", targets: ["tablesight-frames"]),
        // For training, measuring, and comparing two builds: single stages without the rest of the program.
        .executable(name: "tablesight-stage", targets: ["tablesight-stage"]),
        // For Benchmarks/ alone; other programs use the commands.
        .library(name: "TablesightStages", targets: ["Core", "PhotoReading", "Allergens"]),
    ],
    // Exact versions instead of Package.resolved: that file also holds commit ids, which differ where a machine reads
    // copies of these packages. git ignores it.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/apple/swift-configuration", exact: "1.4.0", traits: ["YAML"]),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
        // Hummingbird's own; named because connections are counted in its pipeline.
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: ["FullFoundation"]),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
    ],
    targets: [
        // Core: values that every layer shares
        module("Core", in: "Core", swift: optimised),

        // Native: C and C++
        system("CTesseract", "tesseract", "libtesseract-dev"),
        system("CLeptonica", "lept", "libleptonica-dev"),
        system("CZBar", "zbar", "libzbar-dev"),
        system("CZlib", "zlib", "zlib1g-dev"),
        system("CCrypto", "libcrypto", "libssl-dev"),
        system("CQREncode", "libqrencode", "libqrencode-dev"),
        system("CHeif", "libheif", "libheif-dev"),
        // ONNX Runtime is opened at run time: nothing is linked.
        module("COnnxRuntime", in: "Native"),
        // Only what is used: pkg-config's opencv4 would load 55 libraries at every start of the worker.
        module("COpenCV", in: "Native", cxx: openCVHeaders, links: ["opencv_core", "opencv_imgproc", "stdc++"]),
        // ZXing-C++ is opened at run time (scripts/build-zxing): without it fewer barcodes are read.
        module("CZXing", in: "Native", links: ["dl"]),
        // OpenCV's videoio is opened at run time, and only where somebody asks for a video.
        module("CVideo", in: "Native", cxx: openCVHeaders, links: ["opencv_core", "dl", "stdc++"]),
        // NATS' client is opened at run time: only a daemon or a worker with a queue needs it.
        module("CNATS", in: "Native", links: ["dl"]),
        // MQTT's client is opened at run time too: only a daemon with a broker needs it.
        module("CMosquitto", in: "Native", links: ["dl"]),
        // Arithmetic that debug builds of Swift would do a hundred times slower.
        module(
            "CRoleNetwork", in: "Native", c: [.unsafeFlags(["-O2"], .when(configuration: .debug))], links: ["m"]),
        module(
            "CBarTemplates", in: "Native", c: [.unsafeFlags(["-O2"], .when(configuration: .debug))], links: ["m"]),
        // C++ behind a C header: Swift sees no templates.
        module("CSimdjson", in: "Native", links: ["simdjson", "stdc++"]),
        // C around Expat, with the limits that hostile documents need.
        module("CExpat", in: "Native", links: ["expat"]),
        // Kernel calls that Swift cannot make: descriptors over a socket, pidfd, the worker's confinement.
        module("CLinuxSupport", in: "Native", links: ["seccomp"]),

        // Reading: bytes → raster → readings, in the worker
        module("ReadJobs", in: "Reading", uses: ["Core", "CLinuxSupport"]),
        module("Imaging", in: "Reading", uses: ["Core", "CLeptonica", "CHeif", "COpenCV", "CZlib"]),
        module(
            "TextRecognition", in: "Reading", uses: ["Core", "CTesseract", "CLeptonica", "COpenCV", "COnnxRuntime"]),
        module("BarcodeRecognition", in: "Reading", uses: ["Core", "CZBar", "CZXing", "COpenCV", "CBarTemplates"]),
        module("PieceRecognition", in: "Reading", uses: ["Core", "COpenCV"]),
        module(
            "PhotoReading", in: "Reading",
            uses: ["Core", "ReadJobs", "Imaging", "TextRecognition", "BarcodeRecognition", "PieceRecognition"]),

        // Judging: readings → meaning
        module("Documents", in: "Judging", uses: ["Core", "CRoleNetwork"]),
        module("Allergens", in: "Judging", uses: ["Core", "Documents"], swift: optimised),
        module("Foods", in: "Judging", uses: ["Core"], swift: optimised),
        module("Kinds", in: "Judging", uses: ["Core", "Allergens", "Documents", "Foods"]),

        // Records: what is kept
        module("Hashing", in: "Records", uses: ["CCrypto"]),
        module("Store", in: "Records", uses: ["Core", "CLinuxSupport"], [grdb]),
        module("Catalogue", in: "Records", uses: ["Core", "Foods", "CZlib", "CSimdjson"], [grdb, grdbSQLite]),
        module(
            "Diary", in: "Records",
            uses: ["Core", "Foods", "Store", "Catalogue", "Household", "CExpat"], [grdb]),
        module(
            "Household", in: "Records",
            uses: ["Core", "CCrypto", "Allergens", "Foods", "Kinds", "Hashing", "Store"], [grdb]),
        module(
            "Groceries", in: "Records", uses: ["Core", "Foods", "Store", "Catalogue", "Household"], [grdb]),

        // App: what a member can do, a folder a feature; HTTP knows no feature
        module(
            "HTTP", in: "App", uses: ["Core", "Hashing", "CZlib"],
            [
                hummingbird, hummingbirdCore, nio, nioHTTP, nioPosix, nioHTTPTypes, nioSSL, httpTypes, metrics,
                logging, lifecycle,
            ]),
        module(
            "App", in: "App",
            uses: [
                "Core", "Allergens", "Foods", "Kinds", "Store", "Catalogue", "Diary", "Household", "Groceries",
                "HTTP", "Hashing", "CQREncode",
            ],
            [hummingbird, httpTypes, nio, mustache, logging], without: ["HTTP"] + templates),

        // Service: the running daemon
        module("Intake", in: "Service", uses: ["Core", "CLinuxSupport"]),
        module("Streaming", in: "Service", uses: ["Core", "Kinds", "CLinuxSupport"]),
        module(
            "Settings", in: "Service", uses: ["Core", "Catalogue", "HTTP"], [configuration, yams, logging]),
        module(
            "Engine", in: "Service",
            uses: [
                "Core", "Allergens", "Documents", "Foods", "Kinds", "Store", "Catalogue", "Household", "Intake",
                "Hashing", "ReadJobs", "CLinuxSupport",
            ], [lifecycle]),
        module(
            "Queue", in: "Service",
            uses: [
                "Core", "Store", "Intake", "Hashing", "ReadJobs", "HTTP", "Settings", "Engine", "CNATS", "CZlib",
            ], [hummingbird, httpTypes, metrics, logging, lifecycle]),
        module(
            "Boards", in: "Service",
            uses: [
                "Core", "Kinds", "Store", "Household", "Hashing", "Streaming", "Settings", "Engine", "CLinuxSupport",
            ], [metrics, logging, lifecycle]),
        module(
            "Daemon", in: "Service",
            uses: [
                "Core", "Foods", "Kinds", "Store", "Catalogue", "Diary", "Household", "Groceries", "Intake", "Hashing",
                "ReadJobs", "HTTP", "App", "Settings", "Engine", "Queue", "Boards", "CLinuxSupport", "CMosquitto",
            ],
            [metrics, logging, lifecycle, signals]),

        // Programs
        program(
            "tablesight",
            uses: [
                "Core", "Allergens", "Documents", "Foods", "Kinds", "Store", "Catalogue", "Diary", "Household",
                "Groceries", "Streaming", "HTTP", "App", "Hashing", "Intake", "Settings", "Engine", "Queue", "Boards",
                "Daemon",
            ],
            [argumentParser]),
        program("tablesight-worker", uses: ["Core", "ReadJobs", "PhotoReading"]),
        program("tablesight-frames", uses: ["CVideo"]),
        program(
            "tablesight-stage", uses: ["Core", "Documents", "Allergens", "Foods", "Kinds"],
            [argumentParser]),

        // Tests
        .target(name: "TestSupport", dependencies: ["Core"], path: "Tests/TestSupport"),
        .executableTarget(
            name: "tablesight-test-worker", dependencies: ["Core", "ReadJobs"], path: "Tests/TestWorker"),
        tests("ArchitectureTests", in: "Core", uses: []),
        tests("CoreTests", in: "Core", uses: ["Core"]),
        tests("ReadJobsTests", in: "Reading", uses: ["Core", "ReadJobs"]),
        tests("ImagingTests", in: "Reading", uses: ["Imaging", "CLeptonica", "CHeif"]),
        tests("TextRecognitionTests", in: "Reading", uses: ["TextRecognition", "Imaging"]),
        tests("BarcodeRecognitionTests", in: "Reading", uses: ["BarcodeRecognition", "Imaging", "CBarTemplates"]),
        tests("PieceRecognitionTests", in: "Reading", uses: ["PieceRecognition", "Imaging"]),
        tests("PhotoReadingTests", in: "Reading", uses: ["BarcodeRecognition", "Imaging", "PhotoReading"]),
        tests("DocumentsTests", in: "Judging", uses: ["Documents"], data: ["Menus/Recorded"]),
        tests("AllergensTests", in: "Judging", uses: ["Allergens"]),
        tests("FoodsTests", in: "Judging", uses: ["Core", "Foods", "Hashing"]),
        tests("KindsTests", in: "Judging", uses: ["Core", "Kinds", "Allergens", "Documents", "Foods"]),
        tests("HashingTests", in: "Records", uses: ["Hashing"]),
        tests("StoreTests", in: "Records", uses: ["Store"], [grdb]),
        tests("CatalogueTests", in: "Records", uses: ["Catalogue"]),
        tests(
            "DiaryTests", in: "Records", uses: ["Core", "Diary", "Foods", "Store", "Catalogue"],
            [grdb]),
        tests("HouseholdTests", in: "Records", uses: ["Core", "Hashing", "Household", "Kinds", "Store"], [grdb]),
        tests(
            "GroceriesTests", in: "Records", uses: ["Core", "Foods", "Groceries", "Store", "Catalogue"],
            [grdb]),
        tests(
            "HTTPTests", in: "App", uses: ["Core", "HTTP", "CZlib"],
            [hummingbird, httpTypes, logging, metrics, lifecycle, nio, nioHTTPTypes, nioEmbedded]),
        tests(
            "AppTests", in: "App",
            uses: [
                "Core", "Foods", "Kinds", "App", "Store", "Catalogue", "Diary", "Household", "Groceries", "HTTP",
                "BarcodeRecognition",
            ], [hummingbird, httpTypes, logging, nio, nioEmbedded]),
        // A household with all routes, as the daemon puts them together.
        tests(
            "HouseTests", in: "App",
            uses: [
                "Core", "Foods", "Store", "Catalogue", "Diary", "Household", "Groceries", "Intake", "Hashing",
                "ReadJobs", "HTTP", "App", "Engine", "Queue", "Boards", "Daemon", "tablesight", "tablesight-worker",
            ], [grdb, hummingbird, httpTypes, logging, nio, nioEmbedded]),
        tests("IntakeTests", in: "Service", uses: ["Intake"]),
        tests("StreamingTests", in: "Service", uses: ["Streaming"]),
        tests("SettingsTests", in: "Service", uses: ["Core", "Settings"]),
        tests(
            "EngineTests", in: "Service", uses: ["Core", "Kinds", "ReadJobs", "Engine", "tablesight-test-worker"]),
        tests(
            "QueueTests", in: "Service", uses: ["Core", "Hashing", "HTTP", "Queue", "ReadJobs"],
            [hummingbird, httpTypes, logging, nioEmbedded]),
        tests(
            "BoardsTests", in: "Service", uses: ["Core", "Kinds", "Store", "Household", "Streaming", "Boards"]),
        tests(
            "DaemonTests", in: "Service",
            uses: [
                "Core", "Allergens", "Kinds", "Daemon", "Household", "Foods", "Store", "Catalogue", "Diary",
                "Groceries", "HTTP", "App", "Settings", "Engine", "Queue", "ReadJobs", "Hashing", "tablesight",
                "tablesight-worker", "tablesight-test-worker",
            ], [grdb, httpTypes, logging, nio, nioPosix, nioSSL]),
        tests(
            "PromiseTests", in: "Service",
            uses: ["Store", "tablesight", "tablesight-worker", "tablesight-test-worker"], [grdb]),
        tests(
            "CommandTests", in: "Programs",
            uses: ["Core", "Kinds", "Household", "Store", "tablesight", "tablesight-worker"], [grdb]),
        tests(
            "DocumentationTests", in: "Programs", uses: ["Core", "tablesight", "tablesight-worker"],
            data: ["world.json"]),
        tests("CorpusTests", in: "Programs", uses: ["Core", "Kinds", "tablesight", "tablesight-worker"]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
