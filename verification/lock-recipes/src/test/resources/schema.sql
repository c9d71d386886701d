create table stock (sku varchar(20) primary key, amount int not null);
create table claim (owner bigint not null, voucher varchar(20) not null, unique (owner, voucher));
create table customer (id bigint primary key);
create table invoice (customer bigint not null, period varchar(7) not null);
create table job_run (job varchar(20) not null, period varchar(7) not null, unique (job, period));
insert into stock values ('book', 3);
insert into customer values (1), (2);
