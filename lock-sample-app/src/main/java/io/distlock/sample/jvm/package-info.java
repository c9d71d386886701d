/**
 * Processes of the shop that end with the main process.
 */
@NullMarked
package io.distlock.sample.jvm;

import org.jspecify.annotations.NullMarked;
