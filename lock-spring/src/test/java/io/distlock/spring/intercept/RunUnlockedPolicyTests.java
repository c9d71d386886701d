package io.distlock.spring.intercept;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.distlock.CloseableLockTemplate;
import io.distlock.DistributedLock;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;
import io.distlock.OnStoreFailure;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.AcquisitionObserver;
import io.distlock.observe.LockNotTaken;
import io.distlock.observe.LockObserver;
import io.distlock.spring.definition.LockedMethods;

import static org.assertj.core.api.Assertions.assertThat;

/** How often runs without a lock are logged. */
@ExtendWith(OutputCaptureExtension.class)
class RunUnlockedPolicyTests {

	@Test
	void runWithoutLockThenWarnedOfOnceAMinuteWithACount(CapturedOutput output) throws Throwable {
		AtomicLong now = new AtomicLong(5);
		List<LockNotTaken> reported = new ArrayList<>();
		StaticListableBeanFactory beans = new StaticListableBeanFactory();
		beans.addBean("observer", observer(reported));
		RunUnlockedPolicy policy = new RunUnlockedPolicy("@DistributedLock on Jobs.anyway()", new UnlockedCalls(beans),
				now::get);
		LockedMethods methods = new LockedMethods(new DefaultListableBeanFactory(), Map.of());
		Jobs target = new Jobs();
		Method method = Jobs.class.getMethod("anyway");
		try (CloseableLockTemplate template = LockTemplateBuilder.forStore(new InMemoryLockStore()).build()) {
			LockedCall call = new LockedCall(new Call(method, target), target, methods.get(method, Jobs.class),
					template, null);
			for (long seconds : List.of(0L, 1L, 59L, 60L, 119L, 121L)) {
				now.set(5 + TimeUnit.SECONDS.toNanos(seconds));
				policy.answer(call, new LockStoreException("", "away at " + seconds, null));
			}
		}
		assertThat(reported).hasSize(6)
			.allSatisfy((run) -> assertThat(run.reason()).isEqualTo(LockNotTaken.Reason.STORE_FAILURE));
		assertThat(output.getOut().lines().filter((line) -> line.contains("WITHOUT its lock")).toList())
			.satisfiesExactly((line) -> assertThat(line).contains(", 1 time(s)").endsWith("away at 0"),
					(line) -> assertThat(line).contains(", 3 time(s)").endsWith("away at 60"),
					(line) -> assertThat(line).contains(", 2 time(s)").endsWith("away at 121"));
	}

	private static LockObserver observer(List<LockNotTaken> reported) {
		return new LockObserver() {

			@Override
			public @Nullable AcquisitionObserver acquiring(String store, LockRequest request) {
				return null;
			}

			@Override
			public void notTaken(LockNotTaken lock) {
				reported.add(lock);
			}

		};
	}

	/** A call without a proxy. */
	record Call(Method method, Object target) implements MethodInvocation {

		@Override
		public Method getMethod() {
			return this.method;
		}

		@Override
		public Object[] getArguments() {
			return new Object[0];
		}

		@Override
		public @Nullable Object proceed() throws Throwable {
			return this.method.invoke(this.target);
		}

		@Override
		public Object getThis() {
			return this.target;
		}

		@Override
		public AccessibleObject getStaticPart() {
			return this.method;
		}

	}

	static class Jobs {

		@DistributedLock(name = "job", onStoreFailure = OnStoreFailure.RUN_WITHOUT_LOCK)
		public void anyway() {
		}

	}

}
