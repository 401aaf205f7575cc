"""What improper learners put out: functions that no family above holds."""
