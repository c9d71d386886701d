create table if not exists voucher_order (
	number bigint generated always as identity primary key,
	voucher varchar(100) not null,
	customer varchar(100) not null
);
