package com.example.wallet;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

@RestController
class WalletController {

	private final WalletRepository wallets;

	private final WalletService service;

	WalletController(WalletRepository wallets, WalletService service) {
		this.wallets = wallets;
		this.service = service;
	}

	@PostMapping("/wallets/{owner}/payments")
	long pay(@PathVariable String owner, @RequestParam long amount) {
		this.wallets.findById(owner).orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND));
		return this.service.pay(owner, amount);
	}

}
