import Dispatch
import Foundation
import Glibc

/// The address of a webhook receiver. This machine and its network are refused unless the configuration allows them.
struct ReceiverAddress: Equatable {
    var url: URL
    /// The `Host` header, if ``url`` contains an address in place of the name.
    var host: String?

    /// Why the receiver is refused.
    struct Refusal: Error, Equatable { var reason: String }

    /// Resolves the name once and checks the addresses; blocks until it is resolved.
    ///
    /// With http the connection uses the checked address, because the name's DNS could give another address the second
    /// time. With https the name is kept: the certificate is checked against it, and a machine of this network has no
    /// valid certificate for it.
    ///
    /// - Parameters:
    ///   - attempt: rises with each attempt, so that each address of a name is used in turn.
    ///   - lookUp: returns the bytes of all addresses of a name: 4 each for IPv4, 16 for IPv6.
    init(
        of receiver: URL, allowsPrivate: Bool, attempt: Int = 0, lookUp: (String) -> [[UInt8]] = Self.resolved
    ) throws(Refusal) {
        guard let name = Self.name(in: receiver) else { throw Refusal(reason: "the address has no host") }
        try self.init(of: receiver, name, lookUp(name), allowsPrivate: allowsPrivate, attempt: attempt)
    }

    /// The receiver's host, without the brackets of an IPv6 address; nil if the URL has none.
    static func name(in receiver: URL) -> String? { receiver.host?.trimmingCharacters(in: ["[", "]"]) }

    /// - Parameter addresses: the resolved addresses of the name.
    init(
        of receiver: URL, _ name: String, _ addresses: [[UInt8]], allowsPrivate: Bool, attempt: Int
    ) throws(Refusal) {
        guard !addresses.isEmpty else { throw Refusal(reason: "the name \(name) cannot be resolved") }
        if !allowsPrivate, let first = addresses.first(where: { !Self.isPublic($0) }) {
            let text = Self.text(first) ?? "an invalid address"
            throw Refusal(reason: "\(name) is \(text), an address of this machine or its network")
        }
        url = receiver
        var parts = URLComponents(url: receiver, resolvingAgainstBaseURL: true)
        let address = addresses[max(0, attempt) % addresses.count]
        // A link-local address needs an interface.
        guard receiver.scheme?.lowercased() == "http", !address.starts(with: [0xFE, 0x80]),
            let text = Self.text(address), text != name
        else { return }
        parts?.host = address.count == 4 ? text : "[\(text)]"
        guard let pinned = parts?.url else {
            throw Refusal(reason: "the address \(text) does not fit into \(receiver)")
        }
        url = pinned
        host = name + (receiver.port.map { ":\($0)" } ?? "")
    }

    private static func text(_ address: [UInt8]) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = address.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, address, &buffer, socklen_t(buffer.count)) != nil else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Bytes of all addresses of a name: 4 each for IPv4, 16 for IPv6.
    static func resolved(_ host: String) -> [[UInt8]] {
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, nil, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [[UInt8]] = []
        var next = list
        while let entry = next {
            let (start, count) = entry.pointee.ai_family == AF_INET ? (4, 4) : (8, 16)
            if let address = entry.pointee.ai_addr, Int(entry.pointee.ai_addrlen) >= start + count {
                let bytes = UnsafeRawBufferPointer(start: address, count: start + count)
                addresses.append(Array(bytes[start...]))
            }
            next = entry.pointee.ai_next
        }
        return addresses
    }

    /// False for addresses that the registries of special addresses (RFC 6890) reserve for one machine or network.
    static func isPublic(_ address: [UInt8]) -> Bool {
        if address.count == 4 {
            return switch (address[0], address[1]) {
            case (0, _), (10, _), (127, _), (169, 254), (192, 168), (100, 64...127), (172, 16...31), (198, 18...19),
                (224..., _):
                false
            default: !documented.contains(Array(address[..<3]))
            }
        }
        guard address.count == 16 else { return false }
        // ::ffff:0:0/96 and 64:ff9b::/96 contain an IPv4 address.
        if address[..<10].allSatisfy({ $0 == 0 }), address[10] == 0xFF, address[11] == 0xFF {
            return isPublic(Array(address[12...]))
        }
        if Array(address[..<12]) == [0, 0x64, 0xFF, 0x9B] + [UInt8](repeating: 0, count: 8) {
            return isPublic(Array(address[12...]))
        }
        // Tunnels contain an IPv4 address to which a relay delivers: 6to4 (2002::/16) and Teredo (2001::/32). 2001::/23
        // is reserved for protocols; 2001:db8::/32 and 3fff::/20 are for documentation.
        switch (address[0], address[1]) {
        case (0x20, 0x02): return false
        case (0x20, 0x01) where address[2] < 0x02: return false
        case (0x20, 0x01) where address[2] == 0x0D && address[3] == 0xB8: return false
        case (0x3F, 0xFF) where address[2] < 0x10: return false
        default: break
        }
        // Only 2000::/3 is global unicast.
        return address[0] & 0xE0 == 0x20
    }

    /// The first three bytes of the IPv4 networks for protocols, documentation and 6to4 relays.
    private static let documented: Set<[UInt8]> = [
        [192, 0, 0], [192, 0, 2], [192, 88, 99], [198, 51, 100], [203, 0, 113],
    ]

    /// Like ``resolved(_:)``, but off the shared task threads: a name server may take half a minute.
    static func resolvedAside(_ host: String) async -> [[UInt8]] {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: resolved(host)) }
        }
    }
}
