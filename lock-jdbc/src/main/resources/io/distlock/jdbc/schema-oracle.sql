CREATE TABLE distributed_lock (
    lock_key   VARCHAR2(255 CHAR) NOT NULL PRIMARY KEY,
    revision   NUMBER(19) NOT NULL,
    busy       NUMBER(5) NOT NULL,
    token      NUMBER(19) NOT NULL,
    record     CLOB NOT NULL,
    holder     VARCHAR2(255 CHAR),
    waiting    NUMBER(10) NOT NULL,
    held_until NUMBER(19) NOT NULL
);
