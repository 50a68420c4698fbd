"""Records, links, search, recall, the provider's operations and their wire."""
