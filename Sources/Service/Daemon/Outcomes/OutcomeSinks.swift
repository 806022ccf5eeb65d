import Core
import Logging
import Metrics
import Store

/// Runs a list of sinks for one photo after the other, by the rule of ``OutcomeSink``.
struct OutcomeSinks: Sendable {
    let list: [any OutcomeSink]
    let journal: Journal
    let health: DaemonHealth
    let logger: Logger
    var metrics: any MetricsFactory = MetricsSystem.factory

    /// Runs the part before the transaction.
    nonisolated(nonsending) func prepare(_ photo: inout JudgedPhoto) async throws {
        for sink in list { _ = try await run(sink, &photo, isStored: false) }
    }

    /// Runs the part after the transaction, until the photo is erased.
    nonisolated(nonsending) func follow(_ photo: JudgedPhoto) async throws {
        var photo = photo
        for sink in list {
            guard let file = try await run(sink, &photo, isStored: true) else { continue }
            guard try await journal.keeps(file, of: photo) else { return }
            photo.files.append(file)
        }
    }

    private nonisolated(nonsending) func run(
        _ sink: any OutcomeSink, _ photo: inout JudgedPhoto, isStored: Bool
    ) async throws -> FilePathBytes? {
        while true {
            do {
                if isStored { return try await sink.follow(photo) }
                try await sink.prepare(&photo)
                return nil
            } catch let error as StartupError where error.concernsEveryPhoto {
                try await health.waitOut(error, logger)
            } catch {
                let reason = (error as? ItemFailure)?.detail ?? "\(error)"
                logger.error(
                    "the \(sink.name) of a photo failed", metadata: photo.photo.metadata(["reason": "\(reason)"]))
                Counter(
                    label: "tablesight_outcome_sinks_failed_total", dimensions: [("sink", sink.name)], factory: metrics
                ).increment()
                return nil
            }
        }
    }
}

extension StartupError {
    /// True if the disk or the database fails, and not only one file or record.
    fileprivate var concernsEveryPhoto: Bool { exitCode == .inputOutput && !concernsOnePath }
}

extension QueuedPhoto {
    func metadata(_ more: Logger.Metadata) -> Logger.Metadata {
        more.merging(["job": "\(id)", "photo": "\(path.display)"]) { $1 }
    }
}
