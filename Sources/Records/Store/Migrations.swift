import GRDB

/// The tables and their migrations. Never edit a shipped migration.
enum Migrations {
    static var all: DatabaseMigrator {
        var migrator = first
        migrator.registerMigration("2 versions, fair order, quarantine") { database in
            try database.execute(
                sql: """
                    -- Counts what was seen under this path, so that a late answer about an earlier version is dropped.
                    ALTER TABLE photo ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
                    -- The top folder, whose turn comes round, and the place in its line: small files stand further ahead.
                    ALTER TABLE photo ADD COLUMN top BLOB NOT NULL DEFAULT x'';
                    ALTER TABLE photo ADD COLUMN rank INTEGER NOT NULL DEFAULT 0;
                    -- What the stored outcome was asked for.
                    ALTER TABLE photo ADD COLUMN asked TEXT;
                    UPDATE photo SET rank = id;
                    DROP INDEX photo_queue;
                    CREATE INDEX photo_queue ON photo (top, rank) WHERE state = 'queued';
                    CREATE INDEX photo_content ON photo (content);

                    -- Contents that are tried again only on request.
                    CREATE TABLE quarantine (
                        content TEXT PRIMARY KEY, code TEXT NOT NULL, detail TEXT NOT NULL, hint TEXT NOT NULL,
                        attempts INTEGER NOT NULL, path BLOB NOT NULL, bytes INTEGER NOT NULL,
                        since INTEGER NOT NULL -- seconds since 1970, shown to people, decides nothing
                    ) STRICT, WITHOUT ROWID;

                    -- One row, written to test whether the database is writable.
                    CREATE TABLE pulse (id INTEGER PRIMARY KEY CHECK (id = 1), beats INTEGER NOT NULL) STRICT;
                    INSERT INTO pulse VALUES (1, 0);
                    """)
        }
        migrator.registerMigration("3 events and deliveries") { database in
            try database.execute(
                sql: """
                    -- Published events: streams read them from any number on, the outbox sends them.
                    CREATE TABLE event (
                        id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
                        body BLOB NOT NULL
                    ) STRICT;
                    CREATE TABLE delivery (
                        event INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
                        receiver TEXT NOT NULL,
                        state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'delivered', 'dead')),
                        attempts INTEGER NOT NULL DEFAULT 0, failure TEXT,
                        PRIMARY KEY (event, receiver)
                    ) STRICT, WITHOUT ROWID;
                    CREATE INDEX delivery_waiting ON delivery (receiver, event) WHERE state = 'waiting';
                    """)
        }
        SessionTables.register(in: &migrator)
        migrator.registerMigration("4 kitchens") { database in
            try database.execute(
                sql: """
                    -- The folder below the inbox, whose menus belong to one kitchen; null for files of the inbox itself.
                    ALTER TABLE photo ADD COLUMN kitchen BLOB;
                    CREATE INDEX photo_kitchen ON photo (kitchen, id) WHERE kitchen IS NOT NULL;
                    """)
        }
        SummaryTables.register(in: &migrator)
        DeviceTables.register(in: &migrator)
        DiaryTables.register(in: &migrator)
        GroceryTables.register(in: &migrator)
        NameTables.register(in: &migrator)
        ReviewTables.register(in: &migrator)
        HouseholdTables.register(in: &migrator)
        ReviewTables.registerPlaces(in: &migrator)
        SummaryTables.registerTitles(in: &migrator)
        SavedTables.register(in: &migrator)
        GroceryTables.registerShopNames(in: &migrator)
        GroceryTables.registerSync(in: &migrator)
        GroceryTables.registerAisles(in: &migrator)
        PlayTables.register(in: &migrator)
        DiaryTables.registerFavourites(in: &migrator)
        GroceryTables.registerRecordedDays(in: &migrator)
        NewsTables.register(in: &migrator)
        SummaryTables.registerTitlesOfLabels(in: &migrator)
        DiaryTables.registerPhotos(in: &migrator)
        ReviewTables.registerStaff(in: &migrator)
        return migrator
    }
    /// The tables of version 1.
    static var first: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 photos, readings, outcomes") { database in
            // One row per file of the watched folders. `state` is the queue: queued → running → done.
            try database.execute(
                sql: """
                    CREATE TABLE photo (
                        id INTEGER PRIMARY KEY AUTOINCREMENT,
                        path BLOB NOT NULL UNIQUE,
                        sidecar BLOB NOT NULL,
                        device INTEGER NOT NULL, inode INTEGER NOT NULL, size INTEGER NOT NULL,
                        modified INTEGER NOT NULL, changed INTEGER NOT NULL,
                        state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done')),
                        attempt INTEGER NOT NULL DEFAULT 0,
                        content TEXT
                    ) STRICT;
                    CREATE INDEX photo_queue ON photo (id) WHERE state = 'queued';

                    -- A worker's answers by content and request; interpretation can be rerun on them.
                    CREATE TABLE reading (
                        content TEXT NOT NULL, asked TEXT NOT NULL, answer BLOB NOT NULL,
                        PRIMARY KEY (content, asked)
                    ) STRICT, WITHOUT ROWID;

                    -- One outcome per file, byte for byte as in its sidecar.
                    CREATE TABLE outcome (
                        photo INTEGER PRIMARY KEY REFERENCES photo (id) ON DELETE CASCADE,
                        status TEXT NOT NULL, json BLOB NOT NULL,
                        sidecarWritten INTEGER NOT NULL DEFAULT 0
                    ) STRICT;
                    CREATE INDEX outcome_unwritten ON outcome (photo) WHERE sidecarWritten = 0;
                    """)
        }
        AllergenTables.register(in: &migrator)
        return migrator
    }
}
