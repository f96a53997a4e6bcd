"""Whether the people agree enough for a judge to be measured against them (STATISTICS section 6)."""
