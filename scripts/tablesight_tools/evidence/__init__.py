"""Makes the evidence release of models/risk from the collected facts."""
