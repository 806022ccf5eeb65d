import Foundation
import Glibc

/// Whether a webhook may be sent somewhere: not to this machine, nor into the network behind it, unless that is wanted.
enum ReceiverAddress {
    /// Why not, in words; nil where it may. Looks the name up, and blocks for as long as that takes.
    static func objection(to url: URL, allowsPrivate: Bool) -> String? {
        guard let host = url.host?.trimmingCharacters(in: ["[", "]"]) else { return "no host" }
        let addresses = resolved(host)
        if addresses.isEmpty { return "\(host) cannot be looked up" }
        if !allowsPrivate, let first = addresses.first(where: { !isPublic($0) }) {
            return
                "\(host) is \(first.map(String.init).joined(separator: ".")), an address of this machine or its network"
        }
        return nil
    }

    /// Bytes of all addresses of a name: 4 each for IPv4, 16 for IPv6.
    private static func resolved(_ host: String) -> [[UInt8]] {
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

    /// False for what the registries of special addresses (RFC 6890) keep for one machine or one network.
    static func isPublic(_ address: [UInt8]) -> Bool {
        if address.count == 4 {
            return switch (address[0], address[1]) {
            case (0, _), (10, _), (127, _), (169, 254), (192, 168), (100, 64...127), (172, 16...31), (198, 18...19),
                (224..., _):
                false
            default: true
            }
        }
        guard address.count == 16 else { return false }
        // ::ffff:0:0/96 and 64:ff9b::/96 hold an IPv4 address.
        if address[..<10].allSatisfy({ $0 == 0 }), address[10] == 0xFF, address[11] == 0xFF {
            return isPublic(Array(address[12...]))
        }
        if Array(address[..<12]) == [0, 0x64, 0xFF, 0x9B] + [UInt8](repeating: 0, count: 8) {
            return isPublic(Array(address[12...]))
        }
        // Global unicast is 2000::/3 alone; without the part for documentation.
        return address[0] & 0xE0 == 0x20 && Array(address[..<4]) != [0x20, 0x01, 0x0D, 0xB8]
    }
}
