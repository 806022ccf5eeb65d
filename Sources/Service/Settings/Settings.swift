import Configuration
import Foundation
import HTTP
import SystemPackage
import Core
import Yams

/// The configuration. Flags override the environment, which overrides the file, which overrides defaults.
package struct Settings: Sendable {
    package struct Entry: Sendable {
        package var setting: Setting
        package var value: ConfigContent?
        /// `flags`, `environment`, the file's path, or `built in`.
        package var origin: String
    }

    package let entries: [Entry]

    /// - Parameters:
    ///   - flags: values of the command line, by key.
    ///   - file: a YAML file; nil for none.
    /// - Throws: ``StartupError`` (78) that names the value, its origin and the allowed values.
    package init(
        flags: [String: ConfigContent] = [:], environment: [String: String] = ProcessInfo.processInfo.environment,
        file: String? = nil
    ) async throws(StartupError) {
        var providers: [(name: String, provider: any ConfigProvider)] = [
            (
                "flags",
                InMemoryProvider(
                    name: "flags",
                    values: Dictionary(
                        uniqueKeysWithValues: flags.map { key, content in
                            (
                                AbsoluteConfigKey(key.split(separator: ".").map(String.init)),
                                ConfigValue(content, isSecret: false)
                            )
                        }))
            ),
            (
                "environment",
                EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "tablesight")
            ),
        ]
        if let file { providers.append((file, try await Self.provider(file))) }
        var entries: [Entry] = []
        for setting in Setting.all { entries.append(try Self.entry(setting, providers)) }
        self.entries = entries
    }

    /// Variables that are not settings but are used by this program, its worker or its scripts.
    private static let otherVariables: Set = [
        "TABLESIGHT_MODELS", "TABLESIGHT_WORKER", "TABLESIGHT_CATALOGUE", "TABLESIGHT_PEOPLE", "TABLESIGHT_ZXING",
        "TABLESIGHT_WITHOUT_MODELS", "TABLESIGHT_PARENT", "TABLESIGHT_LAST_WORDS", "TABLESIGHT_ADDRESS_BYTES",
    ]

    /// One warning for each variable whose name looks like ours and is not: a misspelt setting, or one that only another
    /// version knows, which a parent process may set for all its programs. It is ignored.
    package static func warnings(
        about environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> [String] {
        let known = Setting.all.map(\.variable) + otherVariables
        return environment.keys.sorted().filter { $0.hasPrefix("TABLESIGHT_") && !known.contains($0) }.map { name in
            let meant = Suggestion.text(for: name, among: known)
            return "the environment variable \(name) is not a setting and is ignored\(meant)"
        }
    }

    private static func provider(_ file: String) async throws(StartupError) -> any ConfigProvider {
        let text: String
        do { text = try String(contentsOfFile: file, encoding: .utf8) } catch {
            throw StartupError(
                .configuration,
                "cannot read the configuration \(file): check the path and its permissions, or use another --config")
        }
        do {
            let known = Set(Setting.all.map(\.key))
            for key in keys(of: try Yams.load(yaml: text), below: "") where !known.contains(key) {
                let meant = Suggestion.text(for: key, among: Array(known))
                throw StartupError(
                    .configuration,
                    "\(file): unknown setting \(key)\(meant.isEmpty ? ";" : meant)"
                        + " `tablesight config show` lists all settings")
            }
            if text.allSatisfy(\.isWhitespace) { return InMemoryProvider(name: file, values: [:]) }
            return try await FileProvider<YAMLSnapshot>(filePath: FilePath(file))
        } catch let error as StartupError {
            throw error
        } catch {
            throw StartupError(.configuration, "\(file) is not valid YAML:  \(error)")
        }
    }

    /// Dotted names of all leaves.
    private static func keys(of node: Any?, below prefix: String) -> [String] {
        guard let fields = node as? [String: Any] else { return prefix.isEmpty ? [] : [prefix] }
        return fields.sorted { $0.key < $1.key }.flatMap { key, value in
            keys(of: value, below: prefix.isEmpty ? key : "\(prefix).\(key)")
        }
    }

    private static func entry(
        _ setting: Setting, _ providers: [(name: String, provider: any ConfigProvider)]
    ) throws(StartupError) -> Entry {
        for (name, provider) in providers {
            let found: ConfigValue?
            do { found = try provider.value(forKey: setting.absoluteKey, type: setting.kind.type).value } catch {
                throw StartupError(
                    .configuration, "\(name): \(setting.key) is not \(setting.kind.description): \(setting.meaning)")
            }
            guard let value = found?.content else { continue }
            guard setting.kind.allows(value) else {
                throw StartupError(
                    .configuration,
                    "\(name): \(setting.key) is \(value.display), but must be \(setting.kind.description)")
            }
            return Entry(setting: setting, value: value, origin: name)
        }
        return Entry(setting: setting, value: setting.preset, origin: "built in")
    }

    private func value(_ key: String) -> ConfigContent? { entries.first { $0.setting.key == key }?.value }

    package func origin(of key: String) -> String? { entries.first { $0.setting.key == key }?.origin }

    package func integer(_ key: String) -> Int { if case .int(let number) = value(key) { number } else { 0 } }
    package func flag(_ key: String) -> Bool { if case .bool(let flag) = value(key) { flag } else { false } }
    package func text(_ key: String) -> String? { if case .string(let text) = value(key) { text } else { nil } }
    package func list(_ key: String) -> [String] { if case .stringArray(let list) = value(key) { list } else { [] } }
}

extension Setting.Kind {
    fileprivate func allows(_ value: ConfigContent) -> Bool {
        switch (self, value) {
        case (.integer(let range), .int(let number)): range.contains(number)
        case (.choice(let words), .string(let word)): words.contains(word)
        case (.text, .string(let text)): !text.isEmpty
        case (.address, .string(let text)): PublicAddress(text) != nil
        default: true
        }
    }

    fileprivate var description: String {
        switch self {
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .flag: "true or false"
        case .text: "text"
        case .list: "a list of strings"
        case .address: "http:// or https:// with a host and perhaps a port, such as https://kitchen.local"
        case .choice(let words): "one of \(words.joined(separator: ", "))"
        }
    }
}

extension ConfigContent {
    /// The value, for people.
    var display: String {
        switch self {
        case .string(let text): text.withoutSecrets
        case .int(let number): "\(number)"
        case .bool(let flag): "\(flag)"
        case .stringArray(let list): "[\(list.map(\.withoutSecrets).joined(separator: ", "))]"
        default: "\(self)"
        }
    }
}

extension String {
    /// An address without what may be secret in it: user name and password, path, query and fragment. Many receivers of
    /// webhooks have their token in the path. Other texts stay as they are.
    package var withoutSecrets: String {
        guard let mark = range(of: "://") else { return self }
        let rest = self[mark.upperBound...]
        let authority = rest.prefix { !"/?#".contains($0) }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let below = rest.dropFirst(authority.count)
        return self[..<mark.upperBound] + (host.count < authority.count ? "(secret)@" : "") + host
            + (["", "/"].contains(below) ? String(below) : "/(secret)")
    }
}

extension Settings {
    /// One line per setting: value, origin and description. Secrets are not shown.
    package var lines: [String] {
        entries.map { entry in
            let shown = entry.setting.isSecret && entry.value != nil ? "(secret)" : entry.value?.display ?? "(not set)"
            return "\(entry.setting.key): \(shown)  # \(entry.origin); \(entry.setting.meaning)"
        }
    }
}
