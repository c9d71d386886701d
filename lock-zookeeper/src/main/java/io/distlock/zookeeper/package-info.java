/**
 * Contains a store on Apache ZooKeeper. A lock is a znode that exists while a process
 * holds the lock or waits for it. A process is one ephemeral znode.
 */
@NullMarked
package io.distlock.zookeeper;

import org.jspecify.annotations.NullMarked;
