package io.distlock.sample.voucher;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.jdbc.support.KeyHolder;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/**
 * Vouchers and their orders in the database that all nodes share. The lock keeps a user
 * from ordering twice. The unique constraint of the table is the last line of defence: it
 * holds even if a process writes after its lock has ended. The stock needs no lock,
 * because one statement checks and counts it down.
 */
@Repository
public class OrderBook {

	private static final String COLUMNS = "id, title, stock, left_over, begins, ends";

	private final JdbcClient jdbc;

	private final Clock clock = Clock.systemUTC();

	OrderBook(JdbcClient jdbc) {
		this.jdbc = jdbc;
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
			this.jdbc.sql("insert into voucher (" + COLUMNS + ") values (?, ?, ?, ?, ?, ?)")
				.params(voucher.id(), voucher.title(), voucher.stock(), voucher.left(), at(voucher.begin()),
						at(voucher.end()))
				.update();
		}
		catch (DuplicateKeyException ex) {
			// Another node was here before.
		}
	}

	/** Checks and writes in one transaction. */
	@Transactional
	VoucherOrder write(Claim claim) {
		String id = claim.voucher();
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
		if (count(claim) > 0) {
			throw new AlreadyOrderedException(claim);
		}
		if (this.jdbc.sql("update voucher set left_over = left_over - 1 where id = ? and left_over > 0")
			.param(id)
			.update() == 0) {
			throw VoucherClosedException.soldOut(id);
		}
		return new VoucherOrder(insert(claim), id, claim.user());
	}

	private int count(Claim claim) {
		return this.jdbc.sql("select count(*) from voucher_order where voucher = ? and customer = ?")
			.params(claim.voucher(), claim.user())
			.query(Integer.class)
			.single();
	}

	private long insert(Claim claim) {
		KeyHolder number = new GeneratedKeyHolder();
		try {
			this.jdbc.sql("insert into voucher_order (voucher, customer) values (?, ?)")
				.params(claim.voucher(), claim.user())
				.update(number, "number");
		}
		catch (DuplicateKeyException ex) {
			throw new AlreadyOrderedException(claim);
		}
		return Objects.requireNonNull(number.getKey()).longValue();
	}

	private static OffsetDateTime at(Instant moment) {
		return moment.atOffset(ZoneOffset.UTC);
	}

	private static Voucher voucher(ResultSet row, int number) throws SQLException {
		return new Voucher(row.getString("id"), row.getString("title"), row.getInt("stock"), row.getInt("left_over"),
				row.getObject("begins", OffsetDateTime.class).toInstant(),
				row.getObject("ends", OffsetDateTime.class).toInstant());
	}

}
