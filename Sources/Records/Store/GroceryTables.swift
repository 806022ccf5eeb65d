import GRDB

/// Tables of lists and prices. The module `Groceries` reads and writes them; they are in this module because every
/// program that opens the database knows all migrations.
extension Migration {
    static let lists = Migration(
        "groceries 1 lists",
        """
        -- `uid` is the identity for imports: osm:NODE:1, place:…; `chain` is the chain's folded name.
        CREATE TABLE grocery_place (
            id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
            chain TEXT NOT NULL, address TEXT, city TEXT, state TEXT, postcode TEXT, country TEXT,
            latitude REAL, longitude REAL, by TEXT
        ) STRICT;
        CREATE INDEX grocery_place_chain ON grocery_place (chain);
        CREATE TABLE grocery_mark (
            person TEXT NOT NULL, place INTEGER NOT NULL REFERENCES grocery_place (id) ON DELETE CASCADE,
            isFavorite INTEGER NOT NULL, isDefault INTEGER NOT NULL, PRIMARY KEY (person, place)
        ) STRICT, WITHOUT ROWID;

        -- Products and loose goods; `words` is the name for comparison, `pack` thousandths of a gram or
        -- millilitre.
        CREATE TABLE grocery_product (
            id INTEGER PRIMARY KEY AUTOINCREMENT, gtin INTEGER UNIQUE, category TEXT, name TEXT NOT NULL,
            words TEXT NOT NULL, brand TEXT, pack INTEGER, dimension TEXT, image TEXT, by TEXT
        ) STRICT;
        CREATE INDEX grocery_product_words ON grocery_product (words);
        CREATE INDEX grocery_product_category ON grocery_product (category) WHERE category IS NOT NULL;
        CREATE TABLE grocery_tag (
            id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, colour TEXT NOT NULL, by TEXT
        ) STRICT;
        CREATE TABLE grocery_product_tag (
            product INTEGER NOT NULL REFERENCES grocery_product (id) ON DELETE CASCADE,
            tag INTEGER NOT NULL REFERENCES grocery_tag (id) ON DELETE CASCADE, PRIMARY KEY (product, tag)
        ) STRICT, WITHOUT ROWID;

        -- Lists and who may open them. Times are seconds since 1970.
        CREATE TABLE grocery_list (
            id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, owner TEXT NOT NULL,
            created INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE grocery_member (
            person TEXT NOT NULL, list INTEGER NOT NULL REFERENCES grocery_list (id) ON DELETE CASCADE,
            PRIMARY KEY (person, list)
        ) STRICT, WITHOUT ROWID;
        -- Removing clears isInShoppingList: the history stays. Quantities are thousandths.
        CREATE TABLE grocery_entry (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            list INTEGER NOT NULL REFERENCES grocery_list (id) ON DELETE CASCADE,
            product INTEGER NOT NULL REFERENCES grocery_product (id),
            position INTEGER NOT NULL, quantity INTEGER NOT NULL, unit TEXT NOT NULL,
            isInShoppingList INTEGER NOT NULL, isCompleted INTEGER NOT NULL, isFavorite INTEGER NOT NULL,
            version INTEGER NOT NULL, added INTEGER NOT NULL, updated INTEGER NOT NULL, by TEXT
        ) STRICT;
        CREATE INDEX grocery_entry_list ON grocery_entry (list, position);
        CREATE INDEX grocery_entry_product ON grocery_entry (product);
        -- What can be undone: the entry before the change, null for a new one, and its version after it.
        CREATE TABLE grocery_change (
            id INTEGER PRIMARY KEY AUTOINCREMENT, batch INTEGER NOT NULL, person TEXT NOT NULL,
            list INTEGER NOT NULL REFERENCES grocery_list (id) ON DELETE CASCADE,
            entry INTEGER NOT NULL REFERENCES grocery_entry (id) ON DELETE CASCADE,
            before BLOB, version INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX grocery_change_person ON grocery_change (list, person, batch);
        """)

    static let prices = Migration(
        "groceries 2 prices",
        """
        -- Observations. Amounts are ten-thousandths, days are counted from 1970. `source` is the
        -- identity for imports and documents.
        CREATE TABLE grocery_price (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            product INTEGER NOT NULL REFERENCES grocery_product (id),
            place INTEGER NOT NULL REFERENCES grocery_place (id),
            amount INTEGER NOT NULL CHECK (amount > 0), currency TEXT NOT NULL, per TEXT NOT NULL,
            isDiscounted INTEGER NOT NULL, day INTEGER NOT NULL, proof TEXT NOT NULL, photo TEXT,
            confidence REAL NOT NULL, contributor TEXT, isRejected INTEGER NOT NULL DEFAULT 0,
            source TEXT UNIQUE
        ) STRICT;
        CREATE INDEX grocery_price_key ON grocery_price (product, place, currency, per, day)
            WHERE isRejected = 0;
        CREATE INDEX grocery_price_contributor ON grocery_price (contributor, isRejected)
            WHERE contributor IS NOT NULL;
        CREATE INDEX grocery_price_photo ON grocery_price (photo) WHERE photo IS NOT NULL;
        CREATE INDEX grocery_price_place ON grocery_price (place);
        -- The most trusted observation of each key; `base` is its trust on its day.
        CREATE TABLE grocery_quote (
            product INTEGER NOT NULL, place INTEGER NOT NULL, currency TEXT NOT NULL, per TEXT NOT NULL,
            amount INTEGER NOT NULL, day INTEGER NOT NULL, base REAL NOT NULL,
            isDiscounted INTEGER NOT NULL,
            PRIMARY KEY (product, place, currency, per)
        ) STRICT, WITHOUT ROWID;

        -- Prices that wait for a person, as JSON; decided ones stay for the contributor's record.
        CREATE TABLE grocery_review (
            id INTEGER PRIMARY KEY AUTOINCREMENT, source TEXT UNIQUE,
            state TEXT NOT NULL CHECK (state IN ('waiting', 'accepted', 'rejected')), reason TEXT NOT NULL,
            contributor TEXT, draft BLOB NOT NULL, photo TEXT, decidedBy TEXT
        ) STRICT;
        CREATE INDEX grocery_review_waiting ON grocery_review (id) WHERE state = 'waiting';
        CREATE INDEX grocery_review_contributor ON grocery_review (contributor, state);
        -- What a chain prints for a product, learnt from decisions.
        CREATE TABLE grocery_abbreviation (
            chain TEXT NOT NULL, printed TEXT NOT NULL,
            product INTEGER NOT NULL REFERENCES grocery_product (id) ON DELETE CASCADE,
            confirmed INTEGER NOT NULL, rejected INTEGER NOT NULL, PRIMARY KEY (chain, printed, product)
        ) STRICT, WITHOUT ROWID;
        -- Measured figures, such as the half-life of prices.
        CREATE TABLE grocery_figure (name TEXT PRIMARY KEY, value REAL NOT NULL) STRICT, WITHOUT ROWID;

        CREATE TABLE grocery_experience (
            id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, rating INTEGER, comment TEXT NOT NULL,
            product INTEGER REFERENCES grocery_product (id), place INTEGER REFERENCES grocery_place (id),
            amountBefore INTEGER, amount INTEGER, currency TEXT, by TEXT, at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX grocery_experience_by ON grocery_experience (by);
        CREATE TABLE grocery_comment (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            experience INTEGER NOT NULL REFERENCES grocery_experience (id) ON DELETE CASCADE,
            parent INTEGER REFERENCES grocery_comment (id) ON DELETE CASCADE,
            text TEXT NOT NULL, by TEXT, at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX grocery_comment_experience ON grocery_comment (experience, id);

        -- Pictures of other servers; `bytes` is null for one that does not exist (status 404).
        CREATE TABLE grocery_image (
            address TEXT PRIMARY KEY, bytes BLOB, status INTEGER NOT NULL, fetched INTEGER NOT NULL
        ) STRICT;
        """)

    static let uploads = Migration(
        "groceries 3 uploads, baskets",
        """
        -- Who sent a photo with a session, until it is known to hold no price.
        CREATE TABLE grocery_upload (photo TEXT PRIMARY KEY, person TEXT NOT NULL) STRICT, WITHOUT ROWID;
        CREATE INDEX grocery_upload_person ON grocery_upload (person);
        CREATE INDEX grocery_review_photo ON grocery_review (photo) WHERE photo IS NOT NULL;

        -- What was cleared from a list as bought. `batch` is the change that undo takes back.
        CREATE TABLE grocery_basket (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            list INTEGER NOT NULL REFERENCES grocery_list (id) ON DELETE CASCADE,
            day INTEGER NOT NULL, batch INTEGER
        ) STRICT;
        CREATE INDEX grocery_basket_day ON grocery_basket (day);
        CREATE INDEX grocery_basket_list ON grocery_basket (list);
        CREATE TABLE grocery_basket_product (
            basket INTEGER NOT NULL REFERENCES grocery_basket (id) ON DELETE CASCADE,
            product INTEGER NOT NULL REFERENCES grocery_product (id) ON DELETE CASCADE,
            PRIMARY KEY (product, basket)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX grocery_basket_content ON grocery_basket_product (basket);
        CREATE INDEX grocery_price_bought ON grocery_price (product, day)
            WHERE isRejected = 0 AND proof = 'receipt' AND photo IS NOT NULL;
        CREATE INDEX grocery_price_trip ON grocery_price (day, product)
            WHERE isRejected = 0 AND proof = 'receipt' AND photo IS NOT NULL;
        """)
}

extension Migration {
    static let shopNames = Migration(
        "14 printed names of shops",
        """
        -- What receipts print for a place, as people corrected it: folded words; without an address the
        -- empty text.
        CREATE TABLE grocery_shop_name (
            name TEXT NOT NULL, address TEXT NOT NULL,
            place INTEGER NOT NULL REFERENCES grocery_place (id) ON DELETE CASCADE,
            PRIMARY KEY (name, address)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX grocery_shop_name_place ON grocery_shop_name (place);
        """)

    /// Changes that phones made without a network.
    static let syncedChanges = Migration(
        "15 changes of lists made without a network",
        """
        -- The keys of the changes that were done, so that none is done twice, and the entry of each; null if
        -- there was nothing to change. `at` is in seconds since 1970.
        CREATE TABLE grocery_sync (
            list INTEGER NOT NULL REFERENCES grocery_list (id) ON DELETE CASCADE,
            key TEXT NOT NULL,
            entry INTEGER REFERENCES grocery_entry (id) ON DELETE CASCADE,
            at INTEGER NOT NULL, PRIMARY KEY (list, key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX grocery_sync_at ON grocery_sync (at);
        CREATE INDEX grocery_sync_entry ON grocery_sync (entry);
        """)

    static let recordedDays = Migration(
        "19 days on which prices were recorded",
        """
        -- The day on which a price was typed or read; null before this version.
        ALTER TABLE grocery_price ADD COLUMN recorded INTEGER;
        """)

    /// Aisles that people gave products.
    /// Null where the words of the name decide.
    static let aisles = Migration("16 aisles of products", "ALTER TABLE grocery_product ADD COLUMN aisle TEXT")

    /// What was typed for an entry that was linked to a product.
    static let typedEntries = Migration("24 typed entries", "ALTER TABLE grocery_entry ADD COLUMN typed TEXT")
}

/// Tables of accounts and sessions, for the module `Accounts`.
extension Migration {
    static let accounts = Migration(
        "accounts 1",
        """
        -- `name` is folded, `person` is as typed. Parameters of scrypt stand beside each hash.
        CREATE TABLE account (
            name TEXT PRIMARY KEY, person TEXT NOT NULL UNIQUE, salt BLOB NOT NULL, hash BLOB NOT NULL,
            cost INTEGER NOT NULL, blockSize INTEGER NOT NULL, lanes INTEGER NOT NULL,
            created INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE account_session (
            hash BLOB PRIMARY KEY, name TEXT NOT NULL REFERENCES account (name) ON DELETE CASCADE,
            expires INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        -- Attempts of the last minute, also for names without an account.
        CREATE TABLE account_try (id INTEGER PRIMARY KEY, name TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
        CREATE INDEX account_try_name ON account_try (name, at);
        """)
}

extension OutcomeStore {
    /// Takes a deleted photo out of lists and prices. Its waiting prices go, because nobody can check them any more.
    /// Accepted prices and the contributor's record stay, without the photo and without what was printed on it.
    static func forgetPrices(ofPhoto photo: String, _ database: Database) throws {
        try database.execute(
            literal: """
                DELETE FROM grocery_upload WHERE photo = \(photo);
                UPDATE grocery_price SET photo = NULL, source = NULL WHERE photo = \(photo);
                DELETE FROM grocery_review WHERE photo = \(photo) AND state <> 'rejected';
                UPDATE grocery_review SET photo = NULL, source = NULL, draft = CAST(
                    json_remove(CAST(draft AS TEXT), '$.photo', '$.printed', '$.merchant') AS BLOB)
                WHERE photo = \(photo);
                """)
    }
}
