/**
 * From samples to tables.
 */
@NullMarked
package io.distlock.benchmark.report;

import org.jspecify.annotations.NullMarked;
