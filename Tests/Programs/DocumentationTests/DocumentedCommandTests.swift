import Foundation
import TestSupport
import Testing

/// Runs every `tablesight` command of the documentation and of the help on a fresh install: with an empty home, without an
/// import, in a folder that has the files that the page names.
@Suite struct DocumentedCommandTests {
    private static let pages = (try? CommandPage.all()) ?? []
    /// More at the same time would only wait for each other.
    private static let turns = Turns(2)

    @Test(arguments: pages.filter { !$0.isTutorial })
    func `every command of a page runs`(page: CommandPage) async throws {
        try await Self.check(page)
    }

    @Test(arguments: pages.filter(\.isTutorial))
    func `every line of a tutorial runs, and prints what the page shows`(page: CommandPage) async throws {
        try await Self.check(page)
    }

    private static func check(_ page: CommandPage) async throws {
        let world = try FreshInstall.World.load()
        try await turns.taking { try await onOwnThread { try run(page, world) } }
    }

    private static func run(_ page: CommandPage, _ world: FreshInstall.World) throws {
        let install = try FreshInstall(for: page, world)
        defer { install.end() }
        for command in world.before[page.name] ?? [] where install.hasQueue(for: command) {
            let result = try install.run(command)
            #expect(result.code == 0, "\(page.name) needs: \(command)\n\(result.errors)")
        }
        for step in page.steps {
            var output = ""
            for command in step.commands where !world.isSkipped(command) {
                guard install.hasQueue(for: command, of: page) else {
                    print("\(page.name): not run without nats-server (scripts/setup --with-queue): \(command)")
                    continue
                }
                let result = try install.run(command)
                #expect(result.code == 0, "\(page.name): \(command)\n\(result.errors)")
                output += result.output + result.errors
            }
            guard install.hasNetworks, step.commands.allSatisfy({ install.hasQueue(for: $0, of: page) }) else {
                continue
            }
            let missing = ShownOutput(step.shown).missing(in: output)
            #expect(missing == nil, "\(page.name) shows a line that \(step.commands) do not print:\n\(output)")
        }
    }

    @Test func `shown output is compared line by line, in order, without percentages and what is left out`() {
        let output = "…read menu, confidence high\n  Soup  5.80\n    Mia: CONTAINS milk 95 %\noutcomes: 1 completed\n"
        for shown in [
            ["inbox/a.jpg: read menu", "…"], ["Soup  5.80", "Mia: CONTAINS milk 93 %", "…", "outcomes: 1 completed"],
            ["…confidence high"], ["out…completed"], [],
        ] {
            #expect((ShownOutput(shown).missing(in: "inbox/a.jpg: read menu\n" + output) == nil), "\(shown)")
        }
        for shown in [["Soup  5.90"], ["outcomes: 1 completed", "Soup  5.80"], ["Soup"], ["Mia: CONTAINS nuts 95 %"]] {
            #expect(ShownOutput(shown).missing(in: output) == shown.last, "\(shown)")
        }
    }

    @Test func `a tutorial needs nothing but the samples, and shows what its commands print`() throws {
        let world = try FreshInstall.World.load()
        let tutorials = Self.pages.filter(\.isTutorial)
        #expect(tutorials.count >= 5, "\(tutorials)")
        for page in tutorials {
            #expect(world.before[page.name] == nil, "\(page.name) is prepared by world.json")
            #expect(page.steps.contains { !$0.shown.isEmpty }, "\(page.name) shows no output")
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
