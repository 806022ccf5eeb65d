import Core
import Logging
import Metrics
import Store

/// Writes the sidecar. If it is refused, for example by a folder of its name, the outcome stays in the database.
struct SidecarSink: OutcomeSink {
    let name = "sidecar"

    func follow(_ photo: JudgedPhoto) throws -> FilePathBytes? {
        do { try SidecarFile.write(photo.finished.json + [0x0A], to: photo.photo.sidecar) } catch {
            if error.concernsOnePath { Counter(label: "tablesight_sidecars_refused_total").increment() }
            throw error
        }
        return photo.photo.sidecar
    }

    /// Writes the sidecars of stored outcomes that have none or an old one.
    static func writeMissing(_ store: OutcomeStore, _ logger: Logger) throws {
        for (path, reason) in try store.writeSidecars() {
            logger.error("cannot write a sidecar", metadata: ["photo": "\(path.display)", "reason": "\(reason)"])
        }
    }
}
