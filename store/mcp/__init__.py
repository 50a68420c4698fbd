"""The Model Context Protocol: the memory as tools, resources and a prompt, over stdio or loopback HTTP."""
