package io.distlock.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.StaticListableBeanFactory;

import io.distlock.LockListener;
import io.distlock.observe.LockActivityListener;
import io.distlock.observe.LockReleased;

import static org.assertj.core.api.Assertions.assertThat;

class LockListenersTests {

	private static final LockReleased RELEASED = new LockReleased("stock", "stock:42", "Stock.sell", 1, Duration.ZERO);

	private static LockListeners listeners(LockListener... listeners) {
		StaticListableBeanFactory beans = new StaticListableBeanFactory();
		for (LockListener listener : listeners) {
			beans.addBean("listener" + beans.getBeanDefinitionCount(), listener);
		}
		LockListeners all = new LockListeners(beans.getBeanProvider(LockListener.class));
		all.afterSingletonsInstantiated();
		return all;
	}

	@Test
	void aListenerThatIsSwitchedOnLaterIsAskedEachTime() {
		Switched listener = new Switched();
		LockListeners all = listeners(listener);
		assertThat(all.isActive()).isFalse();
		listener.on.set(true);
		assertThat(all.isActive()).isTrue();
		all.released(RELEASED);
		listener.on.set(false);
		assertThat(all.isActive()).isFalse();
		all.released(RELEASED);
		assertThat(listener.released).containsExactly(RELEASED);
	}

	@Test
	void aListenerThatThrowsHidesNothingFromTheOthers() {
		LockActivityListener broken = new LockActivityListener() {

			@Override
			public boolean isActive() {
				throw new AssertionError("listener");
			}

		};
		LockActivityListener brokenLater = new LockActivityListener() {

			@Override
			public void released(LockReleased released) {
				throw new AssertionError("listener");
			}

		};
		Switched listener = new Switched();
		listener.on.set(true);
		LockListeners all = listeners(broken, brokenLater, listener);
		assertThat(all.isActive()).isTrue();
		all.released(RELEASED);
		assertThat(listener.released).containsExactly(RELEASED);
	}

	private static final class Switched implements LockActivityListener {

		private final AtomicBoolean on = new AtomicBoolean();

		private final List<LockReleased> released = new ArrayList<>();

		@Override
		public boolean isActive() {
			return this.on.get();
		}

		@Override
		public void released(LockReleased released) {
			this.released.add(released);
		}

	}

}
