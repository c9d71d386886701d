package io.distlock;

import io.distlock.memory.InMemoryLockStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LockContextTests {

	private final DefaultLockTemplate template = new DefaultLockTemplate(new InMemoryLockStore(),
			LockSettings.DEFAULTS);

	@AfterEach
	void close() {
		this.template.close();
	}

	@Test
	void currentWhenNestedThenInnermost() {
		this.template.run("outer", (outer) -> {
			this.template.run("inner", (inner) -> assertThat(LockContext.current()).containsSame(inner));
			assertThat(LockContext.current()).containsSame(outer);
		});
		assertThat(LockContext.current()).isEmpty();
	}

}
