package com.example.wallet;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity
public class Wallet {

	@Id
	private String owner;

	private long balance;

	protected Wallet() {
	}

	Wallet(String owner, long balance) {
		this.owner = owner;
		this.balance = balance;
	}

	String owner() {
		return this.owner;
	}

	long balance() {
		return this.balance;
	}

	void take(long amount) {
		this.balance -= amount;
	}

}
