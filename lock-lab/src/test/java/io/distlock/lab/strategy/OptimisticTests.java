package io.distlock.lab.strategy;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DataAccessException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class OptimisticTests {

	private static final String STOCK = "lab:stock";

	private static RedisServer server;

	private final List<Integer> sold = new ArrayList<>();

	private final AtomicInteger conflicts = new AtomicInteger();

	private final AtomicInteger works = new AtomicInteger();

	private StrategySupport support;

	private Strategy optimistic;

	@BeforeAll
	static void start() {
		server = RedisServer.start();
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	@BeforeEach
	void open() {
		server.command("SET", STOCK, "10");
		String address = server.host() + ":" + server.port();
		this.support = new StrategySupport(new Places(address, "", address, List.of(), "", "", "", ""), 1,
				Happenings.NONE);
		this.optimistic = new Optimistic(this.support);
	}

	@AfterEach
	void close() {
		this.support.close();
	}

	@Test
	void sellWhenNobodyElseWritesThenSoldAtOnce() {
		assertThat(this.optimistic.sell(customer(() -> {
		}))).isTrue();
		assertThat(this.sold).containsExactly(10);
		assertThat(this.conflicts).hasValue(0);
		assertThat(stored()).isEqualTo("9");
	}

	@Test
	void sellWhenAnotherIsFasterThenReadAgain() {
		assertThat(this.optimistic.sell(customer(() -> {
			if (this.works.incrementAndGet() <= 2) {
				server.command("DECR", STOCK);
			}
		}))).isTrue();
		assertThat(this.sold).containsExactly(8);
		assertThat(this.conflicts).hasValue(2);
		assertThat(stored()).isEqualTo("7");
	}

	@Test
	void sellWhenAnotherIsAlwaysFasterThenEndsAndNothingIsWritten() {
		assertThat(this.optimistic.sell(customer(() -> server.command("INCR", STOCK)))).isTrue();
		assertThat(this.sold).isEmpty();
		assertThat(this.conflicts).hasValue(16);
		assertThat(stored()).isEqualTo("26");
	}

	@Test
	void sellWhenNothingIsLeftThenNothingIsWritten() {
		server.command("SET", STOCK, "0");
		assertThat(this.optimistic.sell(customer(() -> {
		}))).isFalse();
		assertThat(this.sold).isEmpty();
		assertThat(stored()).isEqualTo("0");
	}

	@Test
	void sellWhenConnectionIsCutBetweenReadAndWriteThenNothingIsWritten() {
		assertThatExceptionOfType(DataAccessException.class).isThrownBy(() -> this.optimistic.sell(customer(() -> {
			server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
			server.command("SET", STOCK, "3");
		})));
		assertThat(this.sold).isEmpty();
		assertThat(stored()).isEqualTo("3");
		assertThat(this.optimistic.sell(customer(() -> {
		}))).isTrue();
		assertThat(stored()).isEqualTo("2");
	}

	private static String stored() {
		return String.valueOf(server.command("GET", STOCK));
	}

	private Customer customer(Runnable work) {
		return (Customer) Proxy.newProxyInstance(Customer.class.getClassLoader(), new Class<?>[] { Customer.class },
				(proxy, method, arguments) -> {
					switch (method.getName()) {
						case "work" -> work.run();
						case "sold" -> this.sold.add((Integer) arguments[0]);
						case "conflict" -> this.conflicts.incrementAndGet();
						default -> throw new IllegalStateException(method.getName());
					}
					return null;
				});
	}

}
