/**
 * The lab on the command line: all strategies in a table.
 */
@NullMarked
package io.distlock.sample.demo;

import org.jspecify.annotations.NullMarked;
