create table if not exists voucher (
	id varchar(100) primary key,
	title varchar(200) not null,
	stock int not null,
	left_over int not null,
	begins timestamp with time zone not null,
	ends timestamp with time zone not null
);
create table if not exists voucher_order (
	number bigint generated always as identity primary key,
	voucher varchar(100) not null,
	customer varchar(100) not null,
	unique (voucher, customer)
);
