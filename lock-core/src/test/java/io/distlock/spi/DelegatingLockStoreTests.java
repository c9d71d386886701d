package io.distlock.spi;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class DelegatingLockStoreTests {

	private final List<Method> called = new ArrayList<>();

	private final LockStore delegate = (LockStore) Proxy.newProxyInstance(LockStore.class.getClassLoader(),
			new Class<?>[] { LockStore.class }, (proxy, method, arguments) -> {
				this.called.add(method);
				return null;
			});

	private static Stream<Method> methods() {
		return Arrays.stream(LockStore.class.getMethods())
			.filter((method) -> !Modifier.isStatic(method.getModifiers()));
	}

	/** Also what later versions add to the interface, with a default or without. */
	@ParameterizedTest
	@MethodSource("methods")
	void everyMethodIsPassedOn(Method method) throws Exception {
		DelegatingLockStore store = new DelegatingLockStore(this.delegate) {
		};
		method.invoke(store, new Object[method.getParameterCount()]);
		assertThat(this.called).singleElement()
			.satisfies((passed) -> assertThat(passed.getName()).isEqualTo(method.getName()));
		boolean forCallers = Stream.of(passed().getParameterTypes()).anyMatch(CallingThread.class::equals);
		boolean hasFormForCallers = methods().filter((each) -> each.getName().equals(method.getName())).count() > 1;
		assertThat(forCallers).isEqualTo(hasFormForCallers);
	}

	private Method passed() {
		return this.called.get(0);
	}

}
