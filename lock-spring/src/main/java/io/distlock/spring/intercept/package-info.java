/**
 * Internal. One call of an annotated method: acquires the lock, runs the body on the
 * calling thread, as a stage or as a publisher, and releases the lock; or answers instead
 * when there is no lock. Also open transactions, commit guards and woven methods.
 */
@NullMarked
package io.distlock.spring.intercept;

import org.jspecify.annotations.NullMarked;
