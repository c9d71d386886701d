package io.distlock.lab.site;

import io.distlock.browser.Browser;
import io.distlock.browser.NeedsBrowser;
import io.distlock.lab.LabApplication;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/** The pages of docs/lab in a real browser, from a server that has nothing but files. */
@Timeout(300)
@NeedsBrowser
@SpringBootTest(classes = LabApplication.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "spring.web.resources.static-locations=file:../docs/lab/",
				"spring.web.resources.add-mappings=true" })
@Tag("ci")
class StaticSitePageTests {

	private Browser browser;

	@BeforeEach
	void open(@LocalServerPort int port) {
		this.browser = Browser.open(port);
	}

	@AfterEach
	void close() {
		this.browser.close();
	}

	/** Each stop has its recorded run, which tells a story and ends as it does live. */
	@Test
	void tourReplaysARecordedRunAtEachStop() {
		this.browser.visit("index.html?lang=en");
		this.browser.await("#stop:not([hidden])");
		int stops = this.browser.texts("#stops li").size();
		assertThat(stops).isEqualTo(10);
		for (int stop = 1; stop <= stops; stop++) {
			this.browser.click("#stops li:nth-child(" + stop + ") button");
			this.browser.awaitText("#stop-count", "Step " + stop + " of");
			this.browser.click("#answers label:first-child input");
			this.browser.click("#begin");
			this.browser.click("#player:not([hidden]) #to-end");
			this.browser.await("#result:not([hidden])");
			assertThat(this.browser.text("#why")).as("stop %d", stop).isNotBlank();
			assertThat(this.browser.texts("#story li")).as("stop %d", stop).hasSizeBetween(1, 5);
			assertThat(this.browser.text("#story")).as("stop %d", stop).doesNotContain("story.", "{");
		}
		assertThat(this.browser.controlsWithoutName()).isEmpty();
		assertThat(this.browser.barriers(false)).isEmpty();
		assertThat(this.browser.barriers(true)).isEmpty();
		assertThat(this.browser.errors()).isEmpty();
	}

	@Test
	void labOffersWhatWasRecordedAndStepsThroughIt() {
		this.browser.visit("lab.html?strategy=owner-lua&fault=freeze-holder&lang=en");
		this.browser.await("#form:not([inert])");
		assertThat(this.browser.text("#fault option[value=pause-redis]:disabled")).contains("not recorded");
		this.browser.click("#start");
		this.browser.click("#player:not([hidden]) #to-end");
		// So slowly that the replay is not over before the step, however busy the machine
		// is.
		this.browser.select("#speed", "0.01");
		this.browser.click("#play");
		this.browser.click("#step");
		String first = this.browser.text("#now");
		this.browser.click("#step");
		this.browser.awaitTextOtherThan("#now", first);
		assertThat(this.browser.text("#key-values")).contains("lab:lock");
		this.browser.click("#to-end");
		this.browser.await("#verdict[data-state=wrong]");
		this.browser.click("#events-title");
		assertThat(this.browser.texts("#events li")).hasSizeGreaterThan(5).allMatch((line) -> line.contains(" s "));
		assertThat(this.browser.barriers(false)).isEmpty();
		assertThat(this.browser.errors()).isEmpty();
	}

}
