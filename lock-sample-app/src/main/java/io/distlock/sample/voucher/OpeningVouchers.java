package io.distlock.sample.voucher;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Component;

/** Issues the first vouchers; a node that starts later changes nothing. */
@Component
@EnableConfigurationProperties(OpeningVouchers.Properties.class)
class OpeningVouchers implements ApplicationRunner {

	private final OrderBook book;

	private final Properties properties;

	OpeningVouchers(OrderBook book, Properties properties) {
		this.book = book;
		this.properties = properties;
	}

	@Override
	public void run(ApplicationArguments args) {
		Instant now = Instant.now();
		this.properties.vouchers()
			.forEach((id, voucher) -> this.book.addIfUnknown(new Voucher(id, voucher.title(), voucher.stock(),
					voucher.stock(), now.plus(voucher.beginsIn()), now.plus(voucher.endsIn()))));
	}

	/**
	 * What the shop opens with.
	 *
	 * @param vouchers vouchers by id
	 */
	@ConfigurationProperties("shop")
	record Properties(@DefaultValue Map<String, Opening> vouchers) {
	}

	/**
	 * A voucher at the opening.
	 *
	 * @param title what it says
	 * @param stock how many there are
	 * @param beginsIn when it can be ordered, from the opening
	 * @param endsIn when it is too late, from the opening
	 */
	record Opening(String title, @DefaultValue("10") int stock, @DefaultValue("0s") Duration beginsIn,
			@DefaultValue("30d") Duration endsIn) {
	}

}
