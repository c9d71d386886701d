package io.distlock.sample.overview;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import io.distlock.sample.fleet.Fleet;
import io.distlock.sample.fleet.NodeView;
import io.distlock.sample.overview.LockWatch.LockView;
import io.distlock.sample.overview.ShopLog.Line;
import io.distlock.sample.stock.Shelf;
import io.distlock.sample.stock.StockLevel;
import io.distlock.sample.voucher.OrderBook;
import io.distlock.sample.voucher.Voucher;
import io.distlock.sample.web.EventStreams;

import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

@RestController
@RequestMapping("/api/shop")
class OverviewController {

	private final Shelf shelf;

	private final OrderBook orders;

	private final Fleet fleet;

	private final LockWatch locks;

	private final ShopLog log;

	private final EventStreams streams;

	OverviewController(Shelf shelf, OrderBook orders, Fleet fleet, LockWatch locks, ShopLog log, EventStreams streams) {
		this.shelf = shelf;
		this.orders = orders;
		this.fleet = fleet;
		this.locks = locks;
		this.log = log;
		this.streams = streams;
	}

	@GetMapping
	Overview overview() {
		return new Overview(this.shelf.skus().stream().map((sku) -> new StockLevel(sku, this.shelf.left(sku))).toList(),
				this.orders.vouchers(), this.fleet.views());
	}

	@GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
	SseEmitter events() {
		return this.streams.open(new ShopSource(this.locks, this.log));
	}

	record Overview(List<StockLevel> items, List<Voucher> vouchers, List<NodeView> nodes) {
	}

	/** Locks when they change and once a second, and each line of the log. */
	private static final class ShopSource implements EventStreams.Source {

		private static final int LOOKS = 10;

		private static final long PAUSE_NANOS = 100_000_000;

		private final LockWatch locks;

		private final ShopLog log;

		private long sent;

		private boolean some = true;

		ShopSource(LockWatch locks, ShopLog log) {
			this.locks = locks;
			this.log = log;
		}

		@Override
		public boolean next(SseEmitter emitter) throws IOException, InterruptedException {
			for (int i = 0; i < LOOKS; i++) {
				List<LockView> held = this.locks.look();
				if (i == 0 || this.some || !held.isEmpty()) {
					emitter.send(SseEmitter.event().name("locks").data(held));
				}
				this.some = !held.isEmpty();
				for (Line line : this.log.after(this.sent)) {
					emitter.send(SseEmitter.event().name("log").data(line));
					this.sent = line.number();
				}
				LockSupport.parkNanos(PAUSE_NANOS);
				if (Thread.interrupted()) {
					throw new InterruptedException();
				}
			}
			return true;
		}

	}

}
