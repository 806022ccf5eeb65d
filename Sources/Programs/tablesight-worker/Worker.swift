import Foundation
import Glibc
import ReadJobs
import PhotoReading
import Core

/// The worker program, the only one that links the native libraries.
///
/// Answers jobs from its standard input, a socket of the daemon, one at a time. It exits when the socket closes.
@main
enum Worker {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let start = WorkerStart(environment: ProcessInfo.processInfo.environment)
        closeInherited(but: start.crashJournal)
        do {
            let models = try ModelFolder.locate(program: URL(filePath: "/proc/self/exe").resolvingSymlinksInPath())
            if arguments.first == "--parts" {
                return try FileHandle.standardOutput.write(
                    contentsOf: JSONCoding.encode(WorkerParts.all(models: models)))
            }
            if arguments.first == "--piece-evidence", arguments.count > 1 {
                return try PieceEvidence.write(
                    Array(arguments.dropFirst(2)), set: arguments[1], models: models, to: .standardOutput)
            }
            ProcessMemory.keepFreed()
            if let parent = start.parent { CrashJournal.prepare(descriptor: start.crashJournal ?? -1, parent: parent) }
            let reader = try PhotoReader(models: models)
            silenceLibraries()
            let readers = WorkerParts.key(models: models)
            var greeting = Confinement.install(
                .init(addressBytes: start.addressBytes), reading: models.places.map(\.path))
            greeting.readers = readers
            try work(reader, greeting)
        } catch let error as StartupError {
            complain(error.message)
            exit(error.exitCode.rawValue)
        } catch {
            complain("\(error)")
            exit(StartupError.ExitCode.software.rawValue)
        }
    }

    /// Answers jobs until the daemon closes the socket.
    private static func work(_ reader: PhotoReader, _ greeting: WorkerGreeting) throws {
        let socket = JobSocket(STDIN_FILENO)
        try socket.send(greeting)
        while true {
            // Keep freed memory for a photo that follows soon; an idle worker returns it.
            let isBusy = socket.isReadable(until: .now + .seconds(1))
            ProcessMemory.returnFreed(ifAbove: isBusy ? 64 << 20 : 0)
            guard let (job, files) = try socket.receive(ReadJob.self) else { return }
            defer { files.forEach { close($0) } }
            CrashJournal.begin(job: job.number)
            if let seconds = job.processorSeconds { Confinement.allowProcessorTime(seconds: seconds) }
            let answer = reader.perform(job, photo: files.first ?? -1, picture: files.dropFirst().first) { note in
                // A daemon that is gone is noticed with the answer.
                try? socket.send(note)
            }
            CrashJournal.end(job: job.number)
            do throws(JobSocket.Failure) { try socket.send(answer) } catch {
                if error == .closed { throw error }
                try socket.send(ReadAnswer(failure: .answerTooLong))
            }
        }
    }

    /// Closes descriptors inherited from the process that started this one.
    private static func closeInherited(but kept: Int32?) {
        for descriptor in Int32(3)..<1024 where descriptor != kept { close(descriptor) }
    }

    /// Drops libpng's messages about damaged photos; the outcome reports the damage.
    private static func silenceLibraries() {
        let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard nowhere >= 0 else { return }
        dup2(nowhere, STDOUT_FILENO)
        dup2(nowhere, STDERR_FILENO)
        close(nowhere)
    }

    private static func complain(_ message: String) {
        FileHandle.standardError.write(Data("tablesight-worker: \(message)\n".utf8))
    }
}

extension ItemFailure {
    fileprivate static let answerTooLong = ItemFailure(
        stage: .recognition, code: .tooLarge,
        detail: "the recognised text is longer than the limit of \(JobFraming.maximumBytes >> 20) MiB",
        hint: "photograph a part of it")
}
