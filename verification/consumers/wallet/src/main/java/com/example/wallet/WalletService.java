package com.example.wallet;

import java.util.List;

import com.example.wallet.WalletApplication.FraudCheck;
import com.example.wallet.WalletApplication.Paid;
import io.distlock.DistributedLock;
import jakarta.persistence.EntityManager;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class WalletService {

	private final EntityManager entities;

	private final FraudCheck fraud;

	private final ApplicationEventPublisher events;

	WalletService(EntityManager entities, FraudCheck fraud, ApplicationEventPublisher events) {
		this.entities = entities;
		this.fraud = fraud;
		this.events = events;
	}

	// tag::service[]
	@PreAuthorize("#owner == authentication.name")
	@Transactional
	@DistributedLock(name = "wallet", key = "#owner", waitTime = "20s")
	public long pay(String owner, long amount) {
		return take(read(owner), amount);
	}

	@PreAuthorize("#owner == authentication.name")
	@Transactional
	@DistributedLock(name = "wallet", key = "#owner", waitTime = "20s")
	public long order(String owner, List<Long> prices) {
		Wallet wallet = read(owner);
		// Not pay(…): a call within the bean passes by the proxy.
		prices.forEach((price) -> take(wallet, price));
		return wallet.balance();
	}

	private Wallet read(String owner) {
		Wallet wallet = this.entities.find(Wallet.class, owner);
		this.entities.refresh(wallet); // the controller may have read it before the lock
		return wallet;
	}

	private long take(Wallet wallet, long amount) {
		this.fraud.check(wallet.owner(), amount);
		wallet.take(amount);
		this.events.publishEvent(new Paid(wallet.owner()));
		return wallet.balance();
	}
	// end::service[]

}
