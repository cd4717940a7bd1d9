"""The parts of make.py: one module for each folder of vectors, and what they share."""
