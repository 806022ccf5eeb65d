import HTTP
import HTTPTypes
import Household
import Hummingbird

/// Receives the photos of a request, also of the forms of pages. They belong to the person who uses the device.
struct PhotoReceipt {
    let cases: PhotoActions

    /// Longest Idempotency-Key, bytes.
    static let longestKey = 200
    /// Photos of the largest size that one form may announce.
    private static let mostPhotos = 4

    /// Stores the photos of a form, or the body as one photo.
    ///
    /// - Returns: at least one.
    func receive(_ call: Call) async throws -> [PhotoStatus] {
        let request = call.request
        let key = request.headers.first { $0.name.canonicalName == "idempotency-key" }?.value
        if let key, key.isEmpty || key.utf8.count > Self.longestKey {
            throw Problem(400, "badRequest", "Idempotency-Key must have 1 to \(Self.longestKey) bytes")
        }
        let type = request.headers[.contentType] ?? "application/octet-stream"
        if type.lowercased().hasPrefix("multipart/") {
            guard let reader = MultipartReader(contentType: type) else {
                throw Problem(400, "badRequest", "Content-Type must be multipart/form-data with a boundary")
            }
            try await refuse(request, above: Self.mostPhotos)
            return try await receive(call, reader, key)
        }
        guard type.lowercased().hasPrefix("image/") || type.lowercased().hasPrefix("application/octet-stream") else {
            throw Problem(
                415, "badFormat", "send a photo, or a form with photos; \(type) is neither", formats: PhotoFormats.all)
        }
        try await refuse(request, above: 1)
        let upload = try await cases.begin(by: call.context.identity)
        do {
            for try await chunk in request.body {
                try await upload.write(Array(chunk.readableBytesView))
            }
            return [try await upload.finish(key: key)]
        } catch {
            await upload.cancel()
            throw error
        }
    }

    /// Refuses a body by its announced length, before any of it is read.
    private func refuse(_ request: Request, above photos: Int) async throws {
        guard let announced = request.headers[.contentLength].flatMap({ Int($0) }) else { return }
        let most = await cases.mostBytes
        // The form's own lines come in addition to its photos.
        guard announced > most * photos + 65_536 else { return }
        throw Problem(
            413, "tooLarge", "a photo has at most \(most >> 20) MiB: send a smaller version", limitBytes: most)
    }

    private func receive(_ call: Call, _ reader: MultipartReader, _ key: String?) async throws -> [PhotoStatus] {
        var reader = reader
        var upload: (any PhotoUpload)?
        var found: [PhotoStatus] = []
        do {
            for try await chunk in call.request.body {
                for event in try reader.read(chunk.readableBytesView) {
                    switch event {
                    // A form sends an empty file name for a field without a file.
                    case .part(_, let name?) where !name.isEmpty:
                        upload = try await cases.begin(by: call.context.identity)
                    case .part: upload = nil
                    case .data(let bytes): try await upload?.write(bytes)
                    case .endOfPart:
                        if let done = upload {
                            let own = key.map { found.isEmpty ? $0 : "\($0)#\(found.count)" }
                            found.append(try await done.finish(key: own))
                        }
                        upload = nil
                    }
                }
            }
            guard reader.isComplete else { throw Problem(400, "badRequest", "the form data ends too early") }
        } catch {
            await upload?.cancel()
            throw error
        }
        guard !found.isEmpty else { throw Problem(400, "badRequest", "the form has no photo: choose a file") }
        return found
    }
}
