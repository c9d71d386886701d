package io.distlock.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** A small shop, of which any number of nodes may run. */
@SpringBootApplication
public class ShopApplication {

	/**
	 * Starts a node of the shop.
	 * @param args Spring properties
	 */
	public static void main(String[] args) {
		SpringApplication.run(ShopApplication.class, args);
	}

}
