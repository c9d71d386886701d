CREATE TABLE IF NOT EXISTS distributed_lock (
    lock_key   VARCHAR(255) NOT NULL PRIMARY KEY,
    revision   BIGINT NOT NULL,
    busy       SMALLINT NOT NULL,
    token      BIGINT NOT NULL,
    record     VARCHAR(1000000) NOT NULL,
    holder     VARCHAR(255),
    waiting    INTEGER NOT NULL,
    held_until BIGINT NOT NULL
);
