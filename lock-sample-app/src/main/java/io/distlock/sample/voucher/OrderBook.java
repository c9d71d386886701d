package io.distlock.sample.voucher;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;

import io.distlock.sample.fleet.FleetProperties;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.jdbc.support.KeyHolder;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/**
 * Vouchers and their orders in the database that all nodes share. The table of orders has
 * no unique constraint on purpose, so that the lock alone keeps a user from ordering
 * twice; a real shop has both. The stock needs no lock: one statement counts it down.
 */
@Repository
public class OrderBook {

	private static final String COLUMNS = "id, title, stock, left_over, begins, ends, one_per_user";

	private final JdbcClient jdbc;

	private final FleetProperties node;

	private final Clock clock = Clock.systemUTC();

	OrderBook(JdbcClient jdbc, FleetProperties node) {
		this.jdbc = jdbc;
		this.node = node;
	}

	/**
	 * Lists the vouchers.
	 * @return all of them
	 */
	public List<Voucher> vouchers() {
		return this.jdbc.sql("select " + COLUMNS + " from voucher order by id").query(OrderBook::voucher).list();
	}

	void addIfUnknown(Voucher voucher) {
		try {
			this.jdbc.sql("insert into voucher (" + COLUMNS + ") values (?, ?, ?, ?, ?, ?, ?)")
				.params(voucher.id(), voucher.title(), voucher.stock(), voucher.left(), at(voucher.begin()),
						at(voucher.end()), voucher.onePerUser())
				.update();
		}
		catch (DuplicateKeyException ex) {
			// Another node was here before.
		}
	}

	/**
	 * Checks and writes in one transaction, which alone would not do: two transactions at
	 * a time both find no order and both write one.
	 */
	@Transactional
	VoucherOrder write(String id, String user) {
		Voucher voucher = this.jdbc.sql("select " + COLUMNS + " from voucher where id = ?")
			.param(id)
			.query(OrderBook::voucher)
			.optional()
			.orElseThrow(() -> new UnknownVoucherException(id));
		Instant now = this.clock.instant();
		if (now.isBefore(voucher.begin())) {
			throw VoucherClosedException.before(id, voucher.begin());
		}
		if (!now.isBefore(voucher.end())) {
			throw VoucherClosedException.after(id, voucher.end());
		}
		if (voucher.onePerUser() && count(id, user) > 0) {
			throw new AlreadyOrderedException(id, user);
		}
		if (this.jdbc.sql("update voucher set left_over = left_over - 1 where id = ? and left_over > 0")
			.param(id)
			.update() == 0) {
			throw VoucherClosedException.soldOut(id);
		}
		KeyHolder number = new GeneratedKeyHolder();
		this.jdbc.sql("insert into voucher_order (voucher, customer) values (?, ?)")
			.params(id, user)
			.update(number, "number");
		return new VoucherOrder(Objects.requireNonNull(number.getKey()).longValue(), id, user, this.node.name());
	}

	private int count(String voucher, String user) {
		return this.jdbc.sql("select count(*) from voucher_order where voucher = :voucher and customer = :customer")
			.param("voucher", voucher)
			.param("customer", user)
			.query(Integer.class)
			.single();
	}

	private static OffsetDateTime at(Instant moment) {
		return moment.atOffset(ZoneOffset.UTC);
	}

	private static Voucher voucher(ResultSet row, int number) throws SQLException {
		return new Voucher(row.getString("id"), row.getString("title"), row.getInt("stock"), row.getInt("left_over"),
				row.getObject("begins", OffsetDateTime.class).toInstant(),
				row.getObject("ends", OffsetDateTime.class).toInstant(), row.getBoolean("one_per_user"));
	}

}
