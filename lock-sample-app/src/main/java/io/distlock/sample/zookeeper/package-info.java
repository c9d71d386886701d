/**
 * Starts a ZooKeeper for this process when locks are to be kept there and no address is
 * configured.
 */
@NullMarked
package io.distlock.sample.zookeeper;

import org.jspecify.annotations.NullMarked;
