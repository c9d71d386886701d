CREATE TABLE distributed_lock (
    lock_key   VARCHAR(255) COLLATE Latin1_General_BIN2 NOT NULL PRIMARY KEY,
    revision   BIGINT NOT NULL,
    busy       SMALLINT NOT NULL,
    token      BIGINT NOT NULL,
    record     VARCHAR(MAX) COLLATE Latin1_General_BIN2 NOT NULL,
    holder     VARCHAR(255),
    waiting    INTEGER NOT NULL,
    held_until BIGINT NOT NULL
);
