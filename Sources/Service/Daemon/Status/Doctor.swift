import Engine
import Foundation
import Household
import Glibc
import Kinds
import Core
import Diary
import Queue
import ReadJobs
import Store

/// Checks for everything that the program needs, and names the fix for missing parts.
package enum Doctor {
    package struct Finding: Sendable, Hashable {
        package enum State: String, Sendable { case present, missing }

        package var part: String
        package var state: State
        /// Version or location; for a missing part, what does not work without it.
        package var detail: String
        /// The command that installs a missing part.
        package var remedy: String?
        /// False if the program works without it, with less function.
        package var isNeeded: Bool
    }

    /// Checks models, worker, the worker's native libraries, and a database.
    ///
    /// - Parameters:
    ///   - database: its integrity and the totals of its diaries are checked; a missing file is skipped.
    ///   - queue: the server is asked for its jobs; nil looks only for the client library.
    ///   - mqtt: the broker is asked whether it accepts the daemon; nil looks only for the client library.
    ///   - games: the folder with games of one's own.
    package static func examine(
        database: URL? = nil, queue: (server: QueueServer, names: QueueNames)? = nil, mqtt: MQTTSettings? = nil,
        games: URL? = nil
    ) -> [Finding] {
        examineParts() + gameFindings(games) + queueFindings(queue) + mqttFindings(mqtt)
            + (database.map { databaseFindings($0) + certificateFindings(beside: $0) } ?? [])
    }

    /// The games of one's own, and what is wrong with the others.
    static func gameFindings(_ folder: URL?) -> [Finding] {
        guard let folder, let models = try? TablesightEngine().models else { return [] }
        let own = OwnGames(in: folder, models: models)
        let names = own.games.map(\.id).joined(separator: ", ")
        let present = Finding(part: "own games", state: .present, detail: names, remedy: nil, isNeeded: false)
        return (own.games.isEmpty ? [] : [present])
            + own.sentences.map {
                Finding(
                    part: "own game", state: .missing, detail: $0, remedy: "tablesight pieces games", isNeeded: false)
            }
    }

    private static func queueFindings(_ queue: (server: QueueServer, names: QueueNames)?) -> [Finding] {
        let version = QueueConnection.libraryVersion
        let library = Finding(
            part: "queue client", state: version == nil ? .missing : .present,
            detail: version.map { "libnats \($0)" }
                ?? "without libnats 3.4 no photo can be read on other machines",
            remedy: version == nil ? "sudo apt-get install libnats3.4" : nil, isNeeded: queue != nil)
        guard let queue, version != nil else { return [library] }
        do {
            let report = try QueueReport(queue.server, queue.names)
            return [library]
                + [("queue", report.connection), ("queue jobs", report.jobs)].map {
                    Finding(part: $0, state: .present, detail: $1, remedy: nil, isNeeded: true)
                }
        } catch {
            let message = (error as? StartupError)?.message ?? "\(queue.server.address): \(error)"
            return [
                library,
                Finding(
                    part: "queue", state: .missing, detail: message,
                    remedy: "start nats-server with JetStream, see docs/operations.md", isNeeded: true),
            ]
        }
    }

    static func mqttFindings(_ mqtt: MQTTSettings?) -> [Finding] {
        let version = MQTTConnection.libraryVersion
        let library = Finding(
            part: "broker client", state: version == nil ? .missing : .present,
            detail: version.map { "libmosquitto \($0)" }
                ?? "without libmosquitto 2.0 no outcome is published to an MQTT broker",
            remedy: version == nil ? "sudo apt-get install libmosquitto1" : nil, isNeeded: mqtt != nil)
        guard let mqtt, version != nil else { return [library] }
        let failure: MQTTError?
        do throws(MQTTError) {
            _ = try MQTTConnection(mqtt, isObserver: true)
            failure = nil
        } catch { failure = error }
        return [
            library,
            Finding(
                part: "broker", state: failure == nil ? .present : .missing,
                detail: failure?.description ?? "\(mqtt.address) accepts the daemon",
                remedy: failure == nil ? nil : "start the broker or change mqtt.…, see docs/guide/home-assistant.md",
                isNeeded: true),
        ]
    }

    private static func databaseFindings(_ file: URL) -> [Finding] {
        guard FileManager.default.fileExists(atPath: file.path) else { return [] }
        func finding(_ part: String, _ faults: () throws -> [String], _ remedy: String) -> Finding {
            let detail: String
            do {
                let faults = try faults()
                guard !faults.isEmpty else {
                    return Finding(part: part, state: .present, detail: file.path, remedy: nil, isNeeded: false)
                }
                detail = faults.prefix(3).joined(separator: "; ")
            } catch { detail = (error as? StartupError)?.message ?? "\(error)" }
            return Finding(part: part, state: .missing, detail: detail, remedy: remedy, isNeeded: true)
        }
        return peopleFindings(file) + [
            finding(
                "database", { try OutcomeStore(at: file, checkpoints: false).faults() },
                "restore a copy of `tablesight backup`"),
            finding(
                "diary totals", { try Diary(OutcomeStore(at: file, checkpoints: false)).faults() },
                "tablesight diary export, then `diary remove --all` and `diary import`"),
        ]
    }

    /// Who is in the household, and who of them came from the setting `profiles` or the user's own people.
    static func peopleFindings(_ file: URL) -> [Finding] {
        let household = (try? OutcomeStore(at: file, checkpoints: false)).map { Household($0) }
        guard let household, let members = try? household.members(), let taken = try? household.takenOver() else {
            return []
        }
        let came = members.map(\.name).filter { taken.contains(DisplayName.key(of: $0)) }
        let names = members.isEmpty ? "nobody yet" : members.map(\.name).joined(separator: ", ")
        let detail = names + (came.isEmpty ? "" : "; taken over: " + came.joined(separator: ", "))
        return [Finding(part: "household", state: .present, detail: detail, remedy: nil, isNeeded: false)]
    }

    /// The certificate for HTTPS in the house, if there is one.
    static func certificateFindings(beside database: URL) -> [Finding] {
        guard let output = FilePathBytes(database.deletingLastPathComponent().path),
            let validity = HouseCertificate(in: HouseCertificate.usualFolder(in: output)).validity()
        else { return [] }
        return [
            Finding(
                part: "certificate", state: validity.endsSoon ? .missing : .present,
                detail: validity.endsSoon
                    ? "ends on \(validity.ends): phones will refuse the app" : "until \(validity.ends)",
                remedy: validity.endsSoon ? "tablesight household certificate, then reload nginx" : nil,
                isNeeded: false)
        ]
    }

    private static func examineParts() -> [Finding] {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        var findings: [Finding] = []
        let models: ModelFolder
        do {
            let engine = try TablesightEngine()
            models = engine.models
            _ = try engine.interpreter()
            findings.append(
                Finding(part: "models", state: .present, detail: models.url.path, remedy: nil, isNeeded: true))
        } catch {
            let message = (error as? StartupError)?.message ?? "\(error)"
            return [
                Finding(
                    part: "models and worker", state: .missing, detail: message, remedy: "scripts/setup && swift build",
                    isNeeded: true)
            ]
        }
        do {
            let worker = try WorkerProgram(beside: program, models: models)
            findings += workerFindings(worker)
        } catch {
            findings.append(
                Finding(
                    part: "tablesight-worker", state: .missing, detail: error.message,
                    remedy: "swift build --product tablesight-worker", isNeeded: true))
        }
        findings.append(videoFinding(beside: program))
        return findings
    }

    /// Runs `tablesight-frames --present`, the only program that links OpenCV's videoio.
    private static func videoFinding(beside program: URL) -> Finding {
        let frames = HelperProgram.named("tablesight-frames", beside: program)
        let process = Process()
        process.executableURL = frames
        process.arguments = ["--present"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch {
            return Finding(
                part: "videos and cameras", state: .missing,
                detail: "without \(frames.path) `pieces` reads only photos and pictures on standard input",
                remedy: "swift build --product tablesight-frames", isNeeded: false)
        }
        process.waitUntilExit()
        let isPresent = process.terminationStatus == 0
        return Finding(
            part: "videos and cameras", state: isPresent ? .present : .missing,
            detail: isPresent
                ? "OpenCV's videoio 4.6" : "without OpenCV's videoio `pieces` cannot open videos and cameras",
            remedy: isPresent ? nil : "sudo apt-get install libopencv-videoio406", isNeeded: false)
    }

    /// Runs `tablesight-worker --parts`, the only program that links the native libraries.
    private static func workerFindings(_ worker: WorkerProgram) -> [Finding] {
        let process = Process()
        let output = Pipe()
        process.executableURL = worker.executable
        process.arguments = ["--parts"]
        process.environment = worker.environment
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch {
            return [unusable(worker, "cannot be started: \(error)")]
        }
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0, let parts = try? JSONCoding.decode([WorkerPart].self, from: data) else {
            return [unusable(worker, "ends with exit code \(process.terminationStatus)")]
        }
        return parts.map { part in
            Finding(
                part: part.name, state: part.version == nil ? .missing : .present,
                detail: part.version ?? part.cost, remedy: part.version == nil ? part.remedy : nil,
                isNeeded: part.isNeeded)
        }
    }

    private static func unusable(_ worker: WorkerProgram, _ what: String) -> Finding {
        Finding(
            part: "tablesight-worker", state: .missing, detail: "\(worker.executable.path) \(what)",
            remedy: "scripts/setup, then swift build", isNeeded: true)
    }
}
