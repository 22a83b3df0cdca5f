"""Programs written for other packages, with nothing changed but their imports."""
