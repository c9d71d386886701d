/**
 * A process of the laboratory, in which customers buy.
 */
@NullMarked
package io.distlock.sample.lab.node;

import org.jspecify.annotations.NullMarked;
