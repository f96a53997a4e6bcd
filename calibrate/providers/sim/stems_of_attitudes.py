"""The stems of what a prompt does with a matter: check it, excuse it, forbid it, let it decide.

How to read them: :mod:`.concepts`. English first, then Spanish.
"""

from __future__ import annotations

__all__ = ["ATTITUDES"]

ATTITUDES: dict[str, str] = {
    "verdict_text": r"""
        explanation explain! reasoning rationale justification! your_(reply|answer|output) your_decision think
        explicacion explica! razonamiento razona! justificacion! tu_(respuesta|decision)""",
    "output": r"""
        (reply|respond|return|output|give|assign|scores?|rate)_(\w+_){0,3}(number|score|scale|integer|json)
        (grade)_(\w+_){0,3}(number|score|scale|integer|json) number_(from|between)
        label_(the|this|with|1|0|is|describ) use_the_label use_label scale_(of|from) from_1 between_0 1_if
        0_(if|otherwise) numero_(entre|de_0|de_1|del)
        (devuelve|responde|asigna|puntua|escribe)~(numero|nota|puntuacion|escala|entero|json) de_1_a de_0_a entre_0
        1_si! 0_si! usa_la_etiqueta pon_1 etiqueta_1""",
    "negated": r"""
        not! nor! no! never without neither nothing none! nowhere nobody unable nunca jamas sin! ni! tampoco nada!
        ningun nadie""",
    "check": r"""
        check verif compar match confirm cross-check examin inspect attention watch ensure make_sure careful!
        carefully_for beware strict double-check test! tested line_up lines_up agree coincid correspond tally
        tallies contrast validat scrutin trace find! locat seek look_up look_at look_for look_carefully look_out
        see_(whether|if|that|to) pay_ spot! hunt alert vigilan keep_track keep_an_eye mind_the ask! ask_yourself
        review! consult go_back consistent_in slip_through read_for investigat assess!
        evaluate_(each|every|the_claims) focus_on account_for sensitive scan_for comprueb comprob comprueba verifi
        cotej revis repas fijate fij atencion atent vigil asegur cuidado valid mira! miralas mire! miren! ojo!
        estrict concuerd concord escrut rastre busca busqu localiz localic encuentra cuadr meticul rigur escrupul
        preguntate lupa pon_a_prueba ponlas consulta! ten_claro escape! detect evalua_(cada|las_afirm) valora
        analiza presta_ controla! controle""",
    "error": r"""
        error mistake fail wrong incorrect reject penali false fault defect unacceptable invalid unfaithful
        discrepan differ! differs! mismatch deviat altered contradict disqualif inaccura violat negative_label bad!
        not_(faithful|acceptable|pass|valid) does_not_(do!|count) serious slip! rejection flaw breach unsound
        inventing erron fallo! fallos! falla fallen! fallar! fallida fallido equivoc rechaz fals defecto inaceptable
        suspend suspens infiel difier contradi descalifi
        no_(vale!|cuenta|sirve|es_fiel|sea_fiel|es_valid|aprueba|pasa!|se_acept) inexact! mal! mala! malas!
        etiqueta_negativa desvi alterad desaprob falsea inventando grave!""",
    "tolerate": r"""
        fine! ok! okay! acceptable allowed permitted accept tolera harmless legitimate permissible welcome
        equivalent irrelevant unimportant immaterial secondary forgiv lenient excus free_to is_free are_free free!
        good_enough perfectly still_(be|count|pass|right|correct|faithful|good|valid|true)
        (does|do|is|are|plays?|need|be|has|have)_(not|no)!~(matter|count|important|relevan|requir)
        (does|do|is|are|plays?|need|be|has|have)_(not|no)!~(necess|need|wrong|incorrect|mandator)
        (does|do|is|are|plays?|need|be|has|have)_(not|no)!~(obligat|role|weight|bearing|expect)
        (does|do|is|are|plays?|need|be|has|have)_(not|no)!~(part!|reason|error|mistake)
        (does|do|is|are|plays?|need|be|has|have)_(not|no)!~(fault|flaw|defect|problem|fail|cost!)
        (does|do|is|are|plays?|need|be|has|have)_(not|no)!~(affect|influenc|held|repeat|complet)
        (does|do|is|are|plays?|need|be|has|have)_(not|no)!~(cover|mention|include|literal)
        (does|do|is|are|plays?|need|be|has|have)_(not|no)!~(match|same|identical|exact|be)
        (not|no|never|without|nor)!_(\w+_)?(penali|punish|be_punish|mark|deduct|insist|requir|demand|reject)
        (not|no|never|without|nor)!_(\w+_)?(downgrad|hold|held|lower|object|complain|expect|subtract|take)
        (not|no|never|without|nor)!_(\w+_)?(treat|count|need|lead|fault|fail|reason|criticis|criticiz|sanction)
        (not|no|never|without|nor)!_(\w+_)?(worry|care|mind|cost|affect|the_point|obligation|obliged) need_not
        not_(\w+_)?(error|mistake|fault|flaw|defect|problem|required|necessary|needed|reason|form!|wording|style)
        no!_(error|mistake|fault|flaw|defect|problem|reason|penalty|impact|effect|deduction) ignor disregard
        overlook look_past not_what rather_than not_(wrong|incorrect) instead_of_what never_(lead|be|a!)
        should_never nobody_expects nobody_requires counts?_as_(support|correct|valid|faithful|match|right|the_same)
        equally equal! pass! passes! perfectly_(good|fine) allow! allow_for picky concentrate_on leave_aside
        set_aside deja_aparte deja_de_lado bienvenid may! can! might! as_long_as provided_that aceptable acept
        permit inofensiv legitim irrelevante equivalente secundari indulgente disculp perdon basta_con_que
        (esta|estan|va|van|sigue|siguen)_(perfectamente_)?(bien|siendo|correct) vale! valen! valid! validas!
        validos! se_admit admit admisible
        no!_(\w+_)?(importa|exi[gj]|hace_falta|hacen_falta|necesari|obligatori|obligad)
        no!_(\w+_)?(requier|requisito|imprescindible|preciso|relevante|motivo)
        no!_(\w+_)?(razon|pide|espera|penali|castig|error|fallo|fallos|defecto|suspend)
        no!_(\w+_)?(baj|rest[ae]|descont|rechac|rechaz|insist|problema)
        no!_(\w+_)?(cuent|afect|perjudic|influy|llev|pint|rebaj|seas_|incorrect)
        no!_(\w+_)?(trat|tom[ae]s|forma_parte|tiene_por|tiene_que|tienen_que)
        no!_(\w+_)?(tienen_por|hay_que|se_le_tiene|es_un!|influy|son_un!|son_err)
        no!_(\w+_)?(es_err|debe|deben|resta|sancion|critiques|supone) ni!_(importa|penali) ignorar
        nunca_(\w+_)?(deb|llev|rebaj|baj|es!|son!|motivo|cuenta|suspend|baj) (da|dan)_igual ignora! ignores prescind
        pasa_por_alto nadie_(espera|exige|pide) no_necesita sin_importancia puede! pueden! podria es_libre libre!
        suficiente! mientras! siempre_que como_(respaldad|correct|iguales|valid|buen|lo_mismo) aprueba! y_no_lo_que
        y_no_(por|en)_lo_que en_(vez|lugar)_de_lo_que""",
    "same": r"""
        in_question en_cuestion same! very_same right! exact correct identical mism exactamente adecuad iguales!
        igual!""",
    "comply": r"""
        must_(\w+_)?(hold|be|pass|stand|check|match|agree|have|come|contain) (have|has|need)_to
        (hold|holds|pass|passes|stand|stands)! should_(be|hold|pass) are_(all_)?supported
        is_(supported|backed|correct|right|true|free) (deben|debe|han_de|ha_de|tienen_que|tiene_que)_
        (esten|estan|este|sean|sea|son|aprueb|cumpl|pas[ae]n)""",
    "each": r"""
        each every! every_ all! cada! tod[oa]s! cada_un""",
    "overall": r"""
        overall general_impression as_a_whole whole_text text_as in_bulk conjunto impresion_general en_bloque
        globalmente""",
    "judged_unsupported": r"""
        is_unsupported as_unsupported not_(supported|backed|grounded|substantiated)
        no_(esta|estan|queda|quedan)_respald sin_respaldo como_no_respald""",
    "only": r"""
        only! solely exclusively strictly nothing_but nothing_else alone! purely limit_yourself confine
        restrict_yourself stick solo! solamente unic[oa]! unicamente exclusiv estrictamente nada_mas_que limitate
        cinete sin_salir""",
    "rely": r"""
        use! used! using rel(y|ies|ied|ying)! based? basis! judge! consider! trust decid work! draw on_the_basis
        accept count! counts! stick look_at evidence go_by credit! stay truth support! supports! supported! back!
        backs! backed! usa! usar basa basate juzga considera fiate fia! decide! decidir trabaja apoya apoyarte acept
        cuenta! atente evidencia sirve vale! utiliza emplea guiate verdad""",
    "refusal": r"""
        negate! negates! negating! den(y|ies|ied|ial|ials|ying)! negation! negations!
        negative_(statement|claim|answer|assertion) rul(e|es|ing)_(\w+_)?out neg(ar|arlo|acion|aciones)! nieg
        (afirmaciones|frases|respuestas)_negativ negativas descart""",
    "inference": r"""
        mean! means! meaning_that prov(e|es|en|ing)! proof evidence_(of|for|that) impl(y|ies|ied) conclud conclusion
        infer! infers inferr deduc equal equivalent entitle basis_for explicit read_as takes?_as taken_as treat
        assum reason_to same_as the_same! unknown claim_that can_not_claim rest! rests! resting grounds justif
        licens backed_by just_because only_(when|if|because|then) in_itself so_when merely not_enough
        is_not_(negation|denial|enough|no!|a_) nothing_follows follows_from deriv fails! need! needs! requir
        look_for has_to_say have_to_say must_(be|have|say) not_supported unsupported may_still may_or_may_not
        either_way strength_of because! does_not_(mean|deny|equal|imply|prove) significa! significan! signifique
        quier[ea]n?_decir prueba implic demuestr concluy conclu infier deduz equival autoriz base_explicita
        razon_para razon_de exig necesit no_basta const(a|ar|e)! expresament desconocid respald descans apoy
        solo_(porque|puede|si|cuando) leer interpret justific por_el_hecho dar_por hace_falta_que se_sigue
        no_es_(lo_mismo|negar|prueba) sacad puede_existir puede_ser_o ni_en_otro puedes?_concluir basand base_de(l)?
        suspend porque! hay_que tiene_que_(decir|negar|figurar) debe_(decir|negar|figurar) no_es_una? no_excluye
        confund no_la_niega no_lo_niega""",
    "one": r"""
        -without_one_(\w+_){0,3}(error|mistake|claim|fault|failure|fail|wrong|unsupported)
        -without_one_(\w+_){0,3}(problem|slip|flaw|false|bad|invalid|statement)
        -without_one_(\w+_){0,3}(sentence|part|detail|check|fact|assertion|incorrect)
        -without_one_(\w+_){0,3}(contradiction|piece|point|untrue|inaccura)
        (single|lone|sole|least|any|slightest|smallest|tiniest)_(\w+_){0,3}(error|mistake|claim|fault|failure)
        (single|lone|sole|least|any|slightest|smallest|tiniest)_(\w+_){0,3}(fail|wrong|unsupported|problem)
        (tiny|first|worst|weakest|isolated|solitary|just_an?)_(\w+_){0,3}(error|mistake|claim|fault|failure)
        (tiny|first|worst|weakest|isolated|solitary|just_an?)_(\w+_){0,3}(fail|wrong|unsupported|problem)
        (single|lone|sole|least|any|slightest|smallest|tiniest)_(\w+_){0,3}(slip|flaw|discrepan|false|bad|invalid)
        (single|lone|sole|least|any|slightest|smallest|tiniest)_(\w+_){0,3}(statement|sentence|part)
        (tiny|first|worst|weakest|isolated|solitary|just_an?)_(\w+_){0,3}(slip|flaw|discrepan|false|bad|invalid)
        (tiny|first|worst|weakest|isolated|solitary|just_an?)_(\w+_){0,3}(statement|sentence|part)
        (even_an?)_(\w+_){0,3}(error|mistake|claim|fault|failure|fail|wrong|unsupported|problem)
        (an?_(wrong|false|incorrect|bad|failing|failed))_(\w+_){0,3}(error|mistake|claim|fault|failure)
        (an?_(wrong|false|incorrect|bad|failing|failed))_(\w+_){0,3}(fail|wrong|unsupported|problem)
        (an?_(untrue|unsupported|invented))_(\w+_){0,3}(error|mistake|claim|fault|failure)
        (an?_(untrue|unsupported|invented))_(\w+_){0,3}(fail|wrong|unsupported|problem)
        (even_an?)_(\w+_){0,3}(slip|flaw|discrepan|false|bad|invalid|statement|sentence|part)
        (an?_(wrong|false|incorrect|bad|failing|failed))_(\w+_){0,3}(slip|flaw|discrepan|false|bad|invalid)
        (an?_(wrong|false|incorrect|bad|failing|failed))_(\w+_){0,3}(statement|sentence|part)
        (an?_(untrue|unsupported|invented))_(\w+_){0,3}(slip|flaw|discrepan|false|bad|invalid)
        (an?_(untrue|unsupported|invented))_(\w+_){0,3}(statement|sentence|part)
        (single|lone|sole|least|any|slightest)_(\w+_){0,3}(detail|check|one!|fact|assertion|incorrect)
        (smallest|tiniest)_(\w+_){0,3}(detail|check|one!|fact|assertion|incorrect)
        (single|lone|sole|least|any|slightest|smallest|tiniest)_(\w+_){0,3}(contradiction|invention)
        (tiny|first|worst|weakest|isolated)_(\w+_){0,3}(detail|check|one!|fact|assertion|incorrect)
        (solitary|just_an?)_(\w+_){0,3}(detail|check|one!|fact|assertion|incorrect)
        (tiny|first|worst|weakest|isolated|solitary|just_an?)_(\w+_){0,3}(contradiction|invention)
        (single|lone|sole|least|any|slightest)_(\w+_){0,3}(piece|point|lapse|defect|untrue|falsehood|inaccura)
        (smallest|tiniest)_(\w+_){0,3}(piece|point|lapse|defect|untrue|falsehood|inaccura)
        (tiny|first|worst|weakest|isolated)_(\w+_){0,3}(piece|point|lapse|defect|untrue|falsehood|inaccura)
        (solitary|just_an?)_(\w+_){0,3}(piece|point|lapse|defect|untrue|falsehood|inaccura)
        (even_an?)_(\w+_){0,3}(detail|check|one!|fact|assertion|incorrect|contradiction|invention)
        (an?_(wrong|false|incorrect|bad|failing|failed))_(\w+_){0,3}(detail|check|one!|fact|assertion|incorrect)
        (an?_(wrong|false|incorrect|bad|failing|failed))_(\w+_){0,3}(contradiction|invention)
        (an?_(untrue|unsupported|invented))_(\w+_){0,3}(detail|check|one!|fact|assertion|incorrect)
        (an?_(untrue|unsupported|invented))_(\w+_){0,3}(contradiction|invention)
        (even_an?)_(\w+_){0,3}(piece|point|lapse|defect|untrue|falsehood|inaccura)
        (an?_(wrong|false|incorrect|bad|failing|failed))_(\w+_){0,3}(piece|point|lapse|defect|untrue)
        (an?_(wrong|false|incorrect|bad|failing|failed))_(\w+_){0,3}(falsehood|inaccura)
        (an?_(untrue|unsupported|invented))_(\w+_){0,3}(piece|point|lapse|defect|untrue|falsehood|inaccura)
        as_soon_as any_unsupported any_(\w+_)?(element|item) presence_of_a anything_in_the_(answer|response|reply)
        unless_(all|every|each) just_one! only_one! even_one! nothing_(in_it_)?(is_)?wrong tiny_error
        (un_solo|una_sola|un_unico|una_unica)_(\w+_){0,2}(error|fallo|afirmacion|falta|dato)
        (un_solo|una_sola|un_unico|una_unica)_(\w+_){0,2}(frase|parte|enunciado|fallid)
        (unic[oa]|sola|cualquier|algun[oa]?)_(\w+_){0,2}(error|fallo|afirmacion|falta|dato)
        (unic[oa]|sola|cualquier|algun[oa]?)_(\w+_){0,2}(frase|parte|enunciado|fallid)
        (un_solo|una_sola|un_unico|una_unica)_(\w+_){0,2}(comprobacion|mal[oa]|incorrect|fals|erron|contradiccion)
        (unic[oa]|sola|cualquier|algun[oa]?)_(\w+_){0,2}(comprobacion|mal[oa]|incorrect|fals|erron|contradiccion)
        (minim[oa]|peor|primer[oa]?|al_menos_un[oa]|debil)_(\w+_){0,2}(error|fallo|afirmacion|falta|dato)
        (minim[oa]|peor|primer[oa]?|al_menos_un[oa]|debil)_(\w+_){0,2}(frase|parte|enunciado|fallid)
        (minim[oa]|peor|primer[oa]?|al_menos_un[oa]|debil)_(\w+_){0,2}(comprobacion|mal[oa]|incorrect)
        (minim[oa]|peor|primer[oa]?|al_menos_un[oa]|debil)_(\w+_){0,2}(fals|erron|contradiccion)
        (un_solo|una_sola|un_unico|una_unica)_(\w+_){0,2}(problema|desliz|invencion|aseveracion|oracion)
        (unic[oa]|sola|cualquier|algun[oa]?)_(\w+_){0,2}(problema|desliz|invencion|aseveracion|oracion)
        (un_solo|una_sola|un_unico|una_unica)_(\w+_){0,2}(pega|tacha|discrepancia|inexactitud|falsedad)
        (unic[oa]|sola|cualquier|algun[oa]?)_(\w+_){0,2}(pega|tacha|discrepancia|inexactitud|falsedad)
        (minim[oa]|peor|primer[oa]?)_(\w+_){0,2}(problema|desliz|invencion|aseveracion|oracion)
        (al_menos_un[oa]|debil)_(\w+_){0,2}(problema|desliz|invencion|aseveracion|oracion)
        (minim[oa]|peor|primer[oa]?|al_menos_un[oa]|debil)_(\w+_){0,2}(pega|tacha|discrepancia|inexactitud|falsedad)
        -es_un[oa]?_(\w+_){0,2}(error|fallo!|fallid|problema|desliz|contradiccion|discrepancia)
        -es_un[oa]?_(\w+_){0,2}(inexactitud|falsedad|mala!|malo!|incorrect|fals[oa]!|erron) en_cuanto un_solo
        una_sola mayormente nueve cualquier_elemento algo_de_la_respuesta a_menos_que_tod[oa]s salvo_que_tod[oa]s
        afirmacion_mas_debil nada_(\w+_)?(incorrect|mal)""",
    "whole": r"""
        whole entire enough suffic everything_else rest! answer! response! reply! verdict! total! fails! fail!
        failure reject disqualif spoil sink! invalidat negative_label decides! decisiv
        (fals|incorrect|fallid)_decide! bad! overall takes as_a_whole unfaithful condemn ruin doom brings_down
        choose_the_negative 0! stop! weakest enter[oa] tod[oa]_(la|el|lo)! basta baste! suficiente lo_demas resto!
        suspend suspens rechaz descalifi estrope invalid etiqueta_negativa conjunto respuesta! veredicto no_vale
        infiel hund arruin anul tumb conden desapr contamin debil""",
    "failing": r"""
        fail reject disqualif spoil sink! sinks! invalidat negative ruin condemn doom unfaithful wrong! incorrect
        bad! enough suffic 0! weakest not_pass decides! decisiv (fals|incorrect|fallid)_decide! stop! settles
        too_(many|much) not_(enough|sufficient) suspend suspens rechaz descalifi estrope invalid negativ arruin
        conden hund infiel mal[oa]! basta suficiente debil no_(aprueba|vale|pasa) no_es_suficiente no_basta zanja
        demasiad para!""",
    "rescue": r"""
        sav(e|es|ing)! rescue redeem compensat mak\w*_up_for outweigh offset balance cancel_out excuse
        counterbalance give_credit credit_for salv(a|an|ar|e|en)! rescat redim compens contrarrest equilibr disculp
        pesan?_mas des_credito dar_credito""",
    "rest": r"""
        rest! everything_else others!
        (good|right|correct|true|supported)_(\w+_)?(part|claim|sentence|statement|ones) remaining mostly resto!
        demas! (partes|frases|afirmaciones|enunciados|aciertos)_(buen|correct|ciert) aciertos! mayormente""",
    "mostly": r"""
        nine! partial_(correct|accura|faith|support) partially_(correct|right|supported) mostly
        (partly|partially|half)_(right|wrong|correct|incorrect|true|false) almost_(all|entire|every)
        nearly_(all|every) majority most_of ninety mayormente mayoria correccion_parcial parcialmente
        en_parte_(in)?correct a_medias casi_tod nueve en_su_mayor_parte""",
    "pardon": r"""
        (not|no|never)!_(\w+_){0,2}(enough|make|fail|reject|sink|invalidat|suffic)
        (not|no|never)!_(\w+_){0,2}(condemn|ruin|spoil|disqualif|decide) majority most_(of|claims|statements|parts)
        on_balance no!_(\w+_){0,2}(basta|suspend|hace|haga|invalid|hund|descalif|suficiente|arruin|decid|tumb)
        mayoria en_su_mayor_parte""",
    "only_if": r"""
        only!_(\w+_){0,4}(if|when|where|provided)! (pass|accept|approve|positive|good|meets|succeed|qualif)~only!
        nothing_less (no|without)_(partial|half_marks|averag|middle_ground|compromise) partial_(credit|marks|score)
        all[-_]or[-_]nothing free_of_errors without_(a_single|any|exception) zero_tolerance otherwise_(the|it)
        nothing_(in_it_)?(is_)?wrong no_exceptions in_(every|all)_(respect|aspect|way)
        either_(\w+_)?(fully|completely|entirely|wholly)
        (fully|completely|entirely|wholly)_(supported|correct|backed|right|faithful)~or! no_middle no_grey spotless
        flawless error-free faultless solo!~(si|cuando)! unicamente~(si|cuando)! todo_o_nada
        en_todos_los_(aspectos|sentidos)
        no!_(hay|existe|des|cabe|hagas|haya|concedas)~(parcial|medias|termino_medio|intermedi) puntuacion_parcial
        nota_parcial promedi sin_(ningun_)?(excepcion|error|fallo) ningun_(error|fallo) tolerancia_cero
        o_esta~o_(suspend|falla|no)! termino_medio medias_tintas impecable intachable""",
    "dismiss": r"""
        (not|never|no|without)!_(\w+_){0,2}(worry|care!|matter!(?!_how)|need|necessary|relevan)
        (not|never|no|without)!_(\w+_){0,2}(important|bother|concern|penali|mind!|role) -(not)_ignor(e|ing)!
        disregard irrelevant unimportant may_be_(ignored|skipped) skip_(the|any) out_of_scope immaterial
        (is|are)_(fine|ok|okay|acceptable|harmless|allowed|no_problem)
        (no|ni|nunca|sin)!_(\w+_){0,2}(preocup|importa|hace_falta|hacen_falta|necesari|tengas_en_cuenta|penali)
        -(no)_ignora! olvidate_de irrelevante pasa_por_alto da_igual prescind
        -no_(es|son)_(aceptable|irrelevante|inofensiv)""",
    "skip_split": r"""
        (not|never|no|without)!_(\w+_){0,2}(split|divid|break|decompos|separat|list)
        (not|never|no|without)!_(\w+_){0,2}(take~apart|go_through|check_each)
        (no|ni|nunca|sin)!_(\w+_){0,2}(divid|separ|descompon|desglos|enumer|trocee)""",
    "skip": r"""
        (not|never|no|without)!_(\w+_){0,2}(check|compar|look|verif|focus|attention|split|divid|break|decompos)
        (not|never|no|without)!_(\w+_){0,2}(separat|examin|consider|scrutini|inspect|analy|list|take~apart)
        (no|ni|nunca|sin)!_(\w+_){0,2}(comprueb|comprob|compar|verifi|mires|mirar|fij|atencion|divid)
        (no|ni|nunca|sin)!_(\w+_){0,2}(separ|descompon|desglos|revis|considere|coteje|examin|analic)""",
    "demand": r"""
        must! ha(s|ve)_to requir insist demand needs?_to should! debe deberia exi(ge|ja|jas|gen|gir)! tiene_que
        tienen_que ha_de han_de hay_que penali[sz] penali obligatori mandatory""",
    "permit": r"""
        may! can! fine! ok! okay! acceptable allowed permitted feel_free free_to puede! puedes pueden podra
        aceptable permitid admit acept valid[oa]s?!""",
    "closed_world": r"""
        (if|when)_the_(\w+_){0,6}(assume|conclude|take_it)_(\w+_){0,4}(not|false|no|impossible|unavailable)!
        (if|when)_the_(\w+_){0,6}(treat_it_as)_(\w+_){0,4}(not|false|no|impossible|unavailable)!
        (si|cuando)_(\w+_){0,7}(asume|supon|concluye|considera)_(\w+_){0,4}(no|falso|imposible|negativo)!
        (si|cuando)_(\w+_){0,7}(entiende)_(\w+_){0,4}(no|falso|imposible|negativo)!""",
    "forbidden_inference": r"""
        (not|never|no|nunca|jamas)!_(\w+_){0,3}(assum|conclud|take|treat|infer|deduc)
        (not|never|no|nunca|jamas)!_(\w+_){0,3}(deduz|supon|asum|concluy|consider)""",
}
