"""Pages for those who study learning: dimensions, the optimum, theorems, attacks, simulations."""
