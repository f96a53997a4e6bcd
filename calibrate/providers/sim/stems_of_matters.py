"""The stems of what a prompt speaks of: sources, figures, names, negations, silence, wording.

How to read them: :mod:`.concepts`. English first, then Spanish.
"""

from __future__ import annotations

__all__ = ["MATTERS"]

MATTERS: dict[str, str] = {
    "source": r"""
        context source passage document text! texts! material excerpt article chunk snippet evidence! knowledge_base
        manual reference retrieved original what_is_(given|provided) provided_information contexto fuente pasaje
        documento texto extracto articulo fragmento evidencia! referencia recuperad lo_que_se_(da|aporta)""",
    "answer": r"""
        answer response reply! replies! summary summaries respuesta contestacion resumen""",
    "claim": r"""
        claim statement assertion assert! sentence proposition fact! facts! factual point! points! part! parts!
        piece clause detail bit! bits! segment phrase! phrases! afirmacion enunciado aseveracion frase oracion
        proposicion hecho! hechos! punto! puntos! parte! partes! pieza dato! datos! detalle aserto asercion segmento
        trozo!""",
    "figure": r"""
        number! numbers! numeral numeric figures! figure!(?!\W+out) digit quantit amount! amounts! date! dates!
        price prices percent sums! duration deadline time_limit time_frame timeframe measurement currenc
        how_(much|many|long) arithmetic quantitative monetary time_(period|span|interval) numerical opening_hours
        magnitudes! sum_of_money sums_of_money statistic numero cifra digito cantidad importe! importes! monto!
        fecha precio porcentaj sumas! plazo! plazos! duracion! duraciones medidas! moneda divisa cuantitativ
        monetari periodo! periodos! cuant[oa]s! cuanto_(cuesta|tiempo|dura|vale) magnitud estadistic horarios!""",
    "weak_figure": r"""
        unit! units! cost! costs! fee! fees! year! years! day! days! hour! hours! total! totals! value! values!
        rate! rates! limits! euro dollar calculation time! times! duration unidad! unidades coste! costes! costo!
        costos! tarifas! ano! anos! dia! dias! hora! horas! valor! valores tasa! tasas! limites! calculos!""",
    "two_figures": r"""
        \d+!~(\w+\W+){0,6}\d+!""",
    "entity": r"""
        entit product person people names! named! plan! plans! place! places! subject! subjects! compan model!
        models! service who! whom whose organi[sz]ation brand tier! tiers! edition variant version location item
        individual proper_n character someone somebody referent offer! offers! object! thing! things! countr city
        cities device event! sister customer_type (type|kind|class|group)_of protagonist option
        which_(one|item|thing) entidad producto persona nombre! nombres! planes! lugar sujeto empresa modelo!
        modelos! servicio quien organizacion marca! marcas! tarifa variante individuo personaje articulo! articulos!
        pais ciudad oferta categoria categories category cosa dispositivo (tipo|clase|grupo)_de herman[oa] aquello!
        protagonista opcion""",
    "names": r"""
        names! owner! identit proper_n organi[sz]ations entities who_(does|did|said|is) who_or what_each
        which_(product|person|plan|item|company|one!) nombres! due[n]?o! identidad organizaciones entidades
        protagonista quien_(hace|hizo|dice|es!) de_(quien|que)_(habla|se_habla|trata)
        que_(producto|persona|plan|articulo|empresa)!""",
    "other": r"""
        another different! wrong! other! others! someone_else somebody_else somebody! else! confus mix mixes mixed
        mixing mix-up conflat swap interchang switch misattribut mistak similar! similarly neighbo sibling
        related_product vice_versa exchang cross-over crossover lookalike namesake passed_off owner! owners!
        counterfeit international domestic otro! otra! otros! otras! distint diferente! equivocad confund mezcl
        intercambi cruz[ae] parecid ajen[oa] permut suplant vecin hermano! hermana! hermanos! semejante homonim
        pasen?_por due[n]?o! internacional nacional""",
    "attribution": r"""
        attribut belong ascrib credits! credited carry_over carried transfer borrow appl(y|ies|ied)_to stands_for
        holds_for speaks?_(of|about) talk concern! concerns! refer! refers! referring pertain is_about are_about
        about_(another|a_different|the_same|that|someone|something|it) describ relate! relates valid_for true_of
        said_(of|about) presented_as asked_about named_in support! supports! back! atribu pertene achac traslad
        se_refier referirse habla! hablan! hable corresponde! se_trata vale_para valga_para se_dice_de trata_de
        relativ presentarse_como aquello_por nombrad respald""",
    "one_other": r"""
        one!~(another|other|others|rest)! (of|about|for|to)_(x|a)!~(y|b)! the_one~the_other this~that!
        un[oa]?!~otr[oa]s?! sobre_x!~y! de_a!~b! (la|el|lo)_un[oa]!~otr[oa]!""",
    "transfer": r"""
        (not|no)!~(used|serve|back|support|count|stand|evidence|proof|justify)~(about|for|of)! product_a plan_a
        the_rule_for tier~tier plan~plan product~(another|other)!
        (no|ni)!~(sirv|vale|respald|justific|cuenta|prueba)~(sobre|para|de)! producto_a la_(regla|norma)_de""",
    "polarity": r"""
        negation negated negating opposite polarit exception inver[st] revers flip antonym prohibition prohibit
        forbid forbidden permission proviso caveat turned_around turns?_(a|the)_sentence the_other_way upside_down
        generali[sz] unconditional restrict affirms?_what den(y|ies)_(it|the_same) what_is_(allowed|permitted)
        is_not_(allowed|permitted) (turn|chang|convert)~into~(not|permission|prohibition|no)! negate! negates!
        negating! yes_(and|where|when)~no! says_yes contradict negacion negad opuest polaridad excepcion inviert
        invert inversion del_reves al_reves antonim prohib permis[oa]! permisos! salvedad matiz matices
        dar_la_vuelta dan_la_vuelta generaliz un_si_por incondicional restric restring niega que_(si|no)_donde
        lo_permitido (no_esta|no_estan)_permitid convert~en! convierte~en! niegan viceversa contradicc
        sentido_contrari lo_contrario! contrari[oa]_(que|a|de)""",
    "condition": r"""
        condition qualif limitation limited_to exclu stipulation prerequisite requirement! hedg modal condicion
        limitacion limita! requisito supuesto!""",
    "particle": r"""
        ['"]([^'"]{0,25}\W)?(not|no|only|except|unless|if|never|without|always|but|solo)(\W[^'"]{0,25})?['"]
        ['"]([^'"]{0,25}\W)?(salvo|excepto|si|nunca|siempre|sin|unicamente|a_menos_que)(\W[^'"]{0,25})?['"]
        ['"]([^'"]{0,25}\W)?(solamente|just|until|hasta|sino|ni|nor|neither|all|none)(\W[^'"]{0,25})?['"]
        ['"]([^'"]{0,25}\W)?(todos?|siempre_que|cannot|no_longer)(\W[^'"]{0,25})?['"]
        (not|never|only|unless|except|without)!(,|,?\W+or|,?\W+and)_(never|only|unless|except|if|not|without)!
        (if|always)!(,|,?\W+or|,?\W+and)_(never|only|unless|except|if|not|without)!
        (no|nunca|solo|salvo|excepto|siempre|sin|si)!(,|,?\W+o|,?\W+y)_(nunca|solo|salvo|excepto|ni|sin)!""",
    "split": r"""
        split break_(it|down|up|the|apart|each|every|an?!|any|your) divid decompos separat segment list! enumerat
        extract itemi[sz] isolat individual on_(its|their)_own own_merits by_(itself|themselves) in_turn checklist
        list_of_(fact|claim|statement) independent one_(by|after|at)~(one|time|other|another)! smallest
        (sentence|claim|statement)_(by|after)_(sentence|claim|statement|line|point|fact|piece|phrase|assertion)
        (line|point|fact|piece)_(by|after)_(sentence|claim|statement|line|point|fact|piece|phrase|assertion)
        (phrase|assertion)_(by|after)_(sentence|claim|statement|line|point|fact|piece|phrase|assertion) isolation
        atomic take~apart pull~apart dissect piecemeal unpack identif~(claim|statement|assertion|fact)s? chop~into
        write_down several_(claim|assert|statement|fact) level_of~(claim|statement|sentence|assertion) granular
        first_(sentence|claim|statement)~second compound sentence_level several_things
        single_(claim|fact|statement|assertion)s! small_(fact|claim|piece|unit) one_at_a piece_by in_(parts|pieces)
        separ! separa separe separar descomp desglos trocea desmont desmenu fragmenta! enumera list(a|ar|e)!
        extra(e|er|iga|igas)! aisl por_separado por_sus?_(propios_)?meritos por_si_(mism|sol) por_su_(lado|cuenta)
        por_turno un[oa]_(a|por|tras)_(un|otr) de_un[oa]_en independiente
        (frase|trozo|parte|afirmacion|punto|enunciado)_(por|a|tras)_(frase|trozo|parte|afirmacion|punto|enunciado)
        (dato|oracion|hecho|aseveracion)_(por|a|tras)_(frase|trozo|parte|afirmacion|punto|enunciado)
        (frase|trozo|parte|afirmacion|punto|enunciado)_(por|a|tras)_(dato|oracion|hecho|otr|aseveracion)
        (dato|oracion|hecho|aseveracion)_(por|a|tras)_(dato|oracion|hecho|otr|aseveracion) disecc minim[oa]s
        identific?~(afirmacion|enunciado|hecho) parte_la_(respuesta|contestacion) apunta
        primera_(frase|afirmacion)~segunda compuesta varias_(afirm|aserc|asev) a_nivel_de
        lista_de_(hecho|afirm|enunci) hechos_sueltos sueltas! sueltos!""",
    "absent": r"""
        (not|never|nowhere|no|nothing|none)!~(in!_(the|any|your)|stat|said|says?|mention|contain|found)
        (not|never|nowhere|no|nothing|none)!~(present!|appear|support|back|written|ground|trac|includ)
        (not|never|nowhere|no|nothing|none)!~(basis|evidence|provid|cover|document|deriv|confirm|substantiat)
        (not|never|nowhere|no|nothing|none)!~(verif|given|justif|attest|there!|credit)
        (without|lack|no)!~(basis|support|evidence|ground|backing|source|foundation|counterpart|trace)
        nothing_(that|which|more|else|beyond|outside) absent missing_(from|in_the) beyond outside unsupported
        ungrounded unfound unverifiable unbacked unstated unsourced undocumented unsaid if_there_is_none no_other
        within_the_(limits|bounds|scope|four) needs_(a_)?(basis|support|source)
        (no|ni|nada|nunca)!~(est[ae]!|esten|estan!|encuentr|encontr|dice|dicen|diga)
        (no|ni|nada|nunca)!~(menciona|aparec|figur|respald|conten|contien|rastre)
        (no|ni|nada|nunca)!~(recog|apoya|sostien|consta|afirma|inclu|procede|sal(e|ga)!)
        (no|ni|nada|nunca)!~(provien|vien|venga|justific|deduc|conste)
        (sin|falta)!~(base|apoyo|respaldo|fundamento|sustento|prueba|evidencia|fuente|decir) fuera_del? mas_alla
        ausent falte infundad ajen[oa]_(a|al)! si_no_la_hay dentro_de_(los|lo)_(limites|margen|que)
        necesita_(base|respaldo|apoyo) nada_que_no""",
    "outside": r"""
        (outside|external|prior)_(\w+_)?(knowledge|information|facts|sense|memory|expertise|sources?|learning)
        (general|background)_(\w+_)?(knowledge|information|facts|sense|memory|expertise|sources?|learning)
        (world|real-world)_(\w+_)?(knowledge|information|facts|sense|memory|expertise|sources?|learning)
        (personal|own|encyclop)_(\w+_)?(knowledge|information|facts|sense|memory|expertise|sources?|learning)
        (common|parametric)_(\w+_)?(knowledge|information|facts|sense|memory|expertise|sources?|learning)
        (previous|pre-existing)_(\w+_)?(knowledge|information|facts|sense|memory|expertise|sources?|learning)
        (pretrained)_(\w+_)?(knowledge|information|facts|sense|memory|expertise|sources?|learning)
        (what|everything|all)_(that_)?you_(already_)?(know|remember|believe|think|learn)
        you_(already_|may_|might_)?(know|happen_to|remember|learn) from_(memory|elsewhere) learn(ed|t)_elsewhere
        your_(own_)?(knowledge|memory|training) in_your_head
        (conocimiento|informacion|cultura)_(\w+_)?(extern|propi|previ|general|del_mundo|ajen|de_fuera|personal)
        (saber|datos|hechos|fuente)_(\w+_)?(extern|propi|previ|general|del_mundo|ajen|de_fuera|personal)
        (saberes)_(\w+_)?(extern|propi|previ|general|del_mundo|ajen|de_fuera|personal)
        (propi|tus?|previ)_(\w+_)?(conocimiento|saber|memoria|cultura) sentido_comun
        (lo|todo)_(lo_)?que_(ya_)?(sabes|sepas|conoces|recuerd|crees|aprendi) ya_conoces conoces_(por|de)!
        de_memoria otras_vias hayas_aprendido en_otra_parte tu_entrenamiento""",
    "plausible": r"""
        plausib (even|though|although|however)~(true|correct|right!|real!|reasonabl|likely)
        (even|though|although|however)~(obvious|accura|sensible|helpful|convinc) in_reality in_(the_)?real_world
        likely! obvious well-known well_known happens_to_be sensible credible no_matter_how sounds? believ convinc
        persuasiv benefit_of_the_doubt probable! real_world correct_in_general true_in_general true_but correct_but
        reasonable helpful_extra useful_extra even_correct even_true right_in_general verosimil
        aunque~(ciert|verdad|correct|verosimil|razonable|probable|real|logic|sensat|util)
        por_(muy_|mas_)?\w+_que_(sea|suene|parezca|resulte|se) plausible obvi[oa]! conocid[oa]! razonable
        beneficio_de_la_duda ciert[oa]s?_en correct[oa]s?_en_(general|la_realidad) en_la_(realidad|vida) mundo_real
        creible sensat ciert[oa]s?_pero hasta_(los|las)~(ciert|correct) aun_siendo util_de_mas""",
    "addition": r"""
        addition! additions! added! adds! add! extra! extras! invent(s|ed|ing|ion|ions)?! fabricat made_up made-up
        mak(e|es|ing)_up hallucinat embellish speculat extrapolat assumption assum taken_for_granted fill~gap
        additional! new_(information|fact) go(es)?_beyond introduc of_its_own brings?_in guess conjectur surplus
        elaborat anadid anade adicion! adiciones! agregad inventad inventa! fabricad alucina especula suposicion
        supon dar(se)?_por_(sentad|hech|supuest) rellen~(hueco|laguna) adicional conjetur adorn extrapol
        informacion_nueva de_mas! hechos_propios aport[ae] de_su_cosecha""",
    "silence": r"""
        absence! silen unsaid unmentioned non-mention (says?|said|saying)_nothing
        nothing_(is_|was_)?(said|mentioned|stated) keeps?_quiet left_out_of_the_(source|context|text|document)
        (not|never)!_(\w+_)?(mention|say|speak|cover|listed|list!|enumerat|address)
        (not|never)!_(\w+_)?(discuss|talk|bring_up|refer|being_listed) no_mention
        lack_of_(\w+_)?(mention|evidence|information|permission|reference) missing_(mention|information)
        mere_absence failure_to (context|passage|source|document|text)_omits? omitted_by leaves?_unsaid unspoken
        no_(information|reference|word) ausencia silencio calla! callan! calle! callen!
        (no|ni|nada)!_(\w+_){0,2}(mencion|dice|diga|dij|habl|trat|figur|aparec|cite|cita)
        (no|ni|nada)!_(\w+_){0,2}(recog|lista!|enumer|nombr|alud|abord|menciona) mencion_ausente falta_de_una?!
        falta_de_(mencion|prueba|un_permiso|permiso|informacion|evidencia|referencia) no_mencionad
        (contexto|pasaje|fuente|documento|texto)_omit[ae]! nada_(se_)?(dice|diga) no_esta_en_la_lista
        falta_informacion""",
    "denial": r"""
        rul(e|es|ing)_(\w+_)?out lacks? den(y|ies|ied|ial|ials|ying)! ['"](\w+_){0,4}(no|not)!.{0,20}['"]
        (say|says|saying|answer|conclude|to)_(that_)?(something_)?no! neither_(yes|no) yes_nor_no equal_no
        negative_(statement|claim|answer|assertion|sentence) a_negative negative! negatives!
        (does|do|is|are|was|it_is)_not_(\w+_)?(exist|happen|offer|available|possible|true!)
        (does|do|is|are|was|it_is)_not_(\w+_)?(so!|allowed|the_case|there!|false) feature_is_missing are_missing
        is_forbidden is_false prohibition forbidden not_offered not_false not_possible (does|do)_not_exclude
        nonexist something_is_not is_not_(so|possible) negation! negations! -(not)_negat exist! still_exist descart
        no_lo_tenga no_la_tenga no_dispon neg(ar|acion|aciones|ativa|ativas|ativo|ado|ada|arlo|ada)! nieg
        (decir|dice|dicen|contest|responde|diga)\s(que\s)?['"]?no!
        no_(\w+_)?(exist|ofrec|ocurr|hay|sea|es_asi|esta_disponible|es_posible|se_ofrece)
        que_(\w+_){0,2}no_(exist|se_ofrec|ocurr|hay|haya|sea|es!|est[ae]!) inexist prohib
        ['"](\w+_){0,4}no!.{0,20}['"] ni_el_si no_disponible no_esta_disponible no_excluye no_es_posible no_falso
        es_falso es_negar existir""",
    "cut": r"""
        cut! cuts! cutting_off truncat incomplete unfinished interrupt break(s|ing)?_off broken broke_off
        cut_sentence behind_the_cut mid-sentence mid-way midway halfway mid-word abrupt trail ellips \.\.\.
        half_(a_)?sentence half-sentence fragmentary chop clipp stop(s|ped)?_(in|mid|before|short|suddenly)
        partial_sentence unterminated
        (missing|lost|without_its|no)_(\w+_)?(end|ending|tail|rest|remainder|continuation)! ends?_in_the_middle
        dangling suddenly severed left_hanging curtailed middle_of_a end_(is_)?(missing|lost) half-finished
        never_(finish|end) not_(finish|finished|end)! without_(ending|finishing|an_end)
        (came|comes|come|coming)_(next|after) (have|has|had)_(followed|gone_on|said) what_follows remainder unseen
        is_lost cortad -mas_corta! cortan! cortarse corte! trunc -respuesta_-respuestas_incomplet[oa] inacabad
        interrump interrumpid a_medias a_mitad a_la_mitad en_mitad en_medio medio_camino suspensiv
        sin_(terminar|acabar|final|concluir) inconclus mutilad recortad media_frase
        no_(terminan?|acaban?|concluyen?|tienen?_final)! rot[oa]s?! acaba~de_(golpe|repente)
        (queda|dejad)\w*_(colgad|a_medio|en_el_aire|inacab) brusc abrupta de_repente
        falta\w*_(el|su|la)_(final|cola|parte|resto) (final|parte|resto)_(que_falta|perdid|no_visible|no_ve)
        termina~de_golpe se_par[ae]n? se_detien elips a_medio viene_despues (habria|habrian)_(segu|dich|contin)
        que_(seguia|sigue|seguiria|venia)! deja\w*_sin_(terminar|acabar)""",
    "complete": r"""
        complete! completing complet[ae]r? finish guess fill rellen termin[ae]r? adivin""",
    "sentence": r"""
        sentence passage chunk text! texts! excerpt source context! contexts! document snippet fragment statement
        paragraph frase oracion pasaje fragmento! fragmentos! texto extracto fuente contexto documento parrafo""",
    "wording": r"""
        wording word_(choice|order) choice_of_words phras rephras paraphras reword synonym style stylistic tone!
        tones! literal verbatim word_for_word word-for-word formulat reformul vocabular register expression
        expressed express! grammar spelling typo restat reorder rearrang terminology lexical turns?_of_phrase
        surface informal formal! own_words different_words exact_words same_words other_words language_level
        in_(a_)?(another|different|any)_way simpler_terms
        (plain|simple|everyday|colloquial)_(language|word|term|english) the_message not_the_words and_not_words
        render (free|loose)_(version|translation|rendering) says?_it_differently said_differently differently
        quotation quot(e|ed|ing)! politeness structure! letter! -in_order!(?!_(to|of_the_(two_)?answers))
        changed_order how_it_is_(said|expressed|put|written) explain~(simpl|differently|own) layout formatting
        redacci redact palabras parafras sinonim estilo estilistic tono textual formulacion vocabulario expresa
        expresion expresado registro! gramatic ortograf terminos_mas orden!(?!_de_las_(dos_)?respuestas)
        de_otr[oa]_(modo|manera|forma) reorden lexic terminologia la_forma! en_la_forma superficie estructura!
        la_letra! palabra_por_palabra version_libre enunciad[oa]_de cortesia de_cualquier_(manera|modo|forma)
        mas_sencill lenguaje_(sencill|llan|clar|coloq) el_mensaje no_las_palabras
        como_(se_)?(dice|expres|esta_escrit) traduccion_libre lenguaje""",
    "strictly_worded": r"""
        wording phras rephras paraphras style tone! literal verbatim word_for_word redaccion parafras estilo tono
        textual reformul synonym sinonim""",
    "meaning": r"""
        meaning message content! substance sense! gist semantic idea! ideas! significad contenido! sentido! fondo!
        sustancia say_the_same says_the_same lo!_mismo! mensaje""",
    "omit": r"""
        omit omission leav~(out|off|unsaid|unmentioned|aside) left_(out|unsaid|unmentioned) skip missing brief
        brevity short! shorter concis complete completeness completely incomplet partial! partially exhaustiv
        thorough! cover~(everything|all|whole) some_of less_than say(s|ing)?_less terse succinct comprehensive
        condens selectiv select! one-line one-sentence one-word
        (not|n't)!_(\w+_)?(mention|include|repeat|say_everything|bring_up) (only|just)_(\w+_)?(some|part|a_few)
        all_relevant (absent|missing|lacking)_(in|from)_(the|an?)_(answer|response|reply) list_everything
        (whether|if)_(anything|something)_is coverage full_(story|picture) length every_detail
        all_(of_)?the_(details|facts|information|context) everything_(that_)?(the|in)
        could_have_(added|said|mentioned) unmentioned omis dej\w*~(fuera|de_lado) fuera!
        falt(a|an|e|en|ar|ante|antes)! deja[dr]\w*_(\w+_)?fuera toda_la_(informacion|relev) deje_informacion
        completa! saltar saltars no_(\w+_)?(mencion|incluy|recog|abar|cubr|diga_todo) breve brevedad cort[oa]s?!
        complet[oa]s?! parcial solo_(\w+_)?(algun|parte|una_parte) menos! repetir todo_lo_que abarcar cubrir resumid
        escuet sucint laguna completitud elegir una_linea una_frase_corta todos_los_(detalles|datos|hechos)
        podria_haber enumer~todo lo_enumere si_falta cuent[ae]~todo! extension! se_salta en_la_respuesta_falt
        (calla|callar)!""",
    "left_out": r"""
        skip drop(s|ping|ped)?! gap! gaps! partial! selectiv coverage unsaid unmentioned concis exhaustiv cover!
        dej\w*~fuera laguna parcial! cobertura saltar cubrir prescind mencion omit omission leav~out left_out
        missing complete! completeness incomplet brevity brief! short! omis
        falt(a|an|e|en|antes?)!_(\w+_)?(detalle|informacion|dato) complet[oa]s?! breve brevedad""",
}
