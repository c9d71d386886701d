/**
 * A real browser for tests of pages.
 */
@NullMarked
package io.distlock.browser;

import org.jspecify.annotations.NullMarked;
