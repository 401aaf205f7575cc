"""What is made of joined tables: each kind says which tables it needs, and reads their sum."""
