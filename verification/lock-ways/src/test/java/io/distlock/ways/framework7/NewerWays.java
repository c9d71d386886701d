package io.distlock.ways.framework7;

import java.util.stream.Stream;

import io.distlock.DistributedLock;
import io.distlock.ways.Way;
import io.distlock.ways.Witness;

import org.springframework.beans.factory.BeanRegistrar;
import org.springframework.beans.factory.BeanRegistry;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;

/** What Spring Framework 6 does not have. */
public final class NewerWays {

	private NewerWays() {
	}

	/** Returns the ways. */
	public static Stream<Way> ways() {
		return Stream.of(Way.of("The bean", "comes from a `BeanRegistrar`").with(Registered.class).calls((app) -> {
			app.getBean("plain", Work.class).work();
			app.getBean("supplied", Work.class).work();
		}), Way.of("Called by", "`@Retryable` of Spring Framework 7")
			.with(Retrying.class, RetriedWork.class)
			.calls((app) -> app.getBean(RetriedWork.class).work()));
	}

	static class Work {

		@DistributedLock(name = Witness.LOCK)
		public String work() {
			return Witness.work();
		}

	}

	static class Registrar implements BeanRegistrar {

		@Override
		public void register(BeanRegistry registry, Environment environment) {
			registry.registerBean("plain", Work.class);
			registry.registerBean("supplied", Work.class, (spec) -> spec.supplier((context) -> new Work()));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Registrar.class)
	static class Registered {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableResilientMethods(proxyTargetClass = true)
	static class Retrying {

	}

	static class RetriedWork {

		private boolean failed;

		@Retryable
		@DistributedLock(name = Witness.LOCK)
		public String work() {
			Witness.work();
			if (!this.failed) {
				this.failed = true;
				throw new IllegalStateException("The first attempt fails");
			}
			return "done";
		}

	}

}
