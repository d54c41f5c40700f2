"""The kinds of figures: each a function of a comparison and its siblings that makes a chart."""
