"""The stems of what is to be checked and how, in English: figures, entities, negations, claims.

How to read them: :mod:`.concepts`. They add to the groups of :mod:`.stems_of_matters` and :mod:`.stems_of_attitudes`.
"""

from __future__ import annotations

__all__ = ["CHECKS_EN", "WORDS_EN"]

WORDS_EN: dict[str, str] = {
    "unit": """
        second minute hour day week month year gram milligram kilogram kilo pound mile metre meter kilometre
        centimetre litre liter euro dollar cent percent mg kg km ml bar psi degree""",
    "small": """
        the a an of to in on for and or is are be that this each every any its one no not some all what which whose
        as by with at from it if before after over under about into does says than then who people right whether
        only""",
    "abstract": """
        claim fact statement part sentence answer word text source way meaning point assertion document passage
        number date detail error score label thing question one""",
    "before": """
        the a an of for on about to one between from""",
    "scored": """
                 label score grade note page line step point percent from between than says say is was has
        had gives dice pone tiene marca""",
    "manner": """
        way word order style form\\b phras language tone time reason step question fact claim statement part
        error mistake""",
}
"""Words that many stems have in common: ``<unit>`` in a stem is any of them."""

CHECKS_EN: dict[str, str] = {
    "source": r"""
        notice! listing leaflet web_page help_page briefing bulletin minutes report_says sheet! spec! specification
        doc! docs! documentation page! pages! record! records! file! files! filing chart! charts! contract! statute
        regulation ledger transcript textbook log! logs! interview agreement prospectus exhibit note! notes!
        handbook brochure dossier website reading! instruction_(book|leaflet)""",
    "answer": r"""
        responses! assistant! reviewer_s translation_draft submission output! essay student writer! candidate!
        agent! witness counsel bot! chatbot draft! generated""",
    "claim": r"""
        allegation averment finding! findings! item! items! remark contention information_unit""",
    "figure": r"""
        \d+\s?% \d+_percent \d+_per_cent numeric limitation_period (time|notice|trial|grace|waiting)_period
        period_of dose! doses! dosage ages! ages?! round(ed|ing)! decimal threshold vote_count headcount
        interest_rate account_balance balances! milligram gram! grams! microgram cent! cents! numeracy years?_and
        version_number""",
    "entity": r"""
        airline supplier provider character role room nurse doctor judge teacher pupil player artist song film book!
        books! poem university college ministry minister president hotel station airport district street island
        river car! cars! phone! phones! laptop recipe dish vaccine disease treatment procedure_for rival competitor
        predecessor successor neighbour colleague relative patient party! parties! author! speaker client customer
        tenant buyer seller employee contractor drug! drugs! medicine medication office! offices! branch! branches!
        subsidiar department scientist defendant plaintiff account! accounts! endpoint holder mayor firm! firms!
        hospital school team! teams! region agency bank! banks! insurer landlord room! bed! module component machine
        vendor vehicle referent heading town! applicant manufacturer country countries contract! contracts! role!
        claimant parent_company""",
    "misattributed": r"""
        (somebody|someone|other|another)~mouth misattribut mis-attribut misascri wrong-(referent|subject|person)
        referent (wrong|incorrect|right|correct|intended|proper)_(\w+_)?(product|person|plan!|place|subject|patient)
        (wrong|incorrect|right|correct|intended|proper)_(\w+_)?(party|speaker|author|entity)
        (wrong|incorrect|right|correct|intended|proper)_(\w+_)?(company|customer|model!|referent)
        (wrong|incorrect|right|correct|intended|proper)_(\w+_)?(scientist|owner|account)
        (wrong|incorrect|right|correct|intended|proper)_(\w+_)?(country|city|drug|heading|character)
        (wrong|incorrect|right|correct|intended|proper)_(\w+_)?(service|item!|individual)
        (wrong|incorrect|right|correct|intended|proper)_(\w+_)?(thing|object|name|employee)
        (wrong|incorrect|right|correct|intended|proper)_(\w+_)?(client|version|branch|team)
        (correct|right|verify|check|proper|accurate|wrong|faulty)_attribution attribution_error error_of_attribution
        who_(did|said|does|says|was|is)! attributed_correctly correctly_attributed about_(somebody|someone)_else
        whose_(rule|words|duty|obligation|data|statement|quote)""",
    "confusion": r"""
        mix(es|ed|ing)?!_(\w+_){0,3}up mix-up mixed swap confus conflat interchang mistak\w*~for! muddl switch
        cross-over easily_confused jumbl""",
    "carried_over": r"""
        carr(y|ied|ies|ying)_(\w+_)?over transfer borrow pin(s|ned|ning)!~on! assign\w*~to! credited ascrib
        attach\w*_to turn_up_in laid_at lay~at_the passed_off appl(y|ies|ied)~(to|another) lent_to extended_to
        reported_as_(those|that|the) attribut project\w*_onto impute saddl hung_on shift\w*~(on|onto)!""",
    "not_transferable": r"""
        (\w{4,})_(about|for|on|of)!.{3,60}not_(\w+_)?\1_(about|for|on|of)!
        (about|for|of|on)!.{3,60}(tell|say|prove|show|mean)\w*_(\w+_)?nothing_(about|regarding|for)!
        (about|for|of|on)!.{3,60}(tell|say|prove|show|mean)\w*_(\w+_)?nothing_(of|on|concerning)!
        (about|for|of|on|to)!.{3,60}(not|never)_(\w+_)?(hold|appl|back|support)\w*(_\w+){0,3}?_(for|to|about)!
        (about|for|of|on|to)!.{3,60}(not|never)_(\w+_)?(hold|appl|back|support)\w*(_\w+){0,3}?_(of|as|over)!
        (about|for|of|on|to)!.{3,60}(not|never)_(\w+_)?(count|extend)\w*(_\w+){0,3}?_(for|to|about|of|as|over)!
        (about|for|of|on|to)!.{3,60}(not|never)_(\w+_)?(used?|carried|evidence)\w*(_\w+){0,3}?_(for|to|about)!
        (about|for|of|on|to)!.{3,60}(not|never)_(\w+_)?(used?|carried|evidence)\w*(_\w+){0,3}?_(of|as|over)!
        (about|for|of|on|to)!.{3,60}(not|never)_(\w+_)?(proof|valid|transfer)\w*(_\w+){0,3}?_(for|to|about)!
        (about|for|of|on|to)!.{3,60}(not|never)_(\w+_)?(proof|valid|transfer)\w*(_\w+){0,3}?_(of|as|over)!
        (about|for|of|on|to)!.{3,60}(not|never)_(\w+_)?(bind|reported|govern)\w*(_\w+){0,3}?_(for|to|about)!
        (about|for|of|on|to)!.{3,60}(not|never)_(\w+_)?(bind|reported|govern)\w*(_\w+){0,3}?_(of|as|over)!
        (about|for|of|on|to)!.{3,60}no_(evidence|proof|support|basis|ground)_(for|about|of)!""",
    "different_one": r"""
        (from|of|about|for)_(another|a_different)_(\w+)
        (another|a_different|some_other|the_other)!_(?!<manner>)(?=\w)""",
    "same_one": r"""
        (product|person|plan|place|company|model)_(that_(is|was)_)?(asked|inquired|enquired)_about
        (party|patient|service|item|team)_(that_(is|was)_)?(asked|inquired|enquired)_about
        (question|customer|user)_(is_about|asks_about|asked_about|has_in_mind|means)
        (come|comes|came)_from_the_(speaker|author|person|witness|patient) concerns?_the_same
        (which|what)_(plan|product|person|model|company|place|party)_(the_)?(\w+_){0,3}(is|was)_about
        (which|what)_(patient|team|customer|item|service)_(the_)?(\w+_){0,3}(is|was)_about
        (plan|product|person|model|company)_the_(\w+)_(names?|mentions?|means?|describes?)
        (supplier|party|patient|drug|city)_the_(\w+)_(names?|mentions?|means?|describes?)
        same_(\w+_)?(product|person|plan!|place|subject|patient|party|speaker)
        same_(\w+_)?(author|entity|company|customer|model!|referent)
        same_(\w+_)?(account|country|city|drug|character|service|individual|object|employee|client|version)
        (product|person)_(that_|which_)?(the_)?(source|text|document|page)\w*_(is_)?(about|speaks|talks)
        (plan|subject)_(that_|which_)?(the_)?(source|text|document|page)\w*_(is_)?(about|speaks|talks)
        (product|person)_(that_|which_)?(the_)?(source|text|document|page)\w*_(is_)?(describ|refer|mean)
        (plan|subject)_(that_|which_)?(the_)?(source|text|document|page)\w*_(is_)?(describ|refer|mean)
        (product|person|plan|subject)_(that_|which_)?(the_)?(passage|article|record)\w*_(is_)?(about|speaks|talks)
        (product|person|plan|subject)_(that_|which_)?(the_)?(passage|article|record)\w*_(is_)?(describ|refer|mean)
        (patient|party|speaker)_(that_|which_)?(the_)?(source|text|document|page)\w*_(is_)?(about|speaks|talks)
        (patient|party|speaker)_(that_|which_)?(the_)?(source|text|document|page)\w*_(is_)?(describ|refer|mean)
        (patient|party|speaker)_(that_|which_)?(the_)?(passage|article|record)\w*_(is_)?(about|speaks|talks)
        (patient|party|speaker)_(that_|which_)?(the_)?(passage|article|record)\w*_(is_)?(describ|refer|mean)
        (company|account|city|drug)_(that_|which_)?(the_)?(source|text|document|page)\w*_(is_)?(about|speaks|talks)
        (company|account|city|drug)_(that_|which_)?(the_)?(source|text|document|page)\w*_(is_)?(describ|refer|mean)
        (service|customer)_(that_|which_)?(the_)?(source|text|document|page)\w*_(is_)?(about|speaks|talks)
        (service|customer)_(that_|which_)?(the_)?(source|text|document|page)\w*_(is_)?(describ|refer|mean)
        (company|account|city|drug)_(that_|which_)?(the_)?(passage|article|record)\w*_(is_)?(about|speaks|talks)
        (company|account|city|drug)_(that_|which_)?(the_)?(passage|article|record)\w*_(is_)?(describ|refer|mean)
        (service|customer)_(that_|which_)?(the_)?(passage|article|record)\w*_(is_)?(about|speaks|talks)
        (service|customer)_(that_|which_)?(the_)?(passage|article|record)\w*_(is_)?(describ|refer|mean)
        (with|to)_its_(\w+_)?(owner|subject|holder|bearer) of_that_(very_)?(subject|person|product|entity|same)
        subject_of_(each|every) line_up_with_those
        the_((?!(<abstract>|same|order))\w{4,})!.{2,70}(is|be|are|was)!_the_\1!""",
    "polarity": r"""
        contrary_to (rules|ruled|ruling)_(\w+_)?(in|out)! rule_(\w+_)?out! flip becomes_its_opposite hardly barely
        seldom exclusion negates? mandatory.{1,60}optional optional.{1,60}mandatory limited.{1,50}general!
        general!.{1,50}limited contradictory inverse reversal sense_reversed sign_flip antonym restriction
        conditional unconditional attached_to_(a|the)_(right|rule|permission|offer) caveat exempt waiver
        (not|never)_turned contraindicat carve-out carves?_out qualifier negatives! negative_(word|particle|form)
        (missing|double|dropped|lost|added)_(\w+_)?(negati|not!) must[-_]not!~may! the_prefix same_direction
        (each|every|a)_yes!.{1,40}no! contrary qualification""",
    "opposite_pair": r"""
        says?_(\w+_){0,4}not!.{3,60}(answer|reply|response|summary|student)\w*_(\w+_)?(says|claims|states)
        (answer|reply|response)_(says|claims)_(\w+_){0,4}not!.{3,60}(source|text|document|passage)_(says|states)
        accept\w*!.{1,40}(refus|declin) (gain|profit)\w*!.{1,40}loss loss\w*!.{1,40}(gain|profit) safe!.{1,40}unsafe
        (minimum|at_least)!.{1,50}(maximum|at_most) (maximum|at_most)!.{1,50}(minimum|at_least)
        (start|begin)\w*!.{1,40}(stop|end)! win\w*!.{1,40}lose approv\w*!.{1,50}(reject|refus|deni)
        guilty!.{1,40}(innocent|acquit) support\w*!.{1,40}oppos oppos\w*!.{1,40}support present!.{1,40}absent
        positive!.{1,30}negative for!.{1,12}against! (can|may|must)!.{1,40}(can|may|must)_not!
        enabl\w*!.{1,80}disabl disabl\w*!.{1,80}enabl open!.{1,60}closed! closed!.{1,60}open!
        includ\w*!.{1,60}exclud exclud\w*!.{1,60}includ allow\w*!.{1,60}(forbid|forbad|prohibit|ban)
        (forbid|prohibit|ban)\w*!.{1,60}allow increas\w*!.{1,40}decreas decreas\w*!.{1,40}increas
        (rose|rise|rises)!.{1,40}(fell|fall|falls)! (fell|fall|falls)!.{1,40}(rose|rise|rises)! before!.{1,60}after!
        after!.{1,60}before! more!.{1,30}less! required!.{1,60}optional optional!.{1,60}required
        recommend\w*!.{1,60}(contraindicat|advise\w*_against) den(y|ies|ied)!.{1,60}(affirm|assert|confirm|says_so)
        (affirm|assert)\w*!.{1,60}den(y|ies|ied)! permit\w*!.{1,60}(forbid|prohibit) on!.{1,30}off!
        legal!.{1,40}illegal always!.{1,40}never!""",
    "particle": r"""
        ['"](may|must|can|shall|should|might|will|need)(\Wnot)?['"]
        (nor|neither|never|unless)!(,|,?\W+(or|and|nor))\W+(neither|nor|never|unless|except|without|until)!
        (except|without|until)!(,|,?\W+(or|and|nor))\W+(neither|nor|never|unless|except|without|until)!
        (nor|neither|never|unless)!(,|,?\W+(or|and|nor))\W+(only|nobody|none|no_longer|hardly|rarely)!
        (except|without|until)!(,|,?\W+(or|and|nor))\W+(only|nobody|none|no_longer|hardly|rarely)!
        (only|nobody|none|no_longer|hardly|rarely)!(,|,?\W+(or|and|nor))\W+(neither|nor|never|unless)!
        (only|nobody|none|no_longer|hardly|rarely)!(,|,?\W+(or|and|nor))\W+(except|without|until)!
        (only|nobody|none|no_longer)!(,|,?\W+(or|and|nor))\W+(only|nobody|none|no_longer|hardly|rarely)!
        (hardly|rarely)!(,|,?\W+(or|and|nor))\W+(only|nobody|none|no_longer|hardly|rarely)!""",
    "one_by_one": r"""
        (first|one)_(\w+_)?(statement|claim|sentence|fact|assertion)!.{1,40}(second|next)! next_one!
        ((?!(word|step|case|side|letter|digit|figure|number|little|year|day|page))\w{3,})_(by|after)_\1!
        (one|a|a_single)_\w+_at_a_time one_by_one one_after_(another|the_other)""",
    "apart": r"""
        brok(e|en)_(\w+_)?(into|down|up)! divided_into into_(parts|pieces|statements|claims|facts|sentences) isolat
        tease dissociat segment fragment_the parse_the (take|taking|pull|pulling|tease)~apart
        break(s|ing)?!_(\w+_){0,4}(down|up|into)! dissect unbundl unpack decompos disassembl split divid
        separat~(claim|assert|statement|fact|into|them|it|out) chop\w*~into
        (cut|carve)~into_(claim|statement|fact|piece|single)
        (smallest|checkable|atomic|elementary|minimal)_(\w+_)?unit deconstruct
        into_(separate|single|individual|distinct|atomic)""",
    "inventory": r"""
        check_them_off tick_them_off cross_them_off one_list_of itemis itemiz list_out make_a_list
        set_out_(the|each|every) count_the_(claims|facts|statements|assertions) run_through tabulate list! lists!
        listing inventory checklist enumerat number_(the|each|every|all) write_down jot itemi[sz] tick_off note_down
        catalogue index_(the|every) table_of""",
    "said_things": r"""
        what_is_(being_)?(asserted|claimed|said|stated|alleged)
        (each|every|all)_(the_)?(thing|point|claim)s?_(it|the|that|he|she|they|made)
        first_(\w+_)?(statement|claim|sentence|fact)!.{1,30}second assertions?_made
        (everything|all|what|things?)_(\w+_){0,3}(answer|student|reply)_(says?|asserts?|claims?|states?)
        (everything|all|what|things?)_(\w+_){0,3}(response|writer)_(says?|asserts?|claims?|states?)
        (whatever|points?)_(\w+_){0,3}(answer|student|reply|response|writer)_(says?|asserts?|claims?|states?)
        (everything|all|what|things?)_(\w+_){0,3}(answer|student|reply|response|writer)_(makes?|mentions?|contains?)
        (whatever|points?)_(\w+_){0,3}(answer|student|reply|response|writer)_(makes?|mentions?|contains?)
        (everything|all|what|things?)_(\w+_){0,3}(author|output|he|she|it|they)_(says?|asserts?|claims?|states?)
        (whatever|points?)_(\w+_){0,3}(author|output|he|she|it|they)_(says?|asserts?|claims?|states?)
        (everything|all|what|things?)_(\w+_){0,3}(author|output|he|she|it|they)_(makes?|mentions?|contains?)
        (whatever|points?)_(\w+_){0,3}(author|output|he|she|it|they)_(makes?|mentions?|contains?)
        (item|thing|fact|claim|statement|assertion|idea)s?_(that_)?the_(answer|reply|response|student|output)""",
    "singly": r"""
        on_its_own looked_up_on assess_every assess_each every_one_of_them each_of_them case_by_itself
        verdict_of_its_own own_verdict separately individually isolat in_isolation independently on_their_own
        own_(terms|merits|check|verif|test) in_turn twice singly one_by_one one_at_a_time each_on independent_of
        by_itself by_themselves (as_)?a_separate_(item|claim|matter|point|question)
        distinct_(item|claim|thing|point|question)""",
    "not_in_bulk": r"""
        (not|never|than|instead_of)~globally globally_but (not|never)~in_(its|the)_entirety
        global_(opinion|impression|view|judgement) instead_of_(\w+_){0,4}(impression|opinion|whole|feeling)
        not_(\w+_)?as_a_(whole|block|unit) not_in_(bulk|block|one_go) as_a_block general_impression
        overall_impression rather_than_(\w+_){0,4}(impression|whole) gut_feeling on_the_whole""",
    "weak_figure": r"""
        extensions! postcode zip_code code! codes! version! serial score_of page_number twenty thirty forty fifty
        hundred thousand million dozen temperature length width height weights? size! sizes! speed! frequency
        distance volume_of capacity unit! units! phone_number telephone totals? times? ranges? bounds?
        count_of_(\w+) scores? ratio ratios odds coordinates""",
    "altered": r"""
        alter convert round misquot copied miscopied transpos misread misreport shift swapped_digits truncated_to""",
    "twins": r"""
        <before>!_((?!<small>)\w{3,})_((?!<abstract>)\w{4,})!.{3,80}\b(?!(<small>|same|\1)!)\w{3,}_\2!
        (?=[a-z])((?!<scored>)[a-z]{3,})_(\d+)!.{3,80}\b\1_(?!\2!)\d+!""",
    "attribution": r"""
        linked_to tied_to connected_to associated_with assigned_to paired_with attached_to reported_of said_of
        told_of true_of concerns? named_by names?_(it|him|her)""",
    "negation_matter": r"""
        polarit opposite double_negati missing_negati dropped revers invert flip antonym upside negatives!""",
    "two_units": r"""
        (<unit>)s?!.{1,40}\b(?!\1)<unit>s?!""",
    "for_each": r"""
        (for|of|to|in)_(each|every)_(\w+_)?(claim|statement|assertion|sentence|fact|point)!
        (for|of|to|in)_(each|every)_(\w+_)?(item|proposition|allegation|detail|finding)!
        treat_(each|every)_(\w+_)?(claim|statement|assertion|sentence|fact|point)
        (each|every)_(\w+_)?(claim|statement|assertion|sentence|fact)_(separately|individually|alone|singly|apart)""",
}
