import Core
import Engine
import Foundation
import Glibc
import Groceries
import HTTP
import Hashing
import Logging
import Store

/// Pictures of products from other servers, for the app. They are fetched in the background and drawn by a worker, like
/// every photo; nobody waits for them.
actor ProductPictures {
    private let images: RemoteImages
    private let live: LiveConfiguration
    private let processor: PhotoProcessor
    private let drawings: DrawingQueue
    private let logger: Logger
    private var running: Set<String> = []
    /// Addresses without a usable picture, until the daemon starts again.
    private var useless: Set<String> = []

    static let side = 480
    private static let mostRunning = 4

    /// True while nothing is fetched or drawn.
    var isIdle: Bool { running.isEmpty }

    init(
        _ images: RemoteImages, live: LiveConfiguration, processor: PhotoProcessor, drawings: DrawingQueue,
        logger: Logger
    ) {
        self.drawings = drawings
        self.images = images
        self.live = live
        self.processor = processor
        self.logger = logger
    }

    /// The picture of an address as a JPEG of at most ``side`` pixels per side; nil until it is fetched.
    func picture(_ address: String) -> Data? {
        let place = place(of: address)
        if let data = FileManager.default.contents(atPath: place.display) { return data }
        if !running.contains(address), !useless.contains(address), running.count < Self.mostRunning {
            running.insert(address)
            Task { await fetch(address, to: place) }
        }
        return nil
    }

    private func place(of address: String) -> FilePathBytes {
        let hash = SHA256.hexadecimal(SHA256.digest(of: address.utf8).prefix(16))
        return live.current.output.appending(names: "pictures/product-\(hash).jpg")
    }

    private func fetch(_ address: String, to place: FilePathBytes) async {
        defer { running.remove(address) }
        switch await images.image(address) {
        case .bytes(let data):
            do { try await draw(data, to: place) } catch is Problem {
                logger.info("a product's picture waits: too many are drawn")
            } catch {
                useless.insert(address)
                logger.notice("a product's picture cannot be shown", metadata: ["reason": "\(error)"])
            }
        case .none: useless.insert(address)
        case .failed(let reason):
            // The next person who opens the page asks again.
            logger.info("a product's picture was not fetched", metadata: ["reason": "\(reason)"])
        }
    }

    /// The bytes are decoded by a worker only.
    private func draw(_ data: Data, to place: FilePathBytes) async throws {
        try SidecarFile.makeFolders(place.folder)
        let (fetched, drawn) = (place.appending(suffix: ".fetched"), place.appending(suffix: ".drawn"))
        defer { for file in [fetched, drawn] { file.withCString { _ = unlink($0) } } }
        try data.write(to: URL(filePath: fetched.display))
        let failure = try await drawings.perform { [processor] in
            await processor.drawPicture(fetched, in: nil, maxSide: Self.side, to: drawn)
        }
        if let failure { throw failure }
        guard drawn.withCString({ from in place.withCString { rename(from, $0) } }) == 0 else {
            throw UploadFile.problem()
        }
    }
}
