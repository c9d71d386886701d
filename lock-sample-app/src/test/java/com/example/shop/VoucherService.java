package com.example.shop;

import io.distlock.DistributedLock;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** At most three vouchers a day for a user. */
@Service
public class VoucherService {

	private final Vouchers vouchers;

	public VoucherService(Vouchers vouchers) {
		this.vouchers = vouchers;
	}

	// tag::claim[]
	@Transactional
	@DistributedLock(name = "vouchers", key = "#user", waitTime = "3s")
	public void claim(long user, String code) {
		if (this.vouchers.claimedToday(user) >= 3) {
			throw new DailyLimitException(user);
		}
		this.vouchers.add(user, code);
	}
	// end::claim[]

}
