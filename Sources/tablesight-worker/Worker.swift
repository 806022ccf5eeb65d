import Foundation
import Glibc
import Readers
import Vocabulary

/// The program that alone links the native libraries: takes one job after another from its standard input, a socket of
/// the daemon's, and answers each. It ends when the socket closes. Not for people.
@main
enum Worker {
    static func main() {
        closeInherited()
        do {
            let models = try ModelFolder.locate(program: URL(filePath: "/proc/self/exe").resolvingSymlinksInPath())
            if CommandLine.arguments.dropFirst().first == "--parts" {
                return try FileHandle.standardOutput.write(
                    contentsOf: JSONCoding.encode(WorkerParts.all(models: models)))
            }
            let reader = try PhotoReader(models: models)
            limitResources()
            silenceLibraries()
            try work(reader)
        } catch let error as StartupError {
            complain(error.message)
            exit(error.exitCode.rawValue)
        } catch {
            complain("\(error)")
            exit(StartupError.ExitCode.software.rawValue)
        }
    }

    /// One job after another, until the daemon is gone.
    private static func work(_ reader: PhotoReader) throws {
        let socket = JobSocket(STDIN_FILENO)
        while let job = try socket.nextJob() {
            try socket.answer(reader.perform(job))
        }
    }

    /// What else was open in the process that started this one is no business of a worker's.
    private static func closeInherited() {
        for descriptor in Int32(3)..<1024 { close(descriptor) }
    }

    /// No core files of other people's photos, and no photo may take the machine's memory with it.
    private static func limitResources() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(4), &none)  // RLIMIT_CORE, an enumerator that Swift does not import by name
        var memory = rlimit(rlim_cur: 3 << 30, rlim_max: 3 << 30)
        setrlimit(__rlimit_resource_t(9), &memory)  // RLIMIT_AS
    }

    /// What libpng and others write for each damaged photo is told in its outcome already.
    private static func silenceLibraries() {
        let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard nowhere >= 0 else { return }
        dup2(nowhere, STDOUT_FILENO)
        dup2(nowhere, STDERR_FILENO)
    }

    private static func complain(_ message: String) {
        FileHandle.standardError.write(Data("tablesight-worker: \(message)\n".utf8))
    }
}
