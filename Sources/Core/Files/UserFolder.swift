import Foundation

/// The user's own folders, as the XDG Base Directory Specification places them.
public enum UserFolder {
    /// `XDG_DATA_HOME`, else `.local/share` in `HOME`, else in the home of the user's account.
    public static func data(environment: [String: String] = ProcessInfo.processInfo.environment) -> URL {
        // A relative path is invalid there, and is ignored.
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return URL(filePath: data) }
        return home(environment: environment).appending(path: ".local/share")
    }

    /// `XDG_CACHE_HOME`, else `.cache` in `HOME`, else in the home of the user's account.
    public static func cache(environment: [String: String] = ProcessInfo.processInfo.environment) -> URL {
        if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") { return URL(filePath: cache) }
        return home(environment: environment).appending(path: ".cache")
    }

    /// `HOME`, else the home of the user's account.
    public static func home(environment: [String: String] = ProcessInfo.processInfo.environment) -> URL {
        if let home = environment["HOME"], home.hasPrefix("/") { return URL(filePath: home) }
        return FileManager.default.homeDirectoryForCurrentUser
    }
}
