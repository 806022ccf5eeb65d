// swift-tools-version:6.1
import PackageDescription

// The stages, in the data's order. A stage imports Vocabulary and its own C module; Allergens also imports Menus, which
// imports Layout: a dish must be found before it can be judged.
let package = Package(
    name: "tablesight",
    products: [
        .executable(name: "tablesight", targets: ["tablesight"]),
        .executable(name: "tablesight-worker", targets: ["tablesight-worker"]),
        .executable(name: "tablesight-frames", targets: ["tablesight-frames"]),
        // For scripts/train-menus and scripts/bench: the menu stage without the rest of the program.
        .executable(name: "menu-stage", targets: ["menu-stage"]),
        // For Benchmarks/ alone; programs outside talk to the commands.
        .library(name: "TablesightStages", targets: ["Vocabulary", "Readers", "Allergens"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(
            url: "https://github.com/apple/swift-configuration", from: "1.4.0",
            traits: ["YAML"]),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
        // Hummingbird's own; named because connections are counted in its pipeline.
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.0.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.20.0"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: ["FullFoundation"]),
    ],
    targets: [
        // C modules
        .systemLibrary(name: "CTesseract", pkgConfig: "tesseract", providers: [.apt(["libtesseract-dev"])]),
        .systemLibrary(name: "CLeptonica", pkgConfig: "lept", providers: [.apt(["libleptonica-dev"])]),
        .systemLibrary(name: "CZBar", pkgConfig: "zbar", providers: [.apt(["libzbar-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CHeif", pkgConfig: "libheif", providers: [.apt(["libheif-dev"])]),
        // ONNX Runtime is opened at run time: nothing to link.
        .target(name: "COnnxRuntime"),
        .target(
            name: "COpenCV",
            cxxSettings: [.unsafeFlags(["-isystem", "/usr/include/opencv4"])],
            // Only what is used: pkg-config's opencv4 would load 55 libraries at every start of the worker.
            linkerSettings: [
                .linkedLibrary("opencv_core"), .linkedLibrary("opencv_imgproc"), .linkedLibrary("stdc++"),
            ]),

        // Kernel calls that Swift cannot make: descriptors over a socket, pidfd, the worker's confinement.
        .target(name: "CLinuxSupport", linkerSettings: [.linkedLibrary("seccomp")]),
        // Between daemon and worker: the socket, what the worker is held to, what it leaves behind.
        .target(name: "JobChannel", dependencies: ["Vocabulary", "CLinuxSupport"]),
        // Opens ZXing-C++ at run time (scripts/build-zxing): nothing is linked, and without it less is read.
        .target(name: "CZXing", linkerSettings: [.linkedLibrary("dl")]),
        // OpenCV's videoio is opened at run time, and only where somebody asks for a video.
        .target(
            name: "CVideo", cxxSettings: [.unsafeFlags(["-isystem", "/usr/include/opencv4"])],
            linkerSettings: [.linkedLibrary("opencv_core"), .linkedLibrary("dl"), .linkedLibrary("stdc++")]),

        // Words every stage shares
        .target(name: "Vocabulary"),

        // Stages of the worker: bytes → raster → readings
        .target(name: "Imaging", dependencies: ["Vocabulary", "CLeptonica", "CHeif", "COpenCV"]),
        .target(
            name: "TextRecognition",
            dependencies: ["Vocabulary", "CTesseract", "CLeptonica", "COpenCV", "COnnxRuntime"],
            path: "Sources/Recognition/Text"),
        .target(
            name: "BarcodeRecognition", dependencies: ["Vocabulary", "CZBar", "CZXing", "COpenCV"],
            path: "Sources/Recognition/Barcodes"),
        .target(
            name: "PieceRecognition", dependencies: ["Vocabulary", "COpenCV"],
            path: "Sources/Recognition/Pieces"),
        .target(
            name: "Readers",
            dependencies: ["Vocabulary", "Imaging", "TextRecognition", "BarcodeRecognition", "PieceRecognition"]),

        // Stages of the daemon: folder → claim, readings → outcome → store
        .target(name: "Intake", dependencies: ["Vocabulary", "CLinuxSupport"]),
        // Words with boxes → segments and their neighbours
        .target(name: "Layout", dependencies: ["Vocabulary"], path: "Sources/Judging/Layout"),
        // Segments → sections with dishes
        .target(name: "Menus", dependencies: ["Vocabulary", "Layout"], path: "Sources/Judging/Menus"),
        .target(name: "Allergens", dependencies: ["Vocabulary", "Layout", "Menus"]),
        .target(name: "Foods", dependencies: ["Vocabulary"]),
        .target(name: "Games", dependencies: ["Vocabulary"]),
        // Looks at a board → frames that games can trust: ids, states, events, other encodings
        .target(name: "PieceStream", dependencies: ["Vocabulary", "Games"]),
        .target(name: "Pipeline", dependencies: ["Vocabulary", "Allergens", "Foods", "Games"]),
        // Outcomes → words for people, in their language
        .target(name: "Presentation", dependencies: ["Vocabulary", "Allergens"]),
        .target(name: "Store", dependencies: ["Vocabulary", .product(name: "GRDB", package: "GRDB.swift")]),
        // Products of Open Food Facts and USDA, imported into SQLite; searched and looked up.
        .target(
            name: "Catalogue",
            dependencies: [
                "Vocabulary", "CZlib", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]),
        .target(
            name: "HTTPAPI",
            dependencies: [
                "Vocabulary",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Crypto", package: "swift-crypto"),
            ]),
        .target(
            name: "Daemon",
            dependencies: [
                "Vocabulary", "Intake", "Allergens", "Foods", "Pipeline", "Store", "Catalogue", "HTTPAPI", "JobChannel",
                "Games",
                "PieceStream",
                "CLinuxSupport",
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Yams", package: "Yams"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]),

        // Programs
        .executableTarget(
            name: "tablesight",
            dependencies: [
                "Daemon", "Store", "HTTPAPI", "Catalogue", "PieceStream", "Presentation",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            // Swift 6.3.1 crashes ("While splitting coroutine") when it optimises the async commands. Nothing here is hot:
            // the work is done in the modules below.
            swiftSettings: [.unsafeFlags(["-Onone"], .when(configuration: .release))]),
        .executableTarget(name: "tablesight-worker", dependencies: ["Readers", "JobChannel"]),
        .executableTarget(name: "tablesight-frames", dependencies: ["CVideo"]),
        .executableTarget(name: "menu-stage", dependencies: ["Vocabulary", "Layout", "Menus"]),

        // Tests
        .target(name: "TestSupport", dependencies: ["Vocabulary"], path: "Tests/TestSupport"),
        // A worker that crashes, hangs and grows on demand.
        .executableTarget(
            name: "tablesight-test-worker", dependencies: ["Vocabulary", "JobChannel"], path: "Tests/TestWorker"),
        .testTarget(name: "VocabularyTests", dependencies: ["Vocabulary", "TestSupport"]),
        // Its pictures are written by the same libraries that read them.
        .testTarget(name: "ImagingTests", dependencies: ["Imaging", "CLeptonica", "CHeif", "TestSupport"]),
        .testTarget(name: "TextRecognitionTests", dependencies: ["TextRecognition", "Imaging", "TestSupport"]),
        .testTarget(name: "BarcodeRecognitionTests", dependencies: ["BarcodeRecognition", "Imaging", "TestSupport"]),
        .testTarget(name: "PieceRecognitionTests", dependencies: ["PieceRecognition", "Imaging", "TestSupport"]),
        .testTarget(name: "IntakeTests", dependencies: ["Intake", "TestSupport"]),
        .testTarget(name: "LayoutTests", dependencies: ["Layout", "TestSupport"]),
        .testTarget(
            name: "MenusTests", dependencies: ["Menus", "TestSupport"], exclude: ["Recorded"]),
        .testTarget(name: "PresentationTests", dependencies: ["Presentation", "TestSupport"]),
        .testTarget(name: "AllergensTests", dependencies: ["Allergens", "TestSupport"]),
        .testTarget(name: "FoodsTests", dependencies: ["Foods", "TestSupport"]),
        .testTarget(name: "GamesTests", dependencies: ["Games", "TestSupport"]),
        .testTarget(name: "PieceStreamTests", dependencies: ["PieceStream", "TestSupport"]),
        .testTarget(name: "PipelineTests", dependencies: ["Pipeline", "TestSupport"]),
        .testTarget(
            name: "StoreTests", dependencies: ["Store", "TestSupport", .product(name: "GRDB", package: "GRDB.swift")]),
        .testTarget(name: "CatalogueTests", dependencies: ["Catalogue", "TestSupport"]),
        .testTarget(name: "ReadersTests", dependencies: ["Readers", "TestSupport"]),
        .testTarget(
            name: "DaemonTests",
            dependencies: [
                "Daemon", "Games", "JobChannel", "TestSupport", "tablesight", "tablesight-worker",
                "tablesight-test-worker", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(
            name: "HTTPAPITests",
            dependencies: [
                "HTTPAPI", .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ]),
        .testTarget(
            name: "PromiseTests",
            dependencies: [
                "Store", "TestSupport", "tablesight", "tablesight-worker", "tablesight-test-worker",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .testTarget(
            name: "CorpusTests", dependencies: ["Vocabulary", "TestSupport", "tablesight", "tablesight-worker"]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
