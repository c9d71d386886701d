/**
 * What a run costs: waits, commands, processor time.
 */
@NullMarked
package io.distlock.benchmark.measure;

import org.jspecify.annotations.NullMarked;
