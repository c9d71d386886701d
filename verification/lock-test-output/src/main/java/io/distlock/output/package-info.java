/**
 * What tests print, shown for those that fail.
 */
@NullMarked
package io.distlock.output;

import org.jspecify.annotations.NullMarked;
