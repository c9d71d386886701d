package io.distlock.spring.definition;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.concurrent.Callable;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;

import io.distlock.DistributedLock;
import io.distlock.DistributedSemaphore;
import io.distlock.FencingToken;

import static org.assertj.core.api.Assertions.assertThat;

/** Types that proxies and checks leave out must have no annotated method. */
class LockAnnotationsTests {

	@ParameterizedTest
	@ValueSource(classes = { OnMethod.class, OnPrivateMethod.class, OnType.class, OnSuperclass.class, OnInterface.class,
			OnInterfaceAbove.class, OnGenericInterface.class, OnDefaultMethod.class, OnTypeOfInterface.class,
			OfSuperclassForInterface.class, Composed.class, Semaphore.class, Api.class })
	void findsATypeWithAnAnnotatedMethodWorthASearch(Class<?> type) {
		assertThat(LockAnnotations.isCandidate(type)).isTrue();
		MetadataLookup<LockAttributes> lookup = (method) -> LockAnnotations.find(method, type);
		assertThat(MethodIntrospector.selectMethods(type, lookup)).isNotEmpty();
	}

	@Test
	void findsTheTypeOfALambdaWorthASearch() {
		Api lambda = () -> "";
		assertThat(LockAnnotations.isCandidate(lambda.getClass())).isTrue();
	}

	/** The annotation is missing there, which the startup reports. */
	@Test
	void findsAParameterForATokenWorthASearch() {
		assertThat(LockAnnotations.isCandidate(OnlyToken.class)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(classes = { Without.class, WithoutBelow.class, Object.class, String.class, Callable.class })
	void searchesNoTypeWithoutAnAnnotation(Class<?> type) {
		assertThat(LockAnnotations.isCandidate(type)).isFalse();
		// Also the answer that is known by then.
		assertThat(LockAnnotations.isCandidate(type)).isFalse();
	}

	static class OnMethod {

		@DistributedLock(name = "a")
		void locked() {
		}

	}

	static class OnPrivateMethod {

		@DistributedLock(name = "a")
		private void locked() {
		}

	}

	@DistributedLock(name = "a")
	static class OnType {

		public void locked() {
		}

	}

	static class OnSuperclass extends OnMethod {

	}

	interface Api {

		@DistributedLock(name = "a")
		String locked();

	}

	static class OnInterface implements Api {

		@Override
		public String locked() {
			return "";
		}

	}

	interface ApiBelow extends Api {

	}

	abstract static class Base implements ApiBelow {

	}

	static class OnInterfaceAbove extends Base {

		@Override
		public String locked() {
			return "";
		}

	}

	interface GenericApi<T> {

		@DistributedLock(name = "a")
		void locked(T value);

	}

	static class OnGenericInterface implements GenericApi<String> {

		@Override
		public void locked(String value) {
		}

	}

	interface DefaultApi {

		@DistributedLock(name = "a")
		default void locked() {
		}

	}

	static class OnDefaultMethod implements DefaultApi {

	}

	@DistributedLock(name = "a")
	interface TypeApi {

		void locked();

	}

	static class OnTypeOfInterface implements TypeApi {

		@Override
		public void locked() {
		}

	}

	static class Implementation {

		public String locked() {
			return "";
		}

	}

	static class OfSuperclassForInterface extends Implementation implements Api {

	}

	@DistributedLock(name = "a")
	@Retention(RetentionPolicy.RUNTIME)
	@interface OurLock {

	}

	static class Composed {

		@OurLock
		void locked() {
		}

	}

	static class Semaphore {

		@DistributedSemaphore(name = "a", permits = "2")
		void locked() {
		}

	}

	static class OnlyToken {

		void write(@FencingToken long token) {
		}

	}

	static class Without implements Callable<String> {

		@Override
		@Deprecated
		public String call() {
			return "";
		}

	}

	static class WithoutBelow extends Without {

	}

}
