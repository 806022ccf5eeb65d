import GRDB

/// Tables of paired devices, for the module `Household`.
extension Migration {
    static let devices = Migration(
        "6 devices",
        """
        -- The token itself is on the device only.
        CREATE TABLE device (
            id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, digest BLOB NOT NULL UNIQUE,
            paired INTEGER NOT NULL, seen INTEGER
        ) STRICT;
        -- Codes that pair one device each.
        CREATE TABLE pairing (digest BLOB PRIMARY KEY, expires INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        """)

    static let pairedDevices = Migration(
        "devices 2 who paired",
        """
        -- The device that made the code; NULL for the daemon's own key.
        ALTER TABLE device ADD COLUMN pairedBy INTEGER;
        ALTER TABLE pairing ADD COLUMN pairedBy INTEGER;
        """)
}
