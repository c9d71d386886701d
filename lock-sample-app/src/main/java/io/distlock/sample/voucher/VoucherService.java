package io.distlock.sample.voucher;

import io.distlock.DistributedLock;

import org.springframework.stereotype.Service;

/** Hands out vouchers, one to a user. */
@Service
public class VoucherService {

	private final OrderBook orders;

	VoucherService(OrderBook orders) {
		this.orders = orders;
	}

	/**
	 * Orders a voucher. The transaction begins and commits inside the lock, in
	 * {@link OrderBook#write}: the next holder sees the order. A second click of the same
	 * user does not wait for the first. The key has the length of the voucher's name, so
	 * that no two pairs of voucher and user are one lock.
	 * @param id the voucher
	 * @param user who wants it
	 * @return the order
	 * @throws AlreadyOrderedException if the user has one
	 */
	@DistributedLock(name = "voucher", key = "#id.length + ':' + #id + ':' + #user", waitTime = "0")
	public VoucherOrder order(String id, String user) {
		return this.orders.write(id, user);
	}

}
