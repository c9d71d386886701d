/**
 * Contains classes that make a database refuse the writes of earlier holders of a lock.
 */
@NullMarked
package io.distlock.spring.fencing;

import org.jspecify.annotations.NullMarked;
