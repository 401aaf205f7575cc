"""What the searches share: tables of classes, games, hitting sets, symmetries."""
