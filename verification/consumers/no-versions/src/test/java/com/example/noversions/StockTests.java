package com.example.noversions;

import java.io.File;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.distlock.DistributedLock;
import io.distlock.LockBusyException;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The starter brings one version of Spring if the application names none. */
class StockTests {

	private static final Pattern SPRING = Pattern
		.compile("org/springframework(?<project>/boot|/data)?/[^/]+/(?<version>[^/]+)/[^/]+\\.jar");

	@Test
	void onlyOneSellsTheBook() {
		try (RedisServer redis = RedisServer.start();
				ConfigurableApplicationContext shop = new SpringApplicationBuilder(Shop.class)
					.properties("spring.data.redis.port=" + redis.port())
					.run()) {
			Stock stock = shop.getBean(Stock.class);
			stock.sell("book", () -> {
				CompletableFuture<Void> other = CompletableFuture.runAsync(() -> stock.sell("book", () -> {
				}));
				assertThatThrownBy(other::join).hasCauseInstanceOf(LockBusyException.class);
			});
		}
	}

	@Test
	void jarsOfSpringAreOfOneVersion() {
		Map<String, Set<String>> versions = new TreeMap<>();
		for (String jar : System.getProperty("java.class.path").split(Pattern.quote(File.pathSeparator))) {
			Matcher matcher = SPRING.matcher(jar.replace(File.separatorChar, '/'));
			if (matcher.find()) {
				versions.computeIfAbsent(String.valueOf(matcher.group("project")), (key) -> new TreeSet<>())
					.add(matcher.group("version"));
			}
		}
		assertThat(versions).containsOnlyKeys("null", "/boot", "/data")
			.allSatisfy((project, found) -> assertThat(found).hasSize(1));
	}

	@SpringBootApplication
	@Import(Stock.class)
	static class Shop {

	}

	@Service
	static class Stock {

		@DistributedLock(name = "stock", key = "#sku", waitTime = "0s")
		public void sell(String sku, Runnable sale) {
			sale.run();
		}

	}

}
