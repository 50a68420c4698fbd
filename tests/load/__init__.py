"""Load runs: processes that write and read one store at once, and a check that nothing was lost."""
