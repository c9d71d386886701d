/** {@code @DistributedLock} woven into methods by AspectJ. */
@NullMarked
package io.distlock.aspectj;

import org.jspecify.annotations.NullMarked;
