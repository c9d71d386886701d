package io.distlock.ways.order;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** An entity whose lost updates nothing prevents but a lock. */
@Entity
public class Item {

	@Id
	private String sku = "";

	private int amount;

	protected Item() {
	}

	Item(String sku, int amount) {
		this.sku = sku;
		this.amount = amount;
	}

	public String getSku() {
		return this.sku;
	}

	public int getAmount() {
		return this.amount;
	}

	public void add(int count) {
		this.amount += count;
	}

}
