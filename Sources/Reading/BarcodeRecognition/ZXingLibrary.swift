internal import CZXing
import Foundation
import Core

/// ZXing-C++, opened at run time. `scripts/build-zxing` builds it; without it fewer codes are read.
///
/// Unchecked `Sendable`: the handle is written once, before it is shared, and its functions are thread-safe.
package struct ZXingLibrary: @unchecked Sendable {
    let handle: OpaquePointer

    /// Opens the library in the first folder that has a usable one. Nil if none has.
    package init?(folders: [URL]) {
        let candidates = folders.map { $0.appending(path: Self.fileName).path }
        guard let handle = candidates.lazy.compactMap({ tzx_open($0) }).first else { return nil }
        self.handle = handle
    }

    /// Searches the folder of `TABLESIGHT_ZXING`, the checkout that contains `models`, and the folder of installed
    /// models.
    package init?(
        models: ModelFolder, environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        let above = models.url.deletingLastPathComponent()
        let named = environment["TABLESIGHT_ZXING"].map { [URL(filePath: $0)] } ?? []
        self.init(folders: named + [above.appending(path: ".build-deps/zxing/lib"), above.appending(path: "lib")])
    }

    /// The version, as outcomes report it.
    package var version: String { "zxing-cpp " + String(cString: tzx_version(handle)) }

    /// The file name with the interface version used here.
    private static let fileName = "libZXing.so.4"
}
