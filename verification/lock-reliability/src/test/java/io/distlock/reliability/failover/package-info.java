/** Failovers and resharding, over and over, with everybody at work. */
package io.distlock.reliability.failover;
