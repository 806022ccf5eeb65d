/// Why one file has no plain success: it becomes part of its outcome, and the run goes on.
public struct ItemFailure: Error, Sendable, Hashable, Codable {
    /// The stage that failed.
    public enum Stage: String, Sendable, Hashable, Codable {
        case intake, imaging, recognition, interpretation, storage
    }

    /// What kind of failure it is; stored and compared, so never renamed.
    public enum Code: String, Sendable, Hashable, Codable, CaseIterable {
        case emptyFile, notAnImage, unsupportedFormat, truncated, damaged, tooLarge, notAFile, permissionDenied
        case fileVanished, fileChanged, inputOutput, decodeFailed, workerCrashed, workerTimeout, workerMemory,
            workerUnavailable,
            nothingRead
    }

    public var stage: Stage
    public var code: Code
    /// What was seen, for a person, with the figure that decided.
    public var detail: String
    /// What the person can do.
    public var hint: String
    /// True where the same bytes may succeed later.
    public var isTransient: Bool

    public init(stage: Stage, code: Code, detail: String, hint: String, isTransient: Bool = false) {
        self.stage = stage
        self.code = code
        self.detail = detail
        self.hint = hint
        self.isTransient = isTransient
    }
}

/// Why the program cannot do its work at all: it ends with this exit code and a way out.
public struct StartupError: Error, Sendable, CustomStringConvertible {
    /// Exit codes as in sysexits.h.
    public enum ExitCode: Int32, Sendable {
        case usage = 64, badInput = 65, noInput = 66, unavailable = 69, software = 70, inputOutput = 74
        case configuration = 78
    }

    public var exitCode: ExitCode
    /// What is wrong, where, and what to do.
    public var message: String
    /// True where it passes by itself as soon as there is room on the disk again.
    public var isDiskFull: Bool
    /// True where it passes by itself as soon as another program lets go of the file.
    public var isBusy: Bool
    /// True where one path cannot be written (a file stands where a folder must be, or the other way round), while the disk
    /// itself works: it concerns one result, not the run.
    public var concernsOnePath: Bool

    public init(
        _ exitCode: ExitCode, _ message: String, isDiskFull: Bool = false, isBusy: Bool = false,
        concernsOnePath: Bool = false
    ) {
        self.exitCode = exitCode
        self.message = message
        self.isDiskFull = isDiskFull
        self.isBusy = isBusy
        self.concernsOnePath = concernsOnePath
    }

    public var description: String { message }
}
