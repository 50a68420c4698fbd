"""The steps from any earlier shape of the database to the present one, run by alembic."""
