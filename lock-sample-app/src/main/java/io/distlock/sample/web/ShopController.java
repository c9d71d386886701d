package io.distlock.sample.web;

import java.util.List;

import io.distlock.sample.stock.Shelf;
import io.distlock.sample.stock.StockLevel;
import io.distlock.sample.voucher.OrderBook;
import io.distlock.sample.voucher.Voucher;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Lists what the page of the shop offers. */
@RestController
class ShopController {

	private final Shelf shelf;

	private final OrderBook orders;

	ShopController(Shelf shelf, OrderBook orders) {
		this.shelf = shelf;
		this.orders = orders;
	}

	@GetMapping("/api/shop")
	Offer offer() {
		return new Offer(this.shelf.levels(), this.orders.vouchers());
	}

	record Offer(List<StockLevel> items, List<Voucher> vouchers) {
	}

}
