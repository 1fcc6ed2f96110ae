"""Hands: typed functions that touch files, devices and processes; no model, no judgement."""
