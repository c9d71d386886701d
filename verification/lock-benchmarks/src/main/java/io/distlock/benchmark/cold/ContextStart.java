package io.distlock.benchmark.cold;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.util.Map;

import io.distlock.benchmark.measure.Machine;
import io.distlock.benchmark.measure.Metric;
import org.aopalliance.intercept.MethodInterceptor;

import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** An application that starts. What is on its class path says what it has. */
public final class ContextStart {

	private ContextStart() {
	}

	/** The application. */
	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

	}

	/**
	 * Runs the process.
	 * @param args host and port of the server, number of beans, what else it does:
	 * {@code nothing}, {@code command} to send a command to the server, or {@code advice}
	 * to do so and have the annotated methods advised by nothing
	 */
	public static void main(String[] args) {
		int beans = Integer.parseInt(args[2]);
		SpringApplication application = new SpringApplication(Application.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		application.setBannerMode(Banner.Mode.OFF);
		application.setDefaultProperties(Map.of("spring.data.redis.host", args[0], "spring.data.redis.port", args[1],
				"logging.level.root", "warn"));
		application.addInitializers((context) -> register((GenericApplicationContext) context, beans, args[3]));
		ConfigurableApplicationContext context = application.run();
		if (!args[3].equals("nothing")) {
			try (RedisConnection connection = context.getBean(RedisConnectionFactory.class).getConnection()) {
				connection.ping();
			}
		}
		NewProcess.report(Metric.START,
				System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime());
		NewProcess.report(Metric.START_CPU, Machine.cpuMicros() / 1e3);
		System.exit(0);
	}

	private static void register(GenericApplicationContext context, int beans, String more) {
		for (int i = 0; i < beans; i++) {
			context.registerBean(type(BeanClasses.name(i)));
		}
		if (more.equals("advice")) {
			context.registerBean("emptyAdvisor", EmptyAdvisor.class, EmptyAdvisor::new,
					(definition) -> definition.setRole(BeanDefinition.ROLE_INFRASTRUCTURE));
		}
	}

	private static Class<?> type(String name) {
		try {
			return Class.forName(name);
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException("The class path has too few beans", ex);
		}
	}

	/** What Spring's proxies cost that do nothing. */
	static final class EmptyAdvisor extends StaticMethodMatcherPointcutAdvisor {

		private static final long serialVersionUID = 1L;

		EmptyAdvisor() {
			super((MethodInterceptor) (invocation) -> invocation.proceed());
			setClassFilter((type) -> type.getName().startsWith(BeanClasses.PREFIX));
		}

		@Override
		public boolean matches(Method method, Class<?> targetClass) {
			return method.isAnnotationPresent(Deprecated.class);
		}

	}

}
