package io.distlock.spring.intercept;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import io.distlock.spring.definition.LockedMethodId;

/**
 * Runs woven methods under the locks of their application. One aspect serves all
 * applications of a class loader, so the called object decides which application it is.
 */
public final class WovenLocks {

	private static final List<WovenApplication> APPLICATIONS = new CopyOnWriteArrayList<>();

	private WovenLocks() {
	}

	/**
	 * Runs a woven method under its lock, unless a proxy has already locked this call.
	 * @param call the call
	 * @return what the method returns
	 * @throws Throwable what the method throws
	 * @throws IllegalStateException if no application could lock the method, which then
	 * does not run
	 */
	public static @Nullable Object run(MethodInvocation call) throws Throwable {
		MarkedInvocation body = new MarkedInvocation(call, null);
		Object target = call.getThis();
		if (target == null) {
			throw refused(call, "the method is static, so there is no bean whose application could lock it");
		}
		return LockedByProxy.hasLocked(call) ? body.proceed() : applicationOf(target, call).run(body);
	}

	private static WovenApplication applicationOf(Object target, MethodInvocation call) {
		List<WovenApplication> applications = List.copyOf(APPLICATIONS);
		for (WovenApplication application : applications) {
			if (applications.size() == 1 || application.owns(target)) {
				return application;
			}
		}
		throw refused(call, applications.isEmpty()
				? "the method is woven, but no application context is there to lock it. It was called before the "
						+ "context was configured or after it was closed, or distributed-lock.advice-mode is not 'aspectj'"
				: "there are several application contexts, and the object is a bean of none of them, so it is not "
						+ "known whose locks are meant");
	}

	private static IllegalStateException refused(MethodInvocation call, String reason) {
		Object target = call.getThis();
		LockedMethodId id = (target != null) ? new LockedMethodId(call.getMethod(), target.getClass())
				: new LockedMethodId(call.getMethod());
		return new IllegalStateException(id.title() + ": " + reason + ". The method was not run");
	}

	static void add(WovenApplication application) {
		APPLICATIONS.add(application);
	}

	static void remove(WovenApplication application) {
		APPLICATIONS.remove(application);
	}

}
