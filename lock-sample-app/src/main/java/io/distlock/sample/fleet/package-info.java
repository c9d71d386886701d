/**
 * The nodes of the shop, processes of their own, and the balancer before them.
 */
@NullMarked
package io.distlock.sample.fleet;

import org.jspecify.annotations.NullMarked;
