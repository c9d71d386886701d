/**
 * What a node of the lab writes down, and how it travels.
 */
@NullMarked
package io.distlock.lab.event;

import org.jspecify.annotations.NullMarked;
