import Foundation
import TestSupport
import Testing

/// Checks that Package.swift, the imports and the graph in docs/architecture.md agree.
@Suite struct ModuleGraphTests {
    /// Layers in order. A layer imports only layers above it in this list, and itself.
    private static let layers = ["Core", "Native", "Reading", "Judging", "Records", "App", "Service", "Programs"]

    private struct Module {
        var layer: String
        var uses: Set<String>
        var folder: URL
    }

    private let modules: [String: Module]
    /// Modules of the checkout, including system libraries, by layer.
    private let layerOf: [String: String]

    init() throws {
        let manifest = try String(
            contentsOf: Repository.root.appending(path: "Package.swift"), encoding: .utf8)
        let sources = Repository.root.appending(path: "Sources")
        var modules: [String: Module] = [:]
        func uses(_ text: Substring?) -> Set<String> {
            Set((text ?? "").matches(of: /"([\w-]+)"/).map { String($0.output.1) })
        }
        let declared = /module\(\s*"(\w+)",\s*in:\s*"(\w+)"(?:,\s*uses:\s*\[([^\]]*)\])?/
        for match in manifest.matches(of: declared) {
            let (name, layer) = (String(match.output.1), String(match.output.2))
            let folder = sources.appending(path: name == layer ? name : "\(layer)/\(name)")
            modules[name] = Module(layer: layer, uses: uses(match.output.3), folder: folder)
        }
        for match in manifest.matches(of: /program\(\s*"([\w-]+)",\s*uses:\s*\[([^\]]*)\]/) {
            let name = String(match.output.1)
            modules[name] = Module(
                layer: "Programs", uses: uses(match.output.2), folder: sources.appending(path: "Programs/\(name)"))
        }
        self.modules = modules
        var layerOf = modules.mapValues(\.layer)
        for match in manifest.matches(of: /system\("(\w+)"/) { layerOf[String(match.output.1)] = "Native" }
        self.layerOf = layerOf
    }

    @Test func `every module lies in the folder of its layer`() throws {
        #expect(modules.count >= 25, "the manifest was parsed")
        let sources = Repository.root.appending(path: "Sources")
        #expect(try FileManager.default.contentsOfDirectory(atPath: sources.path).sorted() == Self.layers.sorted())
        for (name, module) in modules {
            #expect(FileManager.default.fileExists(atPath: module.folder.path), "\(name)")
        }
    }

    @Test func `a layer imports only layers above it, and itself`() throws {
        for (name, module) in modules {
            for used in module.uses {
                let own = try #require(Self.layers.firstIndex(of: module.layer), "\(name): \(module.layer)")
                let other = try #require(layerOf[used].flatMap(Self.layers.firstIndex), "\(name) uses \(used)")
                #expect(other <= own, "\(name) of \(module.layer) uses \(used) of \(layerOf[used] ?? "")")
            }
        }
    }

    @Test func `imports match the dependencies in the manifest`() throws {
        let importLine = /(?m)^(?:@\w+ |public |internal |package )*import (?:struct |enum |class |protocol )?(\w+)/
        for (name, module) in modules where !name.hasPrefix("C") || name == "Core" || name == "Catalogue" {
            var imported: Set<String> = []
            let files = try FileManager.default.subpathsOfDirectory(atPath: module.folder.path)
            // A module may lie in the folder of its layer's own module.
            let others =
                name == module.layer ? modules.values.filter { $0.layer == name }.map(\.folder.lastPathComponent) : []
            for file in files
            where file.hasSuffix(".swift") && !others.contains(where: { $0 != name && file.hasPrefix($0 + "/") }) {
                let text = try String(contentsOf: module.folder.appending(path: file), encoding: .utf8)
                let names = text.matches(of: importLine).map { String($0.output.1) }.filter { layerOf[$0] != nil }
                imported.formUnion(names)
                for one in names where !module.uses.contains(one) {
                    Issue.record("\(name)/\(file) imports \(one), which Package.swift does not declare")
                }
            }
            #expect(module.uses.subtracting(imported).isEmpty, "\(name) declares more than it imports")
        }
    }

    @Test func `docs/architecture.md has the same graph`() throws {
        let page = try String(contentsOf: Repository.root.appending(path: "docs/architecture.md"), encoding: .utf8)
        let graph = try #require(page.firstMatch(of: /```graph\n([\s\S]*?)```/)).output.1
        var drawn: [String: Set<String>] = [:]
        for match in graph.matches(of: /(?m)^ *([\w-]+) ← (.*)$/) {
            drawn[String(match.output.1)] = Set(match.output.2.matches(of: /[\w-]+/).map { String($0.output) })
        }
        for (name, module) in modules where !module.uses.isEmpty {
            #expect(drawn[name] == module.uses, "\(name)")
        }
        #expect(drawn.keys.allSatisfy { modules[$0] != nil }, "\(drawn.keys)")
    }

    @Test func `only Decimal(digits:) parses with Decimal(string:), which takes a prefix of a text`() throws {
        let root = Repository.root.appending(path: "Sources")
        let users = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { name in
            try name.hasSuffix(".swift")
                && String(contentsOf: root.appending(path: name), encoding: .utf8).contains("Decimal(string: ")
        }
        #expect(users == ["Core/Text/Numbers/WrittenNumber.swift"])
    }

    @Test func `no source file has more than 400 lines`() throws {
        for folder in ["Sources", "Tests", "scripts", "Benchmarks"] {
            let root = Repository.root.appending(path: folder)
            for name in try FileManager.default.subpathsOfDirectory(atPath: root.path)
            where !name.contains(".build/")
                && [".swift", ".c", ".h", ".cpp", ".hpp", ".py"].contains(where: name.hasSuffix)
            {
                let text = try String(contentsOf: root.appending(path: name), encoding: .utf8)
                let lines = text.count { $0.isNewline }
                #expect(lines <= 400, "\(folder)/\(name)")
            }
        }
    }
}
