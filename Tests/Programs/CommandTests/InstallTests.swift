import Foundation
import TestSupport
import Testing

/// `scripts/install`, as used in the systemd recipe.
@Suite struct InstallTests {
    /// Waits on its own thread, because tests share few task threads.
    private func ended(_ process: Process) async throws {
        await withCheckedContinuation { continuation in
            Thread {
                process.waitUntilExit()
                continuation.resume()
            }.start()
        }
    }

    @Test func `an installed program finds its worker, models, ZXing and tablesight-frames`() async throws {
        let folder = try TemporaryFolder()
        let built = Program("tablesight").url.deletingLastPathComponent()
        let install = Process()
        install.executableURL = Repository.root.appending(path: "scripts/install")
        install.arguments = [folder.url.path, built.path]
        install.standardOutput = FileHandle.nullDevice
        try install.run()
        try await ended(install)
        #expect(install.terminationStatus == 0)

        let doctor = Process()
        let output = Pipe()
        doctor.executableURL = folder.url.appending(path: "bin/tablesight")
        doctor.arguments = ["doctor"]
        doctor.currentDirectoryURL = folder.url
        doctor.standardOutput = output
        try doctor.run()
        try await ended(doctor)
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(doctor.terminationStatus == 0, "\(text)")
        #expect(text.contains(folder.url.path + "/share/tablesight/models"), "\(text)")
        #expect(!text.contains("tablesight-frames"), "it is installed: \(text)")
        let hasZXing = FileManager.default.fileExists(
            atPath: Repository.root.appending(path: ".build-deps/zxing/lib/libZXing.so.4").path)
        if hasZXing { #expect(text.contains("✓ zxing-cpp"), "\(text)") }
        let unit = try String(
            contentsOf: folder.url.appending(path: "share/tablesight/tablesight.service"), encoding: .utf8)
        #expect(unit.contains("ExecStart=\(folder.url.path)/bin/tablesight watch"), "it starts what was installed")
    }
}
