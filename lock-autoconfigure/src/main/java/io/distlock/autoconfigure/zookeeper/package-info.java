/** Wires the store on ZooKeeper, on the application's client or one of its own. */
@NullMarked
package io.distlock.autoconfigure.zookeeper;

import org.jspecify.annotations.NullMarked;
