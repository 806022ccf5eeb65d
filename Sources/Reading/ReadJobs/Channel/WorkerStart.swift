/// Parameters that the daemon passes to a worker in environment variables.
package struct WorkerStart: Sendable, Hashable {
    /// The process that starts the worker; nil if a person does.
    package var parent: Int32?
    /// An open file for the ``CrashJournal``.
    package var crashJournal: Int32?
    /// Address space in bytes; nil is unlimited.
    package var addressBytes: Int?

    package init(parent: Int32?, crashJournal: Int32?, addressBytes: Int?) {
        self.parent = parent
        self.crashJournal = crashJournal
        self.addressBytes = addressBytes
    }

    package init(environment: [String: String]) {
        parent = environment["TABLESIGHT_PARENT"].flatMap { Int32($0) }
        crashJournal = environment["TABLESIGHT_LAST_WORDS"].flatMap { Int32($0) }
        addressBytes = environment["TABLESIGHT_ADDRESS_BYTES"].flatMap { Int($0) }
    }

    package var environment: [String: String] {
        var variables: [String: String] = [:]
        variables["TABLESIGHT_PARENT"] = parent.map { "\($0)" }
        variables["TABLESIGHT_LAST_WORDS"] = crashJournal.map { "\($0)" }
        variables["TABLESIGHT_ADDRESS_BYTES"] = addressBytes.map { "\($0)" }
        return variables
    }
}
