"""The protocol on the wire: its .proto files, the code made from them, and every conversion."""
