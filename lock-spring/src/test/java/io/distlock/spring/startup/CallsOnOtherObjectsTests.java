package io.distlock.spring.startup;

import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.ObjectProvider;

import io.distlock.DistributedLock;

import static org.assertj.core.api.Assertions.assertThat;

/** What looks like a call within the object but is one on another object. */
class CallsOnOtherObjectsTests {

	@ParameterizedTest
	@ValueSource(classes = { OnParameter.class, OnField.class, OnResult.class, OnProvidedBean.class,
			InStaticLambda.class, ByClassReference.class, AfterLock.class, AfterLockOnField.class, AfterStore.class,
			AfterStoredResult.class, AfterComparison.class, AfterComparisonOfThis.class, AfterTypeTest.class,
			AfterReturn.class, AfterFields.class })
	void acceptsCallOnAnotherObject(Class<?> type) {
		assertThat(SelfInvocationTests.warnings(type)).isEmpty();
	}

	static class OnParameter {

		public void run(OnParameter other, String sku) {
			other.deduct((sku != null) ? sku : toString());
		}

		@DistributedLock(name = "stock", key = "#sku")
		public void deduct(String sku) {
		}

	}

	static class OnField {

		private final OnField self = null;

		public void run(String sku) {
			this.self.deduct(sku);
		}

		@DistributedLock(name = "stock", key = "#sku")
		public void deduct(String sku) {
		}

	}

	static class OnResult {

		public OnResult self() {
			return this;
		}

		public static OnResult proxy(OnResult of, String sku) {
			return of;
		}

		public void run(String sku) {
			self().deduct(sku);
			proxy(this, sku).deduct(sku);
		}

		@DistributedLock(name = "stock", key = "#sku")
		public void deduct(String sku) {
		}

	}

	/** The cure that the warning names, after statements that pass the object on. */
	static class OnProvidedBean {

		private final ObjectProvider<OnProvidedBean> self = null;

		private int calls;

		public void run(Executor executor, String sku) {
			this.calls++;
			executor.execute(new Runnable() {
				@Override
				public void run() {
					OnProvidedBean.this.calls++;
				}
			});
			executor.execute(() -> this.calls++);
			this.self.getObject().deduct(sku);
		}

		@DistributedLock(name = "stock", key = "#sku")
		public void deduct(String sku) {
		}

	}

	static class InStaticLambda {

		public Consumer<InStaticLambda> run() {
			return (other) -> other.deduct("book");
		}

		@DistributedLock(name = "stock", key = "#sku")
		public void deduct(String sku) {
		}

	}

	static class ByClassReference {

		public BiConsumer<ByClassReference, String> run() {
			return ByClassReference::deduct;
		}

		@DistributedLock(name = "stock", key = "#sku")
		public void deduct(String sku) {
		}

	}

	static class AfterLock {

		public void run(ObjectProvider<AfterLock> self) {
			synchronized (this) {
				self.getObject().deduct();
			}
		}

		@DistributedLock(name = "stock")
		public void deduct() {
		}

	}

	static class AfterLockOnField {

		private final AfterLockOnField self = null;

		public void run() {
			synchronized (this) {
				this.self.deduct();
			}
		}

		@DistributedLock(name = "stock")
		public void deduct() {
		}

	}

	static class AfterStore {

		public Object run(AfterStore proxy) {
			Object lock = this;
			proxy.deduct();
			return lock;
		}

		@DistributedLock(name = "stock")
		public void deduct() {
		}

	}

	static class AfterStoredResult {

		public Object run(AfterStoredResult proxy, Map<String, Object> all) {
			String name = "of " + this;
			String formatted = String.format("%s %s", this, name);
			Object before = all.put(formatted, this);
			all.getOrDefault(name, this);
			proxy.deduct();
			return before;
		}

		@DistributedLock(name = "stock")
		public void deduct() {
		}

	}

	static class AfterComparison {

		public void run(AfterComparison other) {
			if (other != this) {
				other.deduct();
			}
		}

		@DistributedLock(name = "stock")
		public void deduct() {
		}

	}

	static class AfterComparisonOfThis {

		public void run(AfterComparisonOfThis other) {
			if (this != other) {
				other.deduct();
			}
		}

		@DistributedLock(name = "stock")
		public void deduct() {
		}

	}

	static class AfterTypeTest {

		public void run(AfterTypeTest proxy) {
			if (this instanceof Runnable) {
				proxy.deduct();
			}
		}

		@DistributedLock(name = "stock")
		public void deduct() {
		}

	}

	static class AfterReturn {

		public AfterReturn run(AfterReturn proxy) {
			if (proxy == null) {
				return this;
			}
			proxy.deduct();
			return proxy;
		}

		@DistributedLock(name = "stock")
		public void deduct() {
		}

	}

	static class AfterFields {

		private static AfterFields last;

		private AfterFields own;

		private Object result;

		public void run(AfterFields proxy, ExecutorService executor) {
			this.own = this;
			last = this;
			this.result = executor.submit((Runnable) (Object) this);
			proxy.deduct();
		}

		@DistributedLock(name = "stock")
		public void deduct() {
		}

	}

}
