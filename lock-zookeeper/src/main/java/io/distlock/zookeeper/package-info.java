/**
 * A store on Apache ZooKeeper: a lock is a znode that exists while a process holds it or
 * waits for it, a process is one ephemeral znode.
 */
@NullMarked
package io.distlock.zookeeper;

import org.jspecify.annotations.NullMarked;
