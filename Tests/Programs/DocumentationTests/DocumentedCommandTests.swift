import Foundation
import TestSupport
import Testing

/// Runs every `tablesight` command of the documentation and of the help on a fresh install: with an empty home, without an
/// import, in a folder that has the files that the page names.
@Suite struct DocumentedCommandTests {
    private static let pages = (try? CommandPage.all()) ?? []
    /// More at the same time would only wait for each other.
    private static let turns = Turns(2)

    @Test(arguments: pages)
    func `every command of a page runs`(page: CommandPage) async throws {
        let world = try FreshInstall.World.load()
        try await Self.turns.taking { try await onOwnThread { try Self.run(page, world) } }
    }

    private static func run(_ page: CommandPage, _ world: FreshInstall.World) throws {
        let install = try FreshInstall(for: page, world)
        for command in world.before[page.name] ?? [] where install.hasQueue(for: command) {
            let result = try install.run(command)
            #expect(result.code == 0, "\(page.name) needs: \(command)\n\(result.errors)")
        }
        for command in page.commands where !world.isSkipped(command) {
            guard install.hasQueue(for: command) else {
                print("\(page.name): not run without nats-server (scripts/setup --with-queue): \(command)")
                continue
            }
            let result = try install.run(command)
            #expect(result.code == 0, "\(page.name): \(command)\n\(result.errors)")
        }
    }

    @Test func `only commands that need a device are skipped, and no catalogue is imported for a page`() throws {
        let world = try FreshInstall.World.load()
        let commands = Self.pages.flatMap(\.commands)
        let help = Self.pages.filter { $0.name.hasSuffix("--help") }
        #expect(commands.count >= 190, "\(commands.count) commands")
        #expect(help.count >= 23 && help.flatMap(\.commands).count >= 100, "\(help.map(\.commands.count))")
        #expect(world.devices.allSatisfy { $0.hasPrefix("/dev/") })
        for device in world.devices {
            #expect(commands.contains { $0.contains(device) }, "world.json skips \(device), which no page has")
        }
        #expect(!world.before.values.joined().contains { $0.contains("catalogue import") })
        for name in world.before.keys {
            #expect(Self.pages.contains { $0.name == name }, "world.json prepares \(name), which shows no command")
        }
    }
}
