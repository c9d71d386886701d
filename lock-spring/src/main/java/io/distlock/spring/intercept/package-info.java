/**
 * Internal. Executes one call of an annotated method. It acquires the lock, runs the body
 * on the calling thread, as a stage or as a publisher, and releases the lock. If there is
 * no lock, it answers instead of the body. It also handles open transactions, commit
 * guards and woven methods.
 */
@NullMarked
package io.distlock.spring.intercept;

import org.jspecify.annotations.NullMarked;
