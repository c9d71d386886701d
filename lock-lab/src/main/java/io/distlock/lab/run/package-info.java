/**
 * The lab: runs that sell the same items in many ways, with faults, and what came of it.
 */
@NullMarked
package io.distlock.lab.run;

import org.jspecify.annotations.NullMarked;
