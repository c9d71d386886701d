package com.example.jdbc;

import com.example.AbstractStockTests;

/** The starter for databases; the table is made in the database of the application. */
class StockTests extends AbstractStockTests {

}
