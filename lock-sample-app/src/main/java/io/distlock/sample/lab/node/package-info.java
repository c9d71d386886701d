/**
 * A process of the lab, in which customers buy.
 */
@NullMarked
package io.distlock.sample.lab.node;

import org.jspecify.annotations.NullMarked;
