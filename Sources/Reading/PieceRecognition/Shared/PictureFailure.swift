internal import COpenCV
import Core
import Foundation
import Synchronization

/// A primitive of the façade failed: memory ran out, or a size does not fit.
struct PictureFailure: Error {
    let status: Int32

    /// An argument does not fit.
    static let argument = PictureFailure(status: Int32(TCV_E_ARGUMENT))

    /// The failure of a photo in which pieces were looked for.
    var ofPhoto: ItemFailure {
        let isMemory = status == TCV_E_MEMORY
        return ItemFailure(
            stage: .recognition, code: isMemory ? .workerMemory : .decodeFailed,
            detail: "the recognition of pieces failed: "
                + (isMemory ? "memory ran out" : "a step of OpenCV reported error \(status)"),
            hint: isMemory ? "send a smaller photo" : "send another photo, and report this one")
    }

    /// Throws unless the status of a primitive says success.
    static func check(_ status: Int32) throws(PictureFailure) {
        #if DEBUG
            if let failing = PictureFault.current, failing.isNow() { throw PictureFailure(status: Int32(TCV_E_OPENCV)) }
        #endif
        if status != TCV_OK { throw PictureFailure(status: status) }
    }
}

#if DEBUG
    /// Makes one primitive of a recognition fail, for tests; release builds have none of it.
    final class PictureFault: Sendable {
        @TaskLocal static var current: PictureFault?

        private let failing: Int
        private let count = Mutex(0)

        /// - Parameter failing: number of the primitive that fails, from 0; −1 for none.
        init(failing: Int) { self.failing = failing }

        /// The primitives that ran.
        var primitives: Int { count.withLock { $0 } }

        fileprivate func isNow() -> Bool {
            count.withLock { count in
                count += 1
                return count - 1 == failing
            }
        }
    }
#endif
