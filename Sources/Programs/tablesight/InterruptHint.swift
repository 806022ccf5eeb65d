import Dispatch
import Glibc

/// On Ctrl-C, prints how to continue and exits with 130, as shells expect. Active while the value exists.
/// Complete rows are on the disk by then.
final class InterruptHint {
    private let source: any DispatchSourceSignal

    init(_ hint: String) {
        signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler {
            StandardError.write("\n" + hint)
            Glibc.exit(128 + SIGINT)
        }
        source.resume()
    }

    deinit {
        source.cancel()
        signal(SIGINT, SIG_DFL)
    }
}
