import Core
import Foods
import Synchronization

/// The evidence release, loaded for the first label: most photos show none, and loading takes longer than judging a
/// menu. The version is read at once.
final class LazyRisk: Sendable {
    let version: String
    private let models: ModelFolder
    private let loaded: Mutex<RiskInterpreter?>

    /// One release per folder and content, so that several interpreters of a process share it.
    private static let shared = Mutex<[String: RiskInterpreter]>([:])

    /// - Parameter risk: loaded before; nil loads it from `models` when it is needed.
    /// - Throws: `StartupError` if the manifest of the release is missing or invalid.
    init(models: ModelFolder, _ risk: RiskInterpreter?) throws {
        self.models = models
        loaded = Mutex(risk)
        version = try risk?.version ?? EvidenceRelease.version(in: models)
    }

    /// Nil if a file of the release is damaged; `tablesight evidence check` reports it, and `watch` does not start.
    var interpreter: RiskInterpreter? {
        loaded.withLock { loaded in
            if loaded == nil { loaded = Self.interpreter(of: models, version) }
            return loaded
        }
    }

    private static func interpreter(of models: ModelFolder, _ version: String) -> RiskInterpreter? {
        shared.withLock { shared in
            let key = "\(models.url.path) \(version)"
            if let known = shared[key] { return known }
            let made = try? RiskInterpreter(models: models)
            shared[key] = made
            return made
        }
    }
}
