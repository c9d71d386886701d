package io.distlock.sample;

import io.distlock.sample.demo.Demo;

import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * The shop. Serves HTTP, or with {@code --demo} sells out once without and once with the
 * lock and ends.
 */
@SpringBootApplication
public class ShopApplication {

	/**
	 * Starts the shop.
	 * @param args {@code --demo} or any Spring property
	 */
	public static void main(String[] args) {
		if (new DefaultApplicationArguments(args).containsOption("demo")) {
			System.exit(new Demo(ShopApplication.class, System.out).run(args));
		}
		SpringApplication.run(ShopApplication.class, args);
	}

}
