"""One-way protocols: Alice has a concept, Bob a point; how long must her message be?"""
