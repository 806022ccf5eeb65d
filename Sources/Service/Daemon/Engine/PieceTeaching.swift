import Core

extension PhotoProcessor {
    /// Learns a piece set from two photos, in a worker.
    ///
    /// - Returns: the text of the set's file.
    /// - Throws: `ItemFailure` that says which photo is wrong and what to do.
    public func teach(
        _ request: TeachingRequest, empty: FilePathBytes, laidOut: FilePathBytes
    ) async throws(ItemFailure) -> String {
        let photo = try OpenPhoto.open(laidOut)
        let table = try OpenPhoto.open(empty)
        let answer: ReadAnswer
        do {
            answer = try await workers.perform(
                ReadJob(path: laidOut, task: .teach(request), limits: photoLimits, processorSeconds: processorSeconds),
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
                stage: .recognition, code: .decodeFailed, detail: "the worker learned nothing",
                hint: "update the worker beside this program")
        }
        return text
    }
}
