import Core
import ReadJobs

extension PhotoProcessor {
    /// Learns a piece set from two photos, in a worker.
    ///
    /// - Returns: the text of the set's file.
    /// - Throws: `ItemFailure` that names the wrong photo and what to do.
    package func teach(
        _ request: TeachingRequest, empty: FilePathBytes, laidOut: FilePathBytes
    ) async throws(ItemFailure) -> String {
        let photo = try open(laidOut)
        let table = try open(empty)
        let answer: ReadAnswer
        do {
            answer = try await workers.perform(
                ReadJob(
                    path: laidOut, task: .teach(request), limits: reading.photoLimits,
                    processorSeconds: reading.processorSeconds),
                files: [photo.descriptor, table.descriptor])
        } catch let fault as WorkerFault {
            throw ItemFailure(fault)
        } catch {
            throw ItemFailure(
                stage: .recognition, code: .workerUnavailable, detail: "\(error)", hint: "run `tablesight doctor`")
        }
        if let failure = answer.failure { throw failure }
        guard let text = answer.taughtSet else {
            throw ItemFailure(
                stage: .recognition, code: .decodeFailed, detail: "the worker returned no piece set",
                hint: "build tablesight and tablesight-worker from the same checkout")
        }
        return text
    }

    /// Two photos are named, so the failure tells which one is meant.
    private func open(_ path: FilePathBytes) throws(ItemFailure) -> OpenPhoto {
        do { return try OpenPhoto.open(path) } catch {
            var failure = error
            failure.detail = "\(path.display): \(error.detail)"
            throw failure
        }
    }
}
