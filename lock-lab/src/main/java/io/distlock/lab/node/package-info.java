/**
 * A process of the lab, in which customers buy.
 */
@NullMarked
package io.distlock.lab.node;

import org.jspecify.annotations.NullMarked;
