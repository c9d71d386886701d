package com.example.stock;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.web.servlet.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.MockMvc;

import io.distlock.boot.test.AutoConfigureDistributedLocks;
import io.distlock.boot.test.LockTester;

import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

// tag::slice[]
@WebMvcTest(StockController.class)
@Import(Stock.class)
@AutoConfigureDistributedLocks
class StockControllerTests {

	@MockitoBean
	private Ledger ledger;

	@Autowired
	private MockMvc mvc;

	@Test
	void sellsUnderTheLock(LockTester locks) throws Exception {
		this.mvc.perform(post("/sell/book")).andExpect(status().isOk());
		locks.assertThat().acquired("stock:book").once();
	}

	@Test
	void busyIsAnsweredWithConflict(LockTester locks) throws Exception {
		locks.busy("stock:book");
		this.mvc.perform(post("/sell/book")).andExpect(status().isConflict());
	}

}
// end::slice[]
