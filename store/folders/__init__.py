"""Memory folders as agents keep them: read leniently, written back exactly, one format a module."""
