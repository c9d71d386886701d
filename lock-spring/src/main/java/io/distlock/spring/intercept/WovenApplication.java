package io.distlock.spring.intercept;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.config.InstantiationAwareBeanPostProcessor;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

import io.distlock.DistributedLock;
import io.distlock.DistributedSemaphore;
import io.distlock.LockTemplate;

/**
 * Makes woven methods of an application's beans run under the application's locks, as
 * long as the application context exists. Register it as a bean if methods are woven.
 * Methods of objects that are not beans are also locked while there is only one such
 * application.
 */
public final class WovenApplication implements InstantiationAwareBeanPostProcessor, InitializingBean, DisposableBean {

	private final Set<WeakIdentity> beans = ConcurrentHashMap.newKeySet();

	private final ReferenceQueue<Object> gone = new ReferenceQueue<>();

	private final MethodInterceptor lock;

	/**
	 * Creates an application whose woven methods are locked.
	 * @param invokers run the annotated methods
	 * @param template acquires the locks; looked up at the first call
	 */
	public WovenApplication(Invokers invokers, Supplier<LockTemplate> template) {
		this(new LockInterceptor(invokers, template, false));
	}

	private WovenApplication(MethodInterceptor lock) {
		this.lock = lock;
	}

	/**
	 * Creates an application that has switched its locks off.
	 * @return an application whose woven methods run without a lock
	 */
	public static WovenApplication withoutLocks() {
		return new WovenApplication(MethodInvocation::proceed);
	}

	@Nullable Object run(MethodInvocation call) throws Throwable {
		return this.lock.invoke(call);
	}

	boolean owns(Object object) {
		return this.beans.contains(new WeakIdentity(object, null));
	}

	@Override
	public boolean postProcessAfterInstantiation(Object bean, String beanName) {
		if (AnnotationUtils.isCandidateClass(ClassUtils.getUserClass(bean),
				List.of(DistributedLock.class, DistributedSemaphore.class))) {
			for (Reference<?> old = this.gone.poll(); old != null; old = this.gone.poll()) {
				this.beans.remove(old);
			}
			this.beans.add(new WeakIdentity(bean, this.gone));
		}
		return true;
	}

	@Override
	public void afterPropertiesSet() {
		WovenLocks.add(this);
	}

	@Override
	public void destroy() {
		WovenLocks.remove(this);
	}

	/**
	 * Identifies an object by reference while it is in use, whatever its {@code equals}
	 * does.
	 */
	private static final class WeakIdentity extends WeakReference<Object> {

		private final int hash;

		WeakIdentity(Object object, @Nullable ReferenceQueue<Object> gone) {
			super(object, gone);
			this.hash = System.identityHashCode(object);
		}

		@Override
		public boolean equals(@Nullable Object other) {
			return this == other
					|| (other instanceof WeakIdentity identity && get() != null && get() == identity.get());
		}

		@Override
		public int hashCode() {
			return this.hash;
		}

	}

}
