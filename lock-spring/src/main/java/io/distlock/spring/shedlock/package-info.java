/**
 * Gives ShedLock the locks of this application.
 */
@NullMarked
package io.distlock.spring.shedlock;

import org.jspecify.annotations.NullMarked;
