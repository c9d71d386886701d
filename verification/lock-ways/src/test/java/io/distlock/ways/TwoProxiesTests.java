package io.distlock.ways;

import java.util.concurrent.CompletableFuture;

import io.distlock.DistributedLock;
import io.distlock.DistributedSemaphore;
import io.distlock.LockContext;

import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two creators of proxies, as Apache Shiro's usual configuration has, put one proxy into
 * another. A call takes its lock once, in the outer proxy.
 */
class TwoProxiesTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withUserConfiguration(LockedApp.class, Makings.Creator.class, Work.class);

	@Test
	void locksOnce() {
		this.runner.run((context) -> {
			Work work = context.getBean(Work.class);
			assertThat(work.locks()).isEqualTo(1);
			assertThat(work.stage().join()).isEqualTo(1);
			assertThat(work.mono().block()).isEqualTo("done");
		});
	}

	@Test
	void takesOneOfOnePermit() {
		this.runner.run((context) -> {
			Work work = context.getBean(Work.class);
			assertThat(work.permit()).isEqualTo("done");
			assertThat(work.permitOfStage().join()).isEqualTo("done");
			assertThat(work.permitOfMono().block()).isEqualTo("done");
		});
	}

	@Test
	void locksWhatTheBodyCallsOnTheSameBeanAnew() {
		this.runner.run((context) -> assertThat(context.getBean(Work.class).twoLocks(context.getBean(Work.class)))
			.isEqualTo(2));
	}

	static class Work {

		@DistributedLock(name = "lock")
		public int locks() {
			return LockContext.all().size();
		}

		@DistributedLock(name = "outer")
		public int twoLocks(Work proxy) {
			return proxy.locks();
		}

		@DistributedLock(name = "stage")
		public CompletableFuture<Integer> stage() {
			return CompletableFuture.completedFuture(LockContext.all().size());
		}

		@DistributedLock(name = "mono")
		public Mono<String> mono() {
			return Mono.just("done");
		}

		@DistributedSemaphore(name = "permit", permits = "1", waitTime = "0")
		public String permit() {
			return "done";
		}

		@DistributedSemaphore(name = "stage-permit", permits = "1", waitTime = "0")
		public CompletableFuture<String> permitOfStage() {
			return CompletableFuture.completedFuture("done");
		}

		@DistributedSemaphore(name = "mono-permit", permits = "1", waitTime = "0")
		public Mono<String> permitOfMono() {
			return Mono.just("done");
		}

	}

}
