package io.distlock.sample.price;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/prices/{sku}")
class PriceController {

	private final PriceService prices;

	PriceController(PriceService prices) {
		this.prices = prices;
	}

	@GetMapping
	ResponseEntity<Price> price(@PathVariable String sku) {
		return ResponseEntity.of(this.prices.find(sku).map((cents) -> new Price(sku, cents)));
	}

	@PutMapping
	Price publish(@PathVariable String sku, @RequestParam int cents) {
		this.prices.publish(sku, cents, 0);
		return new Price(sku, cents);
	}

	record Price(String sku, int cents) {
	}

}
