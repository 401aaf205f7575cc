"""Tell what no single record could have changed."""
