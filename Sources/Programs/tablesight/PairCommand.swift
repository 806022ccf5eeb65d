import ArgumentParser
import Core
import Daemon
import Foundation
import Household
import Settings

struct PairCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair",
        abstract: "An earlier name of `tablesight household pair`, `devices` and `revoke`.",
        shouldDisplay: false)

    @Argument(help: "The daemon's watched folders.") var inboxes: [String] = []
    @OptionGroup var options: SettingOptions
    @Option(help: "Name or address by which the phone reaches this machine.") var address: String?
    @Option(help: "File for the code as SVG.") var svg: String?
    @Flag(help: "List the paired devices.") var list = false
    @Option(help: "Revoke the device with this number.") var revoke: Int64?

    func run() async throws {
        let settings = try await Settings(flags: options.flags(inboxes: inboxes), file: options.config)
        let output = try WatchConfiguration.output(settings)
        let household = try HouseholdPlace.daemonHousehold(output.appending(names: "tablesight.sqlite").display)
        if let revoke {
            HouseholdCommand.note("pair --revoke \(revoke)", is: "revoke \(revoke)")
            return try await HouseholdCommand.revoke(revoke, in: household)
        }
        guard list else {
            HouseholdCommand.note("pair", is: "pair")
            let link = PairingLink(address: address, settings: settings, output: output)
            return try link.printCode(of: household.household, svg: svg)
        }
        HouseholdCommand.note("pair --list", is: "devices")
        for device in try await household.devices() {
            let day = HouseholdCommand.Devices.day
            let seen = device.seen.map(day) ?? "not yet"
            try StandardOutput.write(
                "\(device.id)  \(device.name.printable)  paired \(day(device.paired)), last seen \(seen)\n")
        }
    }
}
