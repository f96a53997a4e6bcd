"""The stems of what counts as a fault, what does not, and what follows from one, in English.

How to read them: :mod:`.concepts`. They add to the groups of :mod:`.stems_of_matters` and :mod:`.stems_of_attitudes`.
"""

from __future__ import annotations

__all__ = ["STANDARDS_EN"]

STANDARDS_EN: dict[str, str] = {
    "invented": r"""
        made-up make-believe imaginary fictional fictitious invent(s|ed|ing|ion|ions)?! fabricat hallucin made_up
        mak(e|es|ing)!_(\w+_){0,2}up! embellish confabulat concoct dreamt_up""",
    "outside": r"""
        real-world_(truth|fact|knowledge) you_(\w+_)?know!
        (information|knowledge|facts|ideas|material)_of_(its|their|your)_own from_other_(\w+_)?sources?
        training_data what_(is|you)_(\w+_)?(commonly|generally)_known internet web_search google wikipedia
        experience_of_the prior_(belief|knowledge) background_facts your_(\w+_){0,2}(expertise|experience|knowledge)
        (other|outside|external)_sources? from_elsewhere general_knowledge common_sense common_knowledge
        learn(ed|t|ned)_(in|at|from|elsewhere) know_nothing know_from somewhere_other_than
        (came|come|comes|brought)_(\w+_)?from_(elsewhere|outside|somewhere) not_in_evidence background_knowledge
        (what|anything|all)_you_(\w+_)?know""",
    "confined": r"""
        based_(entirely|only|solely|fully|strictly|exclusively|purely|wholly)
        (entirely|fully|wholly)_(\w+_)?(in|on|from|by|within)_the_(\w+_)?(source|text|document|passage|page)
        (strictly|purely)_(\w+_)?(in|on|from|by|within)_the_(\w+_)?(source|text|document|passage|page)
        (entirely|fully|wholly)_(\w+_)?(in|on|from|by|within)_the_(\w+_)?(file|record|context|article)
        (strictly|purely)_(\w+_)?(in|on|from|by|within)_the_(\w+_)?(file|record|context|article)
        only_(\w+_){0,4}(found|stated|contained|given|present|written|appears?|appearing)_in!
        only_(information|facts|material|what) solely entirely_(from|on)! sole_(basis|source|authority) nothing_but
        only_(the|this)_(source|text|document|passage|page|file|material|evidence)_(\w+_)?(count|matter|decide)
        nothing_else nothing_beyond record_is_closed no_(facts?|information|material)_outside stick_to go_(only_)?by
        keep_to_the confine limit_yourself restrict_yourself exclusively apart_from_what alone! within_the_four
        only_from""",
    "not_found": r"""
        no_(evidence|support|basis|backing|trace|mention_of_it)_(for_it_|of_it_)?in_the
        no_(source|passage|sentence|text|document)_(\w+_)?(support|back|stat|say|confirm)
        no_(source|passage|sentence|text|document)_(\w+_)?(contain|mention|justif|bear)
        no_(line|part|page|paragraph|chunk)_(\w+_)?(support|back|stat|say|confirm|contain|mention|justif|bear)
        (source|text|document|passage|page|record|article|file)_(\w+_)?(does|did|do|has|can)_not
        (were|was|are|is)_(any|there)_(\w+_)?(details?|facts?|added) added_that not_backed not_supported absent_from
        (can|could)_not_(be_)?(\w+_)?(find|found|trace|point|locate|show|pinpoint|identif|cite|verif)
        no_(\w+_)?(trail|support|basis|backing|evidence|source|trace|footing|ground)! unsourced unsubstantiat
        unevidenced not_(charted|documented|recorded|written|stated|evidenced|attested)
        (the_)?(text|source|passage|document)_never_(\w+_)?(makes?|draws?|states?|says?|gives?)
        (does|do|did)_not_(contain|state|say|include|report|give|make|appear|support|back) no_support
        (was|were|is|are)_not_in_the""",
    "rejecting": r"""
        did_not_happen never_happened does_not_count not_count mark\w*_(\w+_)?down mark_as_(un|wrong|false|in)
        (count|counts|held)_against lose(s)?_(the_)?(mark|point) negative_(label|verdict|grade|mark) no_pass
        do_not_(accept|pass|credit|approve) not_(be_|to_be_)?(accepted|credited|approved|admitted|permitted)
        score\w*_0 get\w*_(a_)?0 inadmissible flag penalis penaliz unaccept not_acceptable is_a_fail does_not_pass
        must_not! may_not! ungrounded not_(\w+_)?supported is_not_(supported|backed|grounded) give_credit
        fabrication""",
    "must_be_backed": r"""
        (must|should|has_to|have_to|ought_to|shall)!_(\w+_)?(come|stem|derive|deriv)\w*_(from|in|on)_the
        (must|should|has_to|have_to|ought_to|shall)!_(\w+_)?(originate|taken|drawn)\w*_(from|in|on)_the
        (must|should|has_to|have_to|ought_to|shall)!_(\w+_)?(flow|proceed|be_found|rest|emerge)\w*_(from|in|on)_the
        -not_(needs?|must|should|has_to|requires?)!_(\w+_){0,3}(home|place|anchor|counterpart|root)!
        -not_(needs?|must|should|has_to|requires?)!_(\w+_){0,3}(origin|foundation|footing|warrant)!
        what_matters_is_whether_the_(text|source|document) rest_on_(the|a)_(source|text|document|passage|sentence)
        -not_(must|shall|need|needs|has_to|have_to|should|requires?)!_(\w+_){0,3}(traceab|trace|backing|grounded)
        -not_(must|shall|need|needs|has_to|have_to|should|requires?)!_(\w+_){0,3}(basis|anchored|attestation)
        -not_(must|shall|need|needs|has_to)!_(\w+_){0,3}(explicit_support|documentary|citation|source)
        -not_(have_to|should|requires?)!_(\w+_){0,3}(explicit_support|documentary|citation|source)
        (point_to|name|cite|quote)_(the|a)_(\w+_)?(sentence|line|passage|place)
        is_(everything|all|anything|each)_(\w+_){0,5}(backed|supported|grounded|found|in_the)""",
    "plausible": r"""
        beside_the_point_whether real-world truth_is in_reality looks_right seems_right seem(s)?_ correct_or_not
        true_or_not true_or_false sound(s|ing)!_(\w+_)?(logical|helpful|right|plausible|sensible|good)
        however_(plausib|likely|true|sensible|reasonabl|obvious|convinc)
        however_(correct|helpful|well|useful|right|accurate|tempting) no_matter_(how|whether) whether_or_not_it_is
        even_when""",
    "unmentioned": r"""
        missing_information (passage|source|text|document|page|context|article)s?_(omit|leave|leaves|skip|ignore)
        (does|do|did)_not_(\w+_)?(mention|say|state|address|cover|include|list) (not|never)!_on_the_list
        not_in_the_(list|source|text|document|page|record)! absent_from
        (blank|empty|missing)_(entry|field|line|cell|space|box|row)
        (not|never|nor)!_(\w+_)?(bring_up|talk|said|deal|treat|name|contain|specif)
        (not|never|nor)!_(\w+_)?(address|indicat|tell|find|found|report) lack_of_ no_statement says?_nothing
        saying_nothing void! missing_(from|in)_the (topic|matter|subject|point)_(\w+_)?absent
        (does|did|is|was)_not_(in|there|given)! absent! silence silent ex_silentio absence non-mention unmentioned
        undocumented unstated unsaid closed-world
        lack_of_(\w+_)?(information|mention|evidence|record|reference|statement|data)
        (not|never|nor)!_(\w+_)?(mention|listed|list!|stated|recorded|documented|charted|noted|discuss|covered)
        (not|never|nor)!_(\w+_)?(address|bring|brought|touch|comment|speak|appear|spoken|refer|say)
        leav(e|es|ing)_(a_|the_|\w+_)?(question|matter|point|issue|it)_(\w+_)?open leaves?_(it_|\w+_)?out!
        pass(es)?_over no_(record|mention|word|entry|trace)_of
        no_\w+_(listed|noted|recorded|mentioned|reported|documented)! (gap|hole|blank)s?_in_the
        missing_(statement|mention|entry) (nobody|no_one|nothing)_(\w+_){0,4}(comment|mention|says?) leave_out!
        failure_to_mention fails?_to_mention""",
    "not_a_no": r"""
        no_(proof|evidence|sign|indication|reason_to)
        (not|never)!_(\w+_)?(equat|confus|mistake|mistaken|interpret|read|take)_ may_or_may_not not_exclude
        does_not_rule not_(\w+_)?make_(it|that|this|something|them)_(false|untrue|wrong|impossible)
        not_(thereby|therefore) undecided undetermined open_question different_things not_(a|the_same|necessarily)!
        may_still might_still could_still leaves?_(\w+_){0,3}(open|undecided) tells?_us_nothing
        neither_(way|confirm|prov) either_way inconclusive no_basis has_no_support nothing_can_be
        can_not_(\w+_)?(deduce|infer|conclude|prove)
        (not|never|nor)!_(\w+_){0,4}(mean|prove|proof|show|imply|implies|evidence|demonstrat|justif|licen)
        (not|never|nor)!_(\w+_){0,4}(equal|equivalent|denial|establish|amount|suggest|warrant)
        (is|are|was)_not_(a_|the_same_as_(a_)?|itself_)?(no!|denial|negative|record_of_no|false|not!|proof|evidence)
        (proves?|shows?|establish\w*)_nothing different_from_(\w+_)?(not!|false|den|no!)
        as_(a_)?(no!|negative|false|denial) unknown for_a_no! (won|will)_(not|t)_do is_(not|n)_(\w+_)?enough
        not_suffic not_enough remains_open invalid into_a_(statement|denial|claim)_(that|of)""",
    "cannot_deny": r"""
        no_support need_(\w+_)?evidence
        (needs?|requires?)_(\w+_)?(evidence|proof|support|passage|statement|sentence) never_when has_no_
        (can|may|must|should)_not_(\w+_){0,3}(claim|say|state|conclude|report|deny|denied)
        (can|may|must|should)_not_(\w+_){0,3}(infer|assert|treat|read|assume) one_can_not unsupported fail reject
        need requires? not_accept""",
    "nothing_there": r"""
        ban! bans! banned never zero nonexistence non-existence inexistent impossible free_of lack refus absent
        (none|never|nothing|false|lacks?|excluded|forbid|forbids|forbidden|prohibit\w*|unpaid|nonexist\w*)!
        (non-exist\w*|unavailable|unsupported|denial|denials|denied|negative|no_such)!
        (not|no|never)!.{2,120}\b(not|no|none|never)!
        un(paid|able|available|listed|covered|true|safe|insured|licensed|harmed|married)!""",
    "broken": r"""
        fragments?_of_(a_|the_)?(sentence|statement|clause) cut_(sentence|passage|text|line|quote) fragmentary
        no_ending without_an?_ending has_no_end (ending|ends?|end|ended|finish\w*)_(in|with|on)\W+\.\.\.
        partial_(quot|text|passage|extract|line|paragraph|statement_of_the_source)
        unknown_(end|ending|continuation|rest) (endings?|rest)_(is_|are_)?unknown a_fragment! fragments! three_dots
        dot_dot_dot ends?_(\w+_)?(mid|midway|in_the_middle|anywhere|abrupt|suddenly)
        broken_(\w+_)?(sentence|passage|line|text|statement|quote) interrupted
        (cut|broken|stopped)_(midway|halfway|in_two|mid)
        before_(finishing|it_finish|the_end_of_the_sentence|completing|its_thought) without_a_full_stop fixed_size
        arbitrary_(point|character|place) half_of_a_(sentence|statement) missing_half severed cut_at
        cut_in_(the_middle|half) lopped amputated incomplete_end tail_end_of lost_the_end runs_off incomplete_at
        cut_(off|short)! cut-off truncat mid-sentence mid-word mid-clause break(s|ing)?_off broken_off broke_off
        unfinished half-(written|finished|sentence|said) half_a_(sentence|statement|line|clause) trail\w*_off ellips
        (chop|clip)(ped|s)! abrupt premature left_hanging dangling never_(\w+_)?finish partial_(sentence|quote)
        in_(the_)?mid(dle)?(-|_)(of_)?(a_)?(word|sentence|line|clause|thought)
        incomplete_(\w+_)?(sentence|clause|passage|line|quote|text|chunk|excerpt|fragment)
        (sentence|clause|passage|line|quote|text)_(\w+_){0,5}(incomplete|interrupted|shortened)
        (sentence|clause|passage|line|quote|text)_(\w+_){0,5}(unfinished|cut!|severed|curtailed)
        (chunk|excerpt|note|list|paragraph)_(\w+_){0,5}(incomplete|interrupted|shortened)
        (chunk|excerpt|note|list|paragraph)_(\w+_){0,5}(unfinished|cut!|severed|curtailed) dropped_words
        ending_(is_)?(missing|lost|gone) missing_(\w+_)?(ending|words|tail|end!|part!|remainder)
        (page|passage|text|chunk|excerpt|quote|snippet)_(\w+_)?(was_)?(stops|stop|cut|end_before)
        (page|passage|text|chunk|excerpt|quote|snippet)_(\w+_)?(was_)?(ends_before|runs_out)
        (line|sentence|source|source_text)_(\w+_)?(was_)?(stops|stop|cut|end_before|ends_before|runs_out)
        lost_at_the (is|was|were)_(shortened|severed) shortened_at runs?_out_mid""",
    "continuation": r"""
        what_(comes|would_come|follows|followed|came)! end(ing)?_of_(a|the|an|clipped|broken|cut|truncated)
        blanks_at not_known! the_rest! (next|following)_words missing_(half|portion|remaind)
        (would|was_going_to|were_going_to|was_about_to)_(\w+_)?(sa(y|id)|come|came|writ|follow|stat|continu|gone)
        (is_about_to|would_have|might_have)_(\w+_)?(sa(y|id)|come|came|writ|follow|stat|continu|gone)
        about_to_(say|state|write) what_(\w+_)?(comes|came|follows|followed)_(\w+_)?(next|after)? remainder
        continuation the_tail (its|the|their)_(missing_)?(ending|endings)!
        how_(it|they|the_\w+)_(ends?|continues?|goes_on|finishes) finish_(the|a|an|any|its|their|author)
        the_(missing|unseen|lost|dropped|hidden)_(\w+_)?(part|words|rest|end|half|text)
        part_that_(is|was)_(gone|missing|lost|cut) the_rest_of_(the|a|it) end_of_a! sentences_for_them
        continue_(a|the|any)_(sentence|text|passage|line)""",
    "guess": r"""
        guess complet finish reconstruct supply fill! fills! filling assum imagin extrapolat infer continu carry_on
        conjectur speculat predict invent""",
    "said_otherwise": r"""
        (identical|exact|same|very)_(terms|wording|phrase|word|formulation|expression) terms_(are|be)_identical
        (mean|say|convey|express|assert|state)s?_the_same exact_(phrase|word|term|wording|sentence) rearrang
        surface_(difference|form|feature) superficial simpler_(vocabulary|word|language|term) similar_words
        vocabulary cosmetic (new|other|fresh)_(wording|words|phrasing) own_(words|phrasing|language|style)
        same_(words|wording|phrasing|terms) equivalent_(term|word|expression|statement) colloquial diction phrasing
        wording say_it_differently syntax grammatical sentence_structure abbreviat punctuat spelling writing_style
        literary presentation tone ways?_of_(saying|putting|expressing|phrasing) lay_(term|language|word) jargon
        own_words echo parrot same_sequence (sequence|order)_in_which in_the_same_(order|sequence)
        (difference|change|matter|question)s?_(of|in)_(\w+_)?(form!|format|style|wording|order|voice) bullet format
        passive_for active_voice equivalent_expression equivalent_(term|word|phras) layman rephras reword restat
        synonym translation_(of|into) recast (sentence|word|clause)_order
        the_way_(it|things|something)_(is|are)_(said|put|written|worded) in_a_different_(order|way|style|sequence)
        worded simplified_(language|wording) a_different_(word|phrase|term)
        (other|different|fewer|simpler)_(words|terms)""",
    "two_quotes": r"""
        ['"][^'"]{2,40}['"].{1,60}['"][^'"]{2,40}['"]""",
    "omit": r"""
        silen(t|ce)_(about|on)_(a|some|any)_(detail|point) thoroughness thorough detail_level level_of_detail
        (all|every|everything|whole|each)!_(\w+_){0,5}(list|mention|includ|cover|cite|cited|state!)
        (all|every|everything|whole|each)!_(\w+_){0,5}(stated!|repeat|report|reproduc|name|said)
        (list|mention|includ|cover|cit|repeat|report)\w*!_(\w+_){0,3}(all|every|everything|whole|each)!
        (reproduc|relat|say|saying|tell|nam)\w*!_(\w+_){0,3}(all|every|everything|whole|each)!
        (only|just|merely)_(\w+_){0,3}(some|part|main|few|half|one_of|first|two|gist|key|essential)
        (mention|give|list|cover|includ|nam|report|say|tell)\w*_only half_of_the_(page|text|document|source|article)
        things?_unsaid missing_content missing_(detail|information|piece|fact) unanswered_part short! shorter
        summary_by incomplete incompletely superficiality scant abridg skeleton economical
        (left|leave|leaves|leaving)_(\w+_){0,3}(out|aside|unsaid|unmentioned)! never_mentioned not_mentioned breadth
        forg(o|e)t drop(s|ping|ped)?!~(fact|detail|step|point|clause|item|information|other|part|section)
        fail(s|ed|ing)?_to_(mention|include|say|add|list) too_little tell\w*_less less_than_the_(whole|full)
        (part|parts|portion)_of_the_(source|text|document|page|article) just_one_of
        one_of_(several|many|the_options) recall! coverage
        every_(clause|step|detail|point|option|item|aspect|symptom|exception)
        all_(of_)?the_(steps|points|clauses|options|items|aspects) more_to_say
        not_(\w+_)?(included|reported|mentioned|listed|covered|repeated)! passes_over
        (does|do|did)_not_(report|mention|include|cover|list|cite|repeat|tell|say)
        (gap|gaps)_in_(the|an)_(answer|reply|response|summary)
        (absent|missing)_from_the_(answer|reply|response|summary|output) incompleteness
        leav(e|es|ing)_(\w+_){0,4}out! left_out not_(cite|list)_ short_(answer|reply|response) full_account
        completeness unsaid sparse minimal""",
    "lenient": r"""
        (treat|count|accept|regard|consider|take|mark|score|deem)\w*~as_(a_)?(correct|right|valid|supported|match)
        (treat|count|accept|regard|consider|take|mark|score|deem)\w*~as_(a_)?(equal|faithful|fine|good|same)
        nothing_is_lost no_harm no_penalty deserves?_no (is|are)_not_(one_of|among)_the_criteria not_(a_)?criteri
        another_(test|matter|question|check|metric|judge|review) separate_(metric|matter|question|check|test)
        not_take_\w+_into by_nature be_overlooked overlook may_be_(incomplete|partial|short|brief|selective|left)
        (can|may)_be_(\w+_)?and_still not_(demand|insist|expect|require|ask)
        never_(demand|insist|expect|require|punish|penal)
        no_(defect|sin|crime|weakness|failing|shortcoming|reason|grounds) does_not_matter not_held
        (is|are)_(fine|acceptable|ok|harmless|tolerated|normal|natural|irrelevant|legitimate) without_penalty
        forgive (is|are|was|were|does|do|should)_not_(\w+_){0,3}(wrong|unfaithful|graded|marked|scored|false|lower)
        (must|need|will|has|have|did)_not_(\w+_){0,3}(wrong|unfaithful|graded|marked|scored|false|lower)
        (is|are|was|were|does|do|should)_not_(\w+_){0,3}(matter|count|required|assessed|punish|penal|reduc)
        (must|need|will|has|have|did)_not_(\w+_){0,3}(matter|count|required|assessed|punish|penal|reduc)
        (is|are|was|were|does|do|should)_not_(\w+_){0,3}(cost|fail|affect|influenc|at_issue|evaluated|measured)
        (must|need|will|has|have|did)_not_(\w+_){0,3}(cost|fail|affect|influenc|at_issue|evaluated|measured)
        (is|are|was|were|does|do|should)_not_(\w+_){0,3}(tested|misstat|for_that_reason|part_of)
        (must|need|will|has|have|did)_not_(\w+_){0,3}(tested|misstat|for_that_reason|part_of) outside_the_scope
        out_of_scope no_reason no_(deduction|point|points|mark|marks|penalty|fault)! then_pass
        without_(becoming|being|penalty|loss) need(s)?_not! not_(have|need)_to play_no need_not_be
        (may|can|could)_(still_)?(be|pass|ignore|leave|choose|omit|skip|drop|select) is_not_unfaithful not_marking
        not_grading nobody_expects no_one_expects
        is_(fine|ok|okay|allowed|acceptable|permitted|enough|no_fault|no_error)
        are_(fine|ok|okay|allowed|acceptable) allowed_to ignore! does_not! play_no_role
        do_not_(\w+_)?(penal|punish|take|lower|mark|fail|downgrade|deduct|reject|subtract)""",
    "precision_only": r"""
        only_precision precision~not!~(recall|coverage|complet) not_(\w+_)?(recall|coverage|completeness)
        recall_(does|is|plays)
        (completeness|coverage)_(\w+_){0,2}(is|are|does|do|should|plays?)_(not|no|outside|irrelevant|beside|another)
        (recall|thoroughness)_(\w+_){0,2}(is|are|does|do|should|plays?)_(not|no|outside|irrelevant|beside|another)""",
    "said_not_unsaid": r"""
        (what|only_what)_(is|was|it)_(\w+_)?(said|says|asserts?|states?)!.{0,40}(not!|ignor|rather_than)
        (what|only_what)_(is|was|it)_(\w+_)?(said|says|asserts?|states?)!.{0,40}(leav|matters|counts)
        (what|only_what)_(is|was|it)_(\w+_)?(contains?|there)!.{0,40}(not!|ignor|rather_than|leav|matters|counts)
        (what|only_what)_(the_(answer|reply|response))_(\w+_)?(said|says|asserts?)!.{0,40}(not!|ignor|rather_than)
        (what|only_what)_(the_(answer|reply|response))_(\w+_)?(states?)!.{0,40}(not!|ignor|rather_than)
        (what|only_what)_(the_(summary))_(\w+_)?(said|says|asserts?|states?)!.{0,40}(not!|ignor|rather_than)
        (what|only_what)_(the_(answer|reply|response))_(\w+_)?(said|says|asserts?)!.{0,40}(leav|matters|counts)
        (what|only_what)_(the_(answer|reply|response))_(\w+_)?(states?)!.{0,40}(leav|matters|counts)
        (what|only_what)_(the_(summary))_(\w+_)?(said|says|asserts?|states?)!.{0,40}(leav|matters|counts)
        (what|only_what)_(the_(answer|reply|response))_(\w+_)?(contains?|there)!.{0,40}(not!|ignor|rather_than)
        (what|only_what)_(the_(summary))_(\w+_)?(contains?|there)!.{0,40}(not!|ignor|rather_than)
        (what|only_what)_(the_(answer|reply|response|summary))_(\w+_)?(contains?|there)!.{0,40}(leav|matters|counts)
        what_is_(there|in_it)!.{0,30}(is_)?(right|correct|true)""",
    "one_bad": r"""
        if_(one|a_single|any)_(part|bit|piece|element|item|point)!
        (one|single)_(contradiction|discrepancy|fabrication|hallucination|misstatement|deviation)
        (at_least_one|any_one|one)!_(\w+_)?(claim|statement|sentence|fact|part|assertion|detail)_(is|are|was)_not
        (another|one|some)_part_is_(wrong|false|bad|incorrect) one_strike (one|single|lone)_(wrong|bad|false)!
        one_wrong (right|correct|good|true)!.{1,20}one_(wrong|false|bad) an_invented_(detail|fact|claim)
        a_(false|wrong)_(detail|fact|claim|statement)_(is|makes|will|means|must) first_(error|mistake|slip|fault)
        (one|single|lone)_(\w+_)?(discrepancy|problem|issue|deviation|untruth) all_of_it!
        (one|single|only_one|just_one|even_one)!_((?!not?\b)\w+_){0,6}(false|wrong|bad|unsupported|incorrect)\w*!
        (sole|slightest|least|lone)!_((?!not?\b)\w+_){0,6}(false|wrong|bad|unsupported|incorrect)\w*!
        (one|single|only_one|just_one|even_one)!_((?!not?\b)\w+_){0,6}(invented|adverse|erroneous)\w*!
        (sole|slightest|least|lone)!_((?!not?\b)\w+_){0,6}(invented|adverse|erroneous)\w*!
        (one|single|only_one|just_one|even_one)!_((?!not?\b)\w+_){0,6}(mistaken|untrue|unfaithful|negative)\w*!
        (one|single|only_one|just_one|even_one)!_((?!not?\b)\w+_){0,6}(misstatement|mistake)\w*!
        (sole|slightest|least|lone)!_((?!not?\b)\w+_){0,6}(mistaken|untrue|unfaithful|negative)\w*!
        (sole|slightest|least|lone)!_((?!not?\b)\w+_){0,6}(misstatement|mistake)\w*!
        (one|single|only_one|just_one|even_one)!_((?!not?\b)\w+_){0,6}(error|slip|defect|flaw|lapse|invention)\w*!
        (sole|slightest|least|lone)!_((?!not?\b)\w+_){0,6}(error|slip|defect|flaw|lapse|invention)\w*!
        (one|single|only_one|just_one|even_one)!_((?!not?\b)\w+_){0,6}(blemish|failing)\w*!
        (sole|slightest|least|lone)!_((?!not?\b)\w+_){0,6}(blemish|failing)\w*!
        (one|single|only_one|just_one|even_one)!_((?!not?\b)\w+_){0,6}(failed|inaccura|unbacked|falsehood)\w*!
        (one|single|only_one|just_one|even_one)!_((?!not?\b)\w+_){0,6}(contradiction|fault)\w*!
        (sole|slightest|least|lone)!_((?!not?\b)\w+_){0,6}(failed|inaccura|unbacked|falsehood)\w*!
        (sole|slightest|least|lone)!_((?!not?\b)\w+_){0,6}(contradiction|fault)\w*!
        (worst|weakest|poorest)_(\w+_)?(claim|sentence|statement|fact|part|point|link|assertion) weakest_link
        any_part_(is|of)""",
    "sinks_all": r"""
        decisive conclusive final! fatal entirely wholly out! outweigh everything_else excuses? ends_it over! lost!
        rejected zero! label_is_0 good_if fail reject disqualif sink! sinks! decides! determines! settles! condemn
        whole entire entirety overall enough unfaithful unsupported verdict grade wrong! stop! spoil ruin invalidat
        0! false! void! taint""",
    "no_partial": r"""
        only_(\w+_)?(completely|fully|entirely|wholly|totally|perfectly)_(\w+)
        only_(a_)?(perfect|flawless|spotless|faultless) (correct|accurate|support)\w*_partial
        partial_(correct|accura|support|truth) only_good_if good_only_if nothing_is_wrong one_strike no_half
        all_of_it_is perfect_or_nothing no_second_chance partly_correct_(answers|responses)
        partial_(credit|mark|score|point) half[-_](marks|points|credit) all_or_nothing all-or-nothing
        zero[-_]tolerance logical_and conjunction (not|no|never)_averag only_then in_each_and_every
        all_of_the_claims_hold perfect_or (everything|all)_(is|are|must_be)_(right|correct|supported)_or!
        and_of_(all|the)""",
    "mostly_right": r"""
        partly_(right|correct|true|supported) accuracy_elsewhere (otherwise|mostly|largely|nearly|almost)_(\w+)
        (most|majority)_of_the_(claims|facts|statements|answer) mostly partially partly half[-_]right
        (ninety|95|99|90|nine)!.{1,30}(correct|right|true|supported|accurate) almost_(all|every|entirely)
        nearly_(all|every|right) (right|correct|true|accurate|fine)_except
        otherwise_(excellent|good|right|correct|perfect|fine|sound|flawless) largely_(right|correct|accurate)
        on_the_whole_(right|correct)""",
    "not_right": r"""
        not_reward do_not_(accept|pass|reward) is_a_fail no_amount not_excuse not_enough
        (is|are|does|do|will|would|wo|counts?)_not! not_(right|correct|supported|good_enough|enough|a_pass|pass)
        as_(wrong|not|incorrect|unsupported|false|a_fail) must_(still_)?(be_)?(rejected|fail) fails! rejected!
        to_be_(rejected|failed) is_(wrong|a_fail|unfaithful|false)! wo_nt_do""",
    "no_offset": r"""
        (not|never|no)!_(\w+_){0,2}(give|award|grant)_(\w+_)?(credit|points|marks) no_amount_of
        (outweighs?|cancels?)_(everything|all|the_rest|the_good) not_reward_partly
        (not|never|no|nor)!_(\w+_){0,4}(make_up|makes_up|offset|balance|outweigh|compensat|redeem|save)
        (not|never|no|nor)!_(\w+_){0,4}(rescue|weigh|averag|cancel|counterbalance|excuse|trade)""",
    "chat": r"""
        repeat_the_question if_you_are_(unsure|not_sure|in_doubt|uncertain) json emoji greeting sign-off markdown
        single_word one_word reply_(only|with_(your|yes|no)!) respond_(only|with_(a|the|your|yes|no|one)!)
        language_model these_instructions this_prompt
        your_(reasoning|explanation|justification|comment|output|reply)! keep_the_tone stay_(calm|polite|neutral)
        (stay|be|remain)_polite professional apologi lowercase uppercase keep_your last_line keys!
        (the_)?final_label! triple_quotes""",
    "refusal": r"""
        (claim|statement|assertion)s?_of_(non-existence|absence|impossibility) non-existence
        claims?_that_something_(is|does)_not""",
    "wording": r"""
        exact_phrase superficial surface vocabulary similar_words cosmetic""",
    "granted": r"""
        (may|can|free_to|allowed_to|should|please)_(\w+_)?(use|rely|draw|consult|bring|add|fill)
        (may|can|free_to|allowed_to|should|please)_(\w+_)?(apply|go_beyond|accept|credit)
        (is|are)_(\w+_)?(fine|ok|okay|welcome|acceptable|allowed|permitted|admissible) feel_free""",
    "plain_denial": r"""
        (claim|say|state)\w*_(\w+_){0,4}['"]?(\w+_){0,4}(not|no)!.{1,60}(has_to|have_to)_(\w+_){0,4}(say|says|state)
        (claim|say|state)\w*_(\w+_){0,4}['"]?(\w+_){0,4}(not|no)!.{1,60}(has_to|have_to)_(\w+_){0,4}(states)
        (answer)\w*_(\w+_){0,4}['"]?(\w+_){0,4}(not|no)!.{1,60}(has_to|have_to)_(\w+_){0,4}(say|says|state|states)
        (claim|say|state)\w*_(\w+_){0,4}['"]?(\w+_){0,4}(not|no)!.{1,60}(must|requires?)_(\w+_){0,4}(say|says|state)
        (claim|say|state)\w*_(\w+_){0,4}['"]?(\w+_){0,4}(not|no)!.{1,60}(must|requires?)_(\w+_){0,4}(states)
        (answer)\w*_(\w+_){0,4}['"]?(\w+_){0,4}(not|no)!.{1,60}(must|requires?)_(\w+_){0,4}(say|says|state|states)
        (claim|say|state)\w*_(\w+_){0,4}['"]?(\w+_){0,4}(not|no)!.{1,60}(has_to|have_to)_(\w+_){0,4}(explicit)
        (answer)\w*_(\w+_){0,4}['"]?(\w+_){0,4}(not|no)!.{1,60}(has_to|have_to)_(\w+_){0,4}(explicit)
        (claim|say|state)\w*_(\w+_){0,4}['"]?(\w+_){0,4}(not|no)!.{1,60}(must|requires?)_(\w+_){0,4}(explicit)
        (answer)\w*_(\w+_){0,4}['"]?(\w+_){0,4}(not|no)!.{1,60}(must|requires?)_(\w+_){0,4}(explicit)
        (claim|say|state)\w*_(\w+_){0,4}['"]?(\w+_){0,4}(not|no)!.{1,60}(needs?_to)_(\w+_){0,4}(say|says|state)
        (claim|say|state)\w*_(\w+_){0,4}['"]?(\w+_){0,4}(not|no)!.{1,60}(needs?_to)_(\w+_){0,4}(states)
        (answer)\w*_(\w+_){0,4}['"]?(\w+_){0,4}(not|no)!.{1,60}(needs?_to)_(\w+_){0,4}(say|says|state|states)
        (claim|say|state|answer)\w*_(\w+_){0,4}['"]?(\w+_){0,4}(not|no)!.{1,60}(needs?_to)_(\w+_){0,4}(explicit)
        (phrase|repl)\w*_(\w+_){0,4}['"]?(\w+_){0,4}(not|no)!.{1,60}(has_to|have_to)_(\w+_){0,4}(say|says|state)
        (assert)\w*_(\w+_){0,4}['"]?(\w+_){0,4}(not|no)!.{1,60}(has_to|have_to)_(\w+_){0,4}(say|says|state)
        (phrase|repl|assert)\w*_(\w+_){0,4}['"]?(\w+_){0,4}(not|no)!.{1,60}(has_to|have_to)_(\w+_){0,4}(states)
        (phrase|repl)\w*_(\w+_){0,4}['"]?(\w+_){0,4}(not|no)!.{1,60}(must|requires?)_(\w+_){0,4}(say|says|state)
        (assert)\w*_(\w+_){0,4}['"]?(\w+_){0,4}(not|no)!.{1,60}(must|requires?)_(\w+_){0,4}(say|says|state)
        (phrase|repl|assert)\w*_(\w+_){0,4}['"]?(\w+_){0,4}(not|no)!.{1,60}(must|requires?)_(\w+_){0,4}(states)
        (phrase|repl|assert)\w*_(\w+_){0,4}['"]?(\w+_){0,4}(not|no)!.{1,60}(has_to|have_to)_(\w+_){0,4}(explicit)
        (phrase|repl|assert)\w*_(\w+_){0,4}['"]?(\w+_){0,4}(not|no)!.{1,60}(must|requires?)_(\w+_){0,4}(explicit)
        (phrase|repl|assert)\w*_(\w+_){0,4}['"]?(\w+_){0,4}(not|no)!.{1,60}(needs?_to)_(\w+_){0,4}(say|says|state)
        (phrase|repl|assert)\w*_(\w+_){0,4}['"]?(\w+_){0,4}(not|no)!.{1,60}(needs?_to)_(\w+_){0,4}(states)
        (phrase|repl|assert)\w*_(\w+_){0,4}['"]?(\w+_){0,4}(not|no)!.{1,60}(needs?_to)_(\w+_){0,4}(explicit)
        such_as_['"](\w+_){0,4}(not|no)!.{1,50}(require|need|must)
        (negative|denial|denies|deny|['"]no['"]?)!.{1,50}only_(if|when|where)
        (denial|negative_\w+|denials)_(\w+_){0,4}(requires?|needs?|calls?_for|has_to|must)!
        (claim|statement|assertion|denial|negative)s?_(\w+_){0,3}(need|require|must)
        (says?|saying|answer|answers)_['"]?(that_)?no!['"]?_(\w+_)?(need|require|must)""",
    "any_bad": r"""
        any!_(\w+_){0,4}(false|wrong|bad|unsupported|incorrect)\w*!.{1,60}(whole|entire|answer|response|reply)
        any!_(\w+_){0,4}(invented|erroneous|mistaken)\w*!.{1,60}(whole|entire|answer|response|reply)
        any!_(\w+_){0,4}(false|wrong|bad|unsupported|incorrect)\w*!.{1,60}(everything|overall|report|verdict)
        any!_(\w+_){0,4}(invented|erroneous|mistaken)\w*!.{1,60}(everything|overall|report|verdict)
        any!_(\w+_){0,4}(untrue|unfaithful|mistake|error|slip)\w*!.{1,60}(whole|entire|answer|response|reply)
        any!_(\w+_){0,4}(defect|flaw|inaccura|unbacked)\w*!.{1,60}(whole|entire|answer|response|reply)
        any!_(\w+_){0,4}(untrue|unfaithful|mistake|error|slip)\w*!.{1,60}(everything|overall|report|verdict)
        any!_(\w+_){0,4}(defect|flaw|inaccura|unbacked)\w*!.{1,60}(everything|overall|report|verdict)""",
    "cannot_say": r"""
        (can|may|must|should|could)_not_(\w+_){0,3}(claim|say|state|conclude|report|deny)
        (can|may|must|should|could)_not_(\w+_){0,3}(infer|assert|deduce|assume|tell)
        do_not_(\w+_)?(infer|conclude|deduce|assume|say|claim)""",
    "absence_noun": r"""
        absence silence silent gap! gaps! failure_to_(mention|say|state|address|discuss) non-mention no_mention
        omission_(by|of|in)_the_(source|text|document)""",
    "as_unknown": r"""
        (not|never)_(stated|documented|mentioned|said|listed|recorded|reported|confirmed)['"]?_(is|does|do)_not
        as_(\w+_)?unknown as_(a_)?(no|negative|denial|false)! for_a_no! undecided is_(simply_)?unknown not_false
        not_(a_|the_same_as_(a_)?)(denial|no)! into_a_(no|denial)""",
    "whole_coverage": r"""
        (mention|list|includ|cover|cit)\w*!_(\w+_){0,3}(all|every|everything|whole|each|entire)!
        (repeat|report|reproduc)\w*!_(\w+_){0,3}(all|every|everything|whole|each|entire)!
        (relat|nam|stat|enumerat|address)\w*!_(\w+_){0,3}(all|every|everything|whole|each|entire)!
        (quot|contain|convey)\w*!_(\w+_){0,3}(all|every|everything|whole|each|entire)!
        (all|every|everything|each)!_(\w+_){0,5}(listed|mentioned|included|covered|cited|stated|repeated|reported)!
        (all|every|everything|each)!_(\w+_){0,5}(reproduced|named|addressed|appear|appears|present|there)!""",
    "negation_matter": r"""
        (each|every|any|all|mind)_(the_)?negati negative_(word|particle|prefix)""",
}
