import Foundation
import Core

package struct RemoteAnswer: Sendable {
    /// Nil if no source has the number, or none could be asked.
    package var product: CatalogueProduct?
    package var isCached: Bool
    /// Why the server did not answer; nil if it answered or was not asked.
    package var failure: RemoteFailure?
}

/// Products of another server, requested one at a time and cached.
///
/// Every attempt counts against the limit per minute. Statuses 408, 425, 429 and 5xx are tried three times with growing
/// pauses; after that the server is not contacted for a while. Cached records answer when the server cannot.
package actor RemoteCatalogue {
    private let settings: RemoteSettings
    private let catalogue: Catalogue
    private var cache: RemoteCache { catalogue.cache }
    private let transport: any RemoteTransport
    private let clock: RemoteClock
    /// At most one running request per number.
    private var running: [GTIN: Task<RemoteAnswer, Never>] = [:]

    /// - Parameter catalogue: answers are cached in its folder.
    package init(
        _ settings: RemoteSettings, keptIn catalogue: Catalogue, transport: any RemoteTransport = HTTPTransport(),
        clock: RemoteClock = .system
    ) {
        self.settings = settings
        self.catalogue = catalogue
        self.transport = transport
        self.clock = clock
    }

    /// The product with this number: imported, a sample, recently cached, from the server, or cached at any time, in this order.
    package func product(_ gtin: GTIN) async -> RemoteAnswer {
        if let task = running[gtin] { return await task.value }
        let task = Task { await self.find(gtin) }
        running[gtin] = task
        defer { running[gtin] = nil }
        return await task.value
    }

    private func find(_ gtin: GTIN) async -> RemoteAnswer {
        guard RestrictedPrefix(gtin) == nil else {
            return RemoteAnswer(isCached: false, failure: .restricted)
        }
        if let own = (try? catalogue.importedProduct(gtin)) ?? (try? catalogue.sample(gtin)) {
            return RemoteAnswer(product: own, isCached: false)
        }
        let kept = (try? cache.entry(gtin)) ?? nil
        let asked = seconds
        if let kept {
            let age = Int64(asked).subtractingReportingOverflow(kept.fetched).partialValue
            let lasts = kept.product == nil ? RemoteSettings.unknownSeconds : RemoteSettings.freshSeconds
            if age >= 0, age < lasts { return RemoteAnswer(product: kept.product, isCached: true) }
        }
        do throws(RemoteFailure) {
            guard let url = settings.productURL(gtin) else { throw .unreachable("no address") }
            let reply = try await ask(.product, url)
            let verdict = reply.status == 404 ? .unknown : RemoteRecord.verdict(reply.body, on: gtin)
            switch verdict {
            case .garbled: throw .garbled
            case .unknown:
                try? cache.keep(nil, of: gtin.number, fetched: Int64(seconds))
                return RemoteAnswer(product: nil, isCached: false)
            case .known(let record):
                try? cache.keep(record.text, of: gtin.number, fetched: Int64(seconds))
                var product = record.product
                product.retrieved = Int64(seconds)
                return RemoteAnswer(product: product, isCached: false)
            }
        } catch {
            return RemoteAnswer(product: kept?.product, isCached: kept?.product != nil, failure: error)
        }
    }

    /// Products that the server finds for these words; each is cached.
    /// - Throws: the reason why the server could not be asked.
    package func search(_ words: String, limit: Int) async throws(RemoteFailure) -> [CatalogueProduct] {
        guard let url = settings.searchURL(words, limit: limit) else { throw .unreachable("no address") }
        let reply = try await ask(.search, url)
        guard reply.status == 200, let records = RemoteRecord.list(reply.body) else { throw .garbled }
        return records.prefix(limit).map { record in
            try? cache.keep(record.text, of: record.product.number, fetched: Int64(seconds))
            var product = record.product
            product.retrieved = Int64(seconds)
            return product
        }
    }

    private var seconds: Double { clock.now().timeIntervalSince1970 }

    /// True for 408, 425, 429 and 5xx, which may succeed later.
    private static func isTransient(_ status: Int) -> Bool {
        [408, 425, 429].contains(status) || (500...599).contains(status)
    }

    /// - Returns: an answer with status 200 or 404.
    private func ask(_ question: RemoteCache.Question, _ url: URL) async throws(RemoteFailure) -> RemoteReply {
        let deadline = seconds + settings.patience / .seconds(1)
        if (try? cache.isResting(at: seconds)) == true { throw .resting }
        var last = 0
        for attempt in 0..<RemoteSettings.tries {
            try await wait(for: question, until: deadline)
            let timeout = Duration.seconds(max(0.1, deadline - seconds))
            let reply = try await transport.get(url, userAgent: settings.userAgent, timeout: timeout)
            if reply.status == 200 || reply.status == 404 { return reply }
            guard Self.isTransient(reply.status) else { throw .status(reply.status) }
            last = reply.status
            let isLast = attempt + 1 == RemoteSettings.tries
            let pause =
                RemoteSettings.firstPause * Double(1 << attempt) * (1 + RemoteSettings.jitter * clock.spread())
            let asked = reply.retryAfter.map { min(max(0, $0), RemoteSettings.longestRest) }
            if isLast || (asked ?? 0) > deadline - seconds {
                if isLast || last == 503 || last == 429 {
                    try? cache.rest(until: seconds + (asked ?? RemoteSettings.rest))
                }
                break
            }
            try await sleep(max(pause, asked ?? 0), until: deadline, or: .status(last))
        }
        throw .status(last)
    }

    /// Waits until the limit per minute allows another request.
    private func wait(for question: RemoteCache.Question, until deadline: Double) async throws(RemoteFailure) {
        while true {
            let pause: Double?
            // Without the record of requests the limit cannot be kept, so no request is sent.
            do { pause = try cache.take(question, at: seconds) } catch { throw .budgetSpent }
            guard let pause else { return }
            try await sleep(pause, until: deadline, or: .budgetSpent)
        }
    }

    private func sleep(
        _ pause: Double, until deadline: Double, or failure: RemoteFailure
    ) async throws(RemoteFailure) {
        guard seconds + pause <= deadline else { throw failure }
        do { try await clock.sleep(.seconds(pause)) } catch { throw failure }
    }
}
