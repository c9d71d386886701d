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
	 * user is refused at once instead of waiting for the first.
	 * @param claim the voucher and who wants it; both together are the key of the lock
	 * @return the order
	 * @throws AlreadyOrderedException if the user has one
	 */
	@DistributedLock(name = "voucher", key = "#claim", waitTime = "0")
	public VoucherOrder order(Claim claim) {
		return this.orders.write(claim);
	}

}
