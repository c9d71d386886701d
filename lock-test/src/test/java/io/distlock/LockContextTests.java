package io.distlock;

import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class LockContextTests {

	private final CloseableLockTemplate template = LockTemplateBuilder.forStore(new InMemoryLockStore()).build();

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

	@Test
	void fencingTokenWhenNestedThenOfTheInnermost() {
		this.template.run("outer", (outer) -> this.template.run("inner",
				(inner) -> assertThat(LockContext.fencingToken()).isEqualTo(inner.fencingToken()).isPositive()));
		this.template.run("outer", (outer) -> assertThat(LockContext.fencingToken()).isEqualTo(outer.fencingToken()));
	}

	@Test
	void fencingTokenWhenThereIsNoLockThenRefused() {
		assertThatIllegalStateException().isThrownBy(LockContext::fencingToken)
			.withMessageStartingWith("There is no fencing token: thread '");
	}

}
