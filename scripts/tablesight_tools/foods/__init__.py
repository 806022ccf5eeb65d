"""Makes the generic foods of models/foods and scores the search of typed words."""
