import Core
import Engine
import Foundation
import Household
import Synchronization

/// Reads pictures that browsers send: the pieces of a table, or the barcodes of a packet.
package final class PictureReader: Sendable {
    private let reading: PhotoReading
    private let spools = Mutex<[FrameSpool]>([])

    /// - Parameter reading: with a worker of its own: a photo of a menu takes seconds.
    package init(_ reading: PhotoReading) { self.reading = reading }

    /// - Throws: ``PlayProblem/badPicture(_:)`` for other bytes, and for a picture that cannot be read.
    func pieces(on picture: Data, set: String) async throws -> PieceFrame {
        var pieces = try await read(picture, .init(domain: .board, pieceSet: set, profiles: []), \.readings.pieces)
        pieces.timing_ms = [:]
        return pieces
    }

    /// The barcodes, and the print around those whose bars alone are not sure.
    ///
    /// - Throws: ``PlayProblem/badPicture(_:)`` for other bytes, and for a picture that cannot be read.
    package func codes(on picture: Data) async throws -> Readings {
        try await read(picture, .init(domain: .barcode, profiles: [])) { photo in
            photo.readings.barcodes.map { _ in photo.readings }
        }
    }

    private func read<Found>(
        _ picture: Data, _ request: PhotoProcessor.Request, _ found: (PhotoReading.ReadPhoto) -> Found?
    ) async throws -> Found {
        guard let kind = Self.kind(of: picture) else {
            throw PlayProblem.badPicture("send a JPEG, PNG or WebP picture")
        }
        let spool = try spools.withLock { $0.popLast() } ?? FrameSpool()
        defer { spools.withLock { $0.append(spool) } }
        let photo = await reading.readings(of: try spool.write(picture, as: kind), request)
        guard let found = found(photo) else {
            throw PlayProblem.badPicture(photo.failure?.detail ?? "the picture cannot be read")
        }
        return found
    }

    private static func kind(of picture: Data) -> String? {
        if picture.starts(with: [0xFF, 0xD8, 0xFF]) { return "jpg" }
        if picture.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "png" }
        return picture.starts(with: Array("RIFF".utf8)) && picture.dropFirst(8).starts(with: Array("WEBP".utf8))
            ? "webp" : nil
    }
}
