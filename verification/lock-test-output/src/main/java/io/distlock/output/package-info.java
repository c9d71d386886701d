/**
 * What the tests of all modules share: which of them run, how many did, and what those
 * print that fail.
 */
@NullMarked
package io.distlock.output;

import org.jspecify.annotations.NullMarked;
