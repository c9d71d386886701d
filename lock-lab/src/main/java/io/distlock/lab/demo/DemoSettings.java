package io.distlock.lab.demo;

import java.util.List;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * What the demo compares: {@code --lab.demo.items=…} and so on.
 *
 * @param items how many there are in each run
 * @param threads how many callers buy, spread over the nodes
 * @param nodes how many processes
 * @param insideMillis how long a caller works
 * @param strategies names of strategies, all if empty
 */
record DemoSettings(@DefaultValue("1000") int items, @DefaultValue("64") int threads, @DefaultValue("2") int nodes,
		@DefaultValue("2") int insideMillis, @DefaultValue List<String> strategies) {

	static DemoSettings from(String... args) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources().addFirst(new SimpleCommandLinePropertySource(args));
		return Binder.get(environment).bindOrCreate("lab.demo", DemoSettings.class);
	}

}
