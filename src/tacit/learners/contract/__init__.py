"""What a learner is, how it is offered by name, and the model it gives."""
