// swift-tools-version:6.1
import PackageDescription

// A package of its own, so that the program depends on no benchmark library. Run it by `scripts/bench stages`.
let package = Package(
    name: "Benchmarks",
    dependencies: [
        .package(name: "tablesight", path: ".."),
        // Its interposers count allocations; nothing here asks for that.
        .package(url: "https://github.com/ordo-one/benchmark", exact: "1.38.1", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "Stages",
            dependencies: [
                .product(name: "TablesightStages", package: "tablesight"),
                .product(name: "Benchmark", package: "benchmark"),
            ],
            path: "Benchmarks/Stages",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
    ],
    swiftLanguageModes: [.v6]
)
