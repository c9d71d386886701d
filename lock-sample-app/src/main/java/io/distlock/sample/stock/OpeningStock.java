package io.distlock.sample.stock;

import java.util.Map;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.stereotype.Component;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** Puts the first items on the shelf; a node that starts later changes nothing. */
@Component
@EnableConfigurationProperties(OpeningStock.Properties.class)
class OpeningStock implements ApplicationRunner {

	private final Shelf shelf;

	private final Properties properties;

	OpeningStock(Shelf shelf, Properties properties) {
		this.shelf = shelf;
		this.properties = properties;
	}

	@Override
	public void run(ApplicationArguments args) {
		this.properties.stock().forEach(this.shelf::putIfUnknown);
	}

	/**
	 * What the shop opens with.
	 *
	 * @param stock number of items by sku
	 */
	@ConfigurationProperties("shop")
	record Properties(@DefaultValue Map<String, Integer> stock) {
	}

}
