/// Why one file did not succeed. The failure becomes part of its outcome, and the run continues.
public struct ItemFailure: Error, Sendable, Hashable, Codable {
    /// The stage that failed.
    public enum Stage: String, Sendable, Hashable, Codable {
        case intake, imaging, recognition, interpretation, storage
    }

    /// The kind of failure. Codes are stored and compared, so they must not be renamed.
    public enum Code: String, Sendable, Hashable, Codable, CaseIterable {
        case emptyFile, notAnImage, unsupportedFormat, truncated, damaged, tooLarge, notAFile, permissionDenied
        case fileVanished, fileChanged, inputOutput, decodeFailed, workerCrashed, workerTimeout, workerMemory,
            workerUnavailable,
            nothingRead, unreadScript, tooMuchText
    }

    public var stage: Stage
    public var code: Code
    /// The observed problem with the deciding value, for a person.
    public var detail: String
    /// What the person can do about it.
    public var hint: String
    /// True if the same bytes may succeed later.
    public var isTransient: Bool

    public init(stage: Stage, code: Code, detail: String, hint: String, isTransient: Bool = false) {
        self.stage = stage
        self.code = code
        self.detail = detail
        self.hint = hint
        self.isTransient = isTransient
    }
}

/// Why the program cannot run. It ends with the exit code and the message.
public struct StartupError: Error, Sendable, CustomStringConvertible {
    /// Exit codes of sysexits.h.
    public enum ExitCode: Int32, Sendable {
        case usage = 64, badInput = 65, noInput = 66, unavailable = 69, software = 70, inputOutput = 74
        case configuration = 78
    }

    public var exitCode: ExitCode
    /// What is wrong, where, and what to do.
    public var message: String
    /// True if the disk is full. The error resolves itself once the disk has free space.
    public var isDiskFull: Bool
    /// True if another program holds the file. The error resolves itself once that program releases it.
    public var isBusy: Bool
    /// True if one path or record cannot be written although the disk works, for example a file in place of a folder.
    /// The error affects one result, not the run.
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
