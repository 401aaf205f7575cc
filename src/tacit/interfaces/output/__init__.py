"""What every interface does to the world: files, progress, a clean end."""
