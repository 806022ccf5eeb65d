import Foundation

/// Places in the checkout that tests need.
public enum Repository {
    /// The checkout's root, found from this file.
    public static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    public static let models = root.appending(path: "models")
    public static let samples = root.appending(path: "samples")
}
