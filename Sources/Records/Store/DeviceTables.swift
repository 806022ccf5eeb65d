import GRDB

/// Tables of paired devices, for the module `Household`.
enum DeviceTables {
    static func register(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("6 devices") { database in
            try database.execute(
                sql: """
                    -- The token itself is on the device only.
                    CREATE TABLE device (
                        id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, digest BLOB NOT NULL UNIQUE,
                        paired INTEGER NOT NULL, seen INTEGER
                    ) STRICT;
                    -- Codes that pair one device each.
                    CREATE TABLE pairing (digest BLOB PRIMARY KEY, expires INTEGER NOT NULL) STRICT, WITHOUT ROWID;
                    """)
        }
        migrator.registerMigration("devices 2 who paired") { database in
            try database.execute(
                sql: """
                    -- The device that made the code; NULL for the daemon's own key.
                    ALTER TABLE device ADD COLUMN pairedBy INTEGER;
                    ALTER TABLE pairing ADD COLUMN pairedBy INTEGER;
                    """)
        }
    }
}
