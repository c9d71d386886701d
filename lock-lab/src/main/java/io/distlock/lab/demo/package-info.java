/**
 * The lab on the command line: all strategies in a table.
 */
@NullMarked
package io.distlock.lab.demo;

import org.jspecify.annotations.NullMarked;
