/**
 * The laboratory: an application that breaks locks of many kinds.
 */
@NullMarked
package io.distlock.lab;

import org.jspecify.annotations.NullMarked;
