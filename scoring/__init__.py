"""The rules of Marjapussi: deal sheets to points, sets, games and standings.

Pure Python, standard library only: no Django, no clock, no unseeded random.
Rule numbers such as ``R5.2`` are those of ``docs/rules.md``.
"""
