package io.distlock.ways;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * One way in which Spring reaches an annotated method.
 *
 * @param group what the way is about
 * @param text names the way on the page
 * @param instead what to do if the way does not take the lock, else empty
 * @param replaced whether a test puts another object in place of the bean
 * @param older whether the newest line of Spring Boot does not have the way
 * @param application runs an application that calls the method in this way
 */
public record Way(String group, String text, String instead, boolean replaced, boolean older, Callable<?> application) {

	static final String DECLARED = "Declared";

	static final String MADE = "The bean";

	static final String CALLED = "Called by";

	/** Describes an application with one way. */
	public static Builder of(String group, String text) {
		return new Builder(group, text);
	}

	/** Collects what an application consists of. */
	public static final class Builder {

		private final List<Class<?>> sources = new ArrayList<>(List.of(LockedApp.class));

		private final List<String> properties = new ArrayList<>();

		private Consumer<GenericApplicationContext> before = (context) -> {
		};

		private String instead = "";

		private boolean replaced;

		private boolean older;

		private final String group;

		private final String text;

		private Builder(String group, String text) {
			this.group = group;
			this.text = text;
		}

		public Builder with(Class<?>... sources) {
			this.sources.addAll(List.of(sources));
			return this;
		}

		Builder with(String... properties) {
			this.properties.addAll(List.of(properties));
			return this;
		}

		/** Prepares the context. */
		public Builder before(Consumer<GenericApplicationContext> before) {
			this.before = before;
			return this;
		}

		/** Says what to do where the lock is not taken. */
		public Builder instead(String instead) {
			this.instead = instead;
			return this;
		}

		/** Says that the object that runs is not the bean. */
		public Builder replaced() {
			this.replaced = true;
			return this;
		}

		/** Says that the newest line of Spring Boot does not have the way. */
		public Builder older() {
			this.older = true;
			return this;
		}

		/** The start and the end of the application call the method. */
		public Way alone() {
			return calls((context) -> {
			});
		}

		/** Calls the method when the application has started. */
		public Way calls(Call call) {
			return runs(() -> {
				try (ConfigurableApplicationContext context = start()) {
					call.in(context);
				}
				return null;
			});
		}

		/** Runs an application of its own. */
		public Way runs(Callable<?> application) {
			return new Way(this.group, this.text, this.instead, this.replaced, this.older, application);
		}

		private ConfigurableApplicationContext start() {
			return new SpringApplicationBuilder(this.sources.toArray(Class<?>[]::new)).web(WebApplicationType.NONE)
				.initializers((GenericApplicationContext context) -> this.before.accept(context))
				.properties(this.properties.toArray(String[]::new))
				.run();
		}

	}

	/** A call in a running application. */
	@FunctionalInterface
	public interface Call {

		void in(ConfigurableApplicationContext context) throws Exception;

	}

}
