/** The lab runs in a page: the names of the browser, for every file beneath. */
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
