/**
 * Real processes that contend for locks, faults for them, and the judge of what they did.
 */
package io.distlock.reliability.rig;
