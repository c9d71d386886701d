package io.distlock.autoconfigure;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.distlock.autoconfigure.LockProperties.StartupCheck;
import io.distlock.spi.CallingThread;
import io.distlock.spi.LockStore;

import static org.assertj.core.api.Assertions.assertThat;

/** Whatever the engine asks reaches the store, with the thread that may execute it. */
class CheckedStoreTests {

	private final List<Object> asked = new ArrayList<>();

	private final LockStore store = (LockStore) Proxy.newProxyInstance(getClass().getClassLoader(),
			new Class<?>[] { LockStore.class }, (proxy, method, arguments) -> {
				this.asked.add(method.getName());
				if (arguments != null) {
					this.asked.addAll(Arrays.asList(arguments));
				}
				return null;
			});

	@Test
	void everyMethodOfAStoreIsForwarded() throws ReflectiveOperationException {
		CallingThread caller = (task) -> false;
		LockStore checked = new CheckedStore(this.store,
				new StoreCheck(StartupCheck.WARN, "", "", "", () -> StoreCheck.Findings.passed(List.of())));
		for (Method method : LockStore.class.getMethods()) {
			this.asked.clear();
			Object[] arguments = Arrays.stream(method.getParameterTypes())
				.map((type) -> (type == CallingThread.class) ? caller : null)
				.toArray();
			method.invoke(checked, arguments);
			assertThat(this.asked).as(method.toString()).startsWith(method.getName());
			if (Arrays.asList(arguments).contains(caller)) {
				assertThat(this.asked).as(method.toString()).contains(caller);
			}
		}
	}

}
