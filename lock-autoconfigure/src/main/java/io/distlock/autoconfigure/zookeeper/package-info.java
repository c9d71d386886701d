/** Wires the store on ZooKeeper, on the application's client or a separate client. */
@NullMarked
package io.distlock.autoconfigure.zookeeper;

import org.jspecify.annotations.NullMarked;
