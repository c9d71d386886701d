package io.distlock.sample.demo;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.Environment;

/**
 * How much the demo sells: {@code --shop.demo.items=…}, {@code --shop.demo.threads=…}.
 *
 * @param items how many there are
 * @param threads how many sell, spread over the nodes
 */
record DemoSettings(@DefaultValue("5000") int items, @DefaultValue("64") int threads) {

	/** Without the lock the items might never run out, so the customers must. */
	int customers() {
		return 2 * this.items;
	}

	static DemoSettings from(Environment environment) {
		return Binder.get(environment).bindOrCreate("shop.demo", DemoSettings.class);
	}

}
