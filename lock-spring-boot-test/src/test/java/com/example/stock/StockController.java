package com.example.stock;

import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Sells over HTTP. */
@RestController
class StockController {

	private final Stock stock;

	StockController(Stock stock) {
		this.stock = stock;
	}

	@PostMapping("/sell/{sku}")
	void sell(@PathVariable String sku) {
		this.stock.sell(sku);
	}

}
