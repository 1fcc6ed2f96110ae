"""Which of all sightings is the first cause.

`corrections` is the table of all rules in the order in which they are asked, each with its name and why it is right;
every other file holds the knowledge of one of them. `first_cause` tells the story: `weighing` weighs every sighting
(`suspects` by its entry, its loudness and what became of it; `stalls` since when ranks waited in vain), `choosing`
chooses among those that `contest` leaves, and anew where `got_on` tells that the choice was got over; then the choice
is traced back to where it was stated first. `proofs_of_health` finds the line that proves that the job ended well,
whoever was chosen.

What a line states: `differing_collectives`, `early_leavers`. What it counts: `asked_for_later`, `printed_late`,
`launchers_signals`, `helpers_aside`, `reasons`, `ends_from_outside`; beside all else `killed_strangers`,
`tries_without_end`, `uncatalogued_trouble`, `others_pods`, `replaced_pods`, `failed_transfers`. Who goes before whom:
`looking_back` (with `at_a_loss`), `cut_transfers`. Why the choice is none: `ends_nothing`, `got_on`. What decides
instead of the choice: `slowed_down`, `stated_in_words` (with `plain_statements`), `never_started`,
`driver_knew`, `told_parts`, `dead_threads` (with `never_came`), `led_to`, `own_programs`. Where it was stated first:
`same_fault` (`said_again` where it went on, `same_file` where it became of a file, `services_word` of a service),
`told_by_event`, `watched_parts`, `every_try`, `met_by_program`, `said_above` (with `last_words`), `numbered_tries`,
`led_to` (`told_before` walks back, `whose_word` tells who says it, and of which machine).

`paper_locator` and `paper_verdict` do it as the paper does, to compare.
"""
