package io.distlock.sample.overview;

import java.io.IOException;

import io.distlock.sample.fleet.Fleet;
import io.distlock.sample.fleet.FleetProperties;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Names the node in each answer of the shop, and writes the log of the page. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 20)
class ShopRequests extends OncePerRequestFilter {

	static final String NODE = "X-Shop-Node";

	private final Fleet fleet;

	private final FleetProperties properties;

	private final ShopLog log;

	ShopRequests(Fleet fleet, FleetProperties properties, ShopLog log) {
		this.fleet = fleet;
		this.properties = properties;
		this.log = log;
	}

	@Override
	protected boolean shouldNotFilter(HttpServletRequest request) {
		String path = request.getRequestURI();
		return this.fleet.isPresent() || !(path.startsWith("/stock/") || path.startsWith("/vouchers/"));
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		response.setHeader(NODE, this.properties.name());
		// An exception that nobody handles is answered later.
		int status = HttpStatus.INTERNAL_SERVER_ERROR.value();
		try {
			chain.doFilter(request, response);
			status = response.getStatus();
		}
		finally {
			if (request.getMethod().equals("POST")) {
				publish(request, status);
			}
		}
	}

	private void publish(HttpServletRequest request, int status) {
		HttpStatus known = HttpStatus.resolve(status);
		String query = (request.getQueryString() != null) ? "?" + request.getQueryString() : "";
		this.log.publish(request.getRequestURI() + query + " → " + status
				+ ((known != null) ? " " + known.getReasonPhrase() : ""));
	}

}
