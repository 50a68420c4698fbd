"""Pictures of the app, and what draws them."""
