/**
 * The lab: runs that sell the same items in many ways, with faults, and what came of it.
 */
@NullMarked
package io.distlock.sample.lab;

import org.jspecify.annotations.NullMarked;
