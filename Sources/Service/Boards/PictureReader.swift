import Core
import Engine
import Foundation
import Household
import Synchronization

/// Reads the pieces on pictures that browsers send.
final class PictureReader: Sendable {
    private let reading: PhotoReading
    private let spools = Mutex<[FrameSpool]>([])

    init(_ reading: PhotoReading) { self.reading = reading }

    /// - Throws: ``PlayProblem/badPicture(_:)`` for other bytes, and for a picture that cannot be read.
    func pieces(on picture: Data, set: String) async throws -> PieceFrame {
        guard let kind = Self.kind(of: picture) else {
            throw PlayProblem.badPicture("send a JPEG, PNG or WebP picture")
        }
        let spool = try spools.withLock { $0.popLast() } ?? FrameSpool()
        defer { spools.withLock { $0.append(spool) } }
        let path = try spool.write(picture, as: kind)
        let photo = await reading.readings(
            of: path, PhotoProcessor.Request(domain: .board, pieceSet: set, profiles: []))
        guard var pieces = photo.pieces else {
            throw PlayProblem.badPicture(photo.failure?.detail ?? "the picture cannot be read")
        }
        pieces.timing_ms = [:]
        return pieces
    }

    private static func kind(of picture: Data) -> String? {
        if picture.starts(with: [0xFF, 0xD8, 0xFF]) { return "jpg" }
        if picture.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "png" }
        return picture.starts(with: Array("RIFF".utf8)) && picture.dropFirst(8).starts(with: Array("WEBP".utf8))
            ? "webp" : nil
    }
}
