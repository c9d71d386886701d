package io.distlock.sample.tutorial;

import io.distlock.sample.stock.StockLevel;

import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class TutorialController {

	private final SynchronizedStock stock;

	TutorialController(SynchronizedStock stock) {
		this.stock = stock;
	}

	@PostMapping("/synchronized/{sku}/deduct")
	StockLevel deduct(@PathVariable String sku) {
		return this.stock.deduct(sku);
	}

}
