"""How a tree becomes lines: the parts and their styles, and one module for each kind of layout."""
