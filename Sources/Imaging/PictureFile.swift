import Glibc
import Vocabulary

/// Pictures that the worker makes: written beside their place and renamed, so that nobody sees half of one.
public enum PictureFile {
    /// - Throws: `inputOutput`, `permissionDenied` or `fileVanished`, with the kernel's reason.
    public static func write(_ bytes: [UInt8], to path: FilePathBytes) throws(ItemFailure) {
        let temporary = path.appending(suffix: ".tmp")
        let file = temporary.withCString { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644) }
        guard file >= 0 else { throw failure(path, errno) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let code = errno
                close(file)
                throw failure(path, code)
            }
            rest = rest.dropFirst(count)
        }
        let renamed = temporary.withCString { from in path.withCString { to in rename(from, to) } }
        guard close(file) == 0, renamed == 0 else { throw failure(path, errno) }
    }

    private static func failure(_ path: FilePathBytes, _ code: Int32) -> ItemFailure {
        ItemFailure(
            stage: .storage, code: .inputOutput, detail: "\(path.display): \(String(cString: strerror(code)))",
            hint: "check the folder and the disk, then run again", isTransient: true)
    }
}
