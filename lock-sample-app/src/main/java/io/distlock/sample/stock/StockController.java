package io.distlock.sample.stock;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/stock/{sku}")
class StockController {

	private final Shelf shelf;

	private final StockService service;

	StockController(Shelf shelf, StockService service) {
		this.shelf = shelf;
		this.service = service;
	}

	@GetMapping
	StockLevel level(@PathVariable String sku) {
		return new StockLevel(sku, this.shelf.left(sku));
	}

	@PostMapping("/deduct")
	StockLevel deduct(@PathVariable String sku, @RequestParam(defaultValue = "1") int quantity) {
		return this.service.deduct(sku, quantity);
	}

}
