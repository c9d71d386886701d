package com.example.wallet;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;

/** An application with JPA, method security and open-in-view, as payment modules have. */
@SpringBootApplication
@EnableMethodSecurity
public class WalletApplication {

	public static void main(String[] args) {
		SpringApplication.run(WalletApplication.class, args);
	}

	@Bean
	FraudCheck fraudCheck() {
		return (owner, amount) -> {
		};
	}

	/** A service of others. */
	interface FraudCheck {

		void check(String owner, long amount);

	}

	/** Told to other parts of the application. */
	record Paid(String owner) {

	}

}
