/**
 * What is measured, one class per letter.
 */
@NullMarked
package io.distlock.benchmark.scenario;

import org.jspecify.annotations.NullMarked;
