internal import CZXing
import Foundation
import Core

/// ZXing-C++, opened at run time: `scripts/build-zxing` makes it, and without it fewer codes are read.
///
/// Unchecked: the handle is written once, before anyone else sees it, and its functions may be called on any thread.
public struct ZXingLibrary: @unchecked Sendable {
    let handle: OpaquePointer

    /// The library in the first of these folders that has a usable one. Nil where none has.
    public init?(folders: [URL]) {
        let candidates = folders.map { $0.appending(path: Self.fileName).path }
        guard let handle = candidates.lazy.compactMap({ tzx_open($0) }).first else { return nil }
        self.handle = handle
    }

    /// Looks where `TABLESIGHT_ZXING` says, in the checkout that `models` lies in, and where the models were installed.
    public init?(
        models: ModelFolder, environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        let above = models.url.deletingLastPathComponent()
        let named = environment["TABLESIGHT_ZXING"].map { [URL(filePath: $0)] } ?? []
        self.init(folders: named + [above.appending(path: ".build-deps/zxing/lib"), above.appending(path: "lib")])
    }

    /// The version, as outcomes carry it.
    public var version: String { "zxing-cpp " + String(cString: tzx_version(handle)) }

    /// The library's own name for the interface that is used here.
    private static let fileName = "libZXing.so.4"
}
