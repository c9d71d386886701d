package io.distlock.sample.voucher;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
class VoucherController {

	private final VoucherService vouchers;

	VoucherController(VoucherService vouchers) {
		this.vouchers = vouchers;
	}

	@PostMapping("/vouchers/{id}/orders")
	@ResponseStatus(HttpStatus.CREATED)
	VoucherOrder order(@PathVariable String id, @RequestParam String user) {
		return this.vouchers.order(new Claim(id, user));
	}

}
