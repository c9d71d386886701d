package io.distlock.spring.intercept;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

import org.jspecify.annotations.Nullable;

/** An object as such, whatever it holds itself equal to, and only while it is used. */
final class WeakIdentity extends WeakReference<Object> {

	private final int hash;

	WeakIdentity(Object object, @Nullable ReferenceQueue<Object> gone) {
		super(object, gone);
		this.hash = System.identityHashCode(object);
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return this == other || (other instanceof WeakIdentity identity && get() != null && get() == identity.get());
	}

	@Override
	public int hashCode() {
		return this.hash;
	}

}
