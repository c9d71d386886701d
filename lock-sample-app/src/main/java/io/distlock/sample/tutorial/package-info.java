/**
 * What the tutorials begin with, to be compared with the shop. Nothing here is to be
 * copied.
 */
@NullMarked
package io.distlock.sample.tutorial;

import org.jspecify.annotations.NullMarked;
