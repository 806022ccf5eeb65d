// swift-tools-version:6.1
import PackageDescription

// The stages, in the data's order. A stage imports Vocabulary and its own C module, never another stage.
let package = Package(
    name: "tablesight",
    products: [
        .executable(name: "tablesight", targets: ["tablesight"]),
        .executable(name: "tablesight-worker", targets: ["tablesight-worker"]),
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
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: ["FullFoundation"]),
    ],
    targets: [
        // C modules
        .systemLibrary(name: "CTesseract", pkgConfig: "tesseract", providers: [.apt(["libtesseract-dev"])]),
        .systemLibrary(name: "CLeptonica", pkgConfig: "lept", providers: [.apt(["libleptonica-dev"])]),
        .systemLibrary(name: "CZBar", pkgConfig: "zbar", providers: [.apt(["libzbar-dev"])]),
        .systemLibrary(name: "CHeif", pkgConfig: "libheif", providers: [.apt(["libheif-dev"])]),
        .target(
            name: "COpenCV",
            cxxSettings: [.unsafeFlags(["-isystem", "/usr/include/opencv4"])],
            // Only what is used: pkg-config's opencv4 would load 55 libraries at every start of the worker.
            linkerSettings: [
                .linkedLibrary("opencv_core"), .linkedLibrary("opencv_imgproc"), .linkedLibrary("stdc++"),
            ]),

        // Kernel calls that Swift cannot make: descriptors over a socket, pidfd, the worker's confinement.
        .target(name: "CLinuxSupport"),
        // Between daemon and worker: the socket, what the worker is held to, what it leaves behind.
        .target(name: "JobChannel", dependencies: ["Vocabulary", "CLinuxSupport"]),

        // Words every stage shares
        .target(name: "Vocabulary"),

        // Stages of the worker: bytes → raster → readings
        .target(name: "Imaging", dependencies: ["Vocabulary", "CLeptonica", "CHeif", "COpenCV"]),
        .target(
            name: "TextRecognition", dependencies: ["Vocabulary", "CTesseract", "CLeptonica", "COpenCV"],
            path: "Sources/Recognition/Text"),
        .target(
            name: "BarcodeRecognition", dependencies: ["Vocabulary", "CZBar", "COpenCV"],
            path: "Sources/Recognition/Barcodes"),
        .target(
            name: "PieceRecognition", dependencies: ["Vocabulary", "COpenCV"],
            path: "Sources/Recognition/Pieces"),
        .target(
            name: "Readers",
            dependencies: ["Vocabulary", "Imaging", "TextRecognition", "BarcodeRecognition", "PieceRecognition"]),

        // Stages of the daemon: folder → claim, readings → outcome → store
        .target(name: "Intake", dependencies: ["Vocabulary", "CLinuxSupport"]),
        .target(name: "Allergens", dependencies: ["Vocabulary"]),
        .target(name: "Foods", dependencies: ["Vocabulary"]),
        .target(name: "Games", dependencies: ["Vocabulary"]),
        .target(name: "Pipeline", dependencies: ["Vocabulary", "Allergens", "Foods", "Games"]),
        .target(name: "Store", dependencies: ["Vocabulary", .product(name: "GRDB", package: "GRDB.swift")]),
        .target(
            name: "HTTPAPI",
            dependencies: [
                "Vocabulary",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Crypto", package: "swift-crypto"),
            ]),
        .target(
            name: "Daemon",
            dependencies: [
                "Vocabulary", "Intake", "Pipeline", "Store", "HTTPAPI", "JobChannel", "CLinuxSupport",
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
                "Daemon", "Store", "HTTPAPI", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            // Swift 6.3.1 crashes ("While splitting coroutine") when it optimises the async commands. Nothing here is hot:
            // the work is done in the modules below.
            swiftSettings: [.unsafeFlags(["-Onone"], .when(configuration: .release))]),
        .executableTarget(name: "tablesight-worker", dependencies: ["Readers", "JobChannel"]),

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
        .testTarget(name: "AllergensTests", dependencies: ["Allergens", "TestSupport"]),
        .testTarget(name: "FoodsTests", dependencies: ["Foods", "TestSupport"]),
        .testTarget(name: "GamesTests", dependencies: ["Games", "TestSupport"]),
        .testTarget(name: "PipelineTests", dependencies: ["Pipeline", "TestSupport"]),
        .testTarget(
            name: "StoreTests", dependencies: ["Store", "TestSupport", .product(name: "GRDB", package: "GRDB.swift")]),
        .testTarget(name: "ReadersTests", dependencies: ["Readers", "TestSupport"]),
        .testTarget(
            name: "DaemonTests",
            dependencies: [
                "Daemon", "JobChannel", "TestSupport", "tablesight", "tablesight-worker", "tablesight-test-worker",
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
