"""What a sanitizer is, what it answers, and how noisy numbers become rows."""
