"""The stems of what counts as a fault, what does not, and what follows from one, in Spanish.

How to read them: :mod:`.concepts`. They add to the groups of :mod:`.stems_of_matters` and :mod:`.stems_of_attitudes`.
Accents are folded away, so that the forms of tú and vos mostly coincide.
"""

from __future__ import annotations

__all__ = ["STANDARDS_ES"]

STANDARDS_ES: dict[str, str] = {
    "invented": r"""
        inventad inventa! inventan! invente! inventen! inventar! inventarse invencion alucin sacad[oa]_de_la_manga
        de_su_(propia_)?cosecha fabul fantase adorno! adornos! fabricad se_(lo_)?invent""",
    "outside": r"""
        mundo_real vida_real informacion_propia (informacion|datos|conocimientos?|ideas)_(propi|de_su|de_tu|ajen)\w*
        lo_que_(ya_)?(sabes|sabe|conoces|sepas) internet wikipedia olvid(a|e|ate)_(de_)?lo_que
        datos_de_entrenamiento (de|en|por|desde)_otr[oa]s?_(sitio|sitios|lugar|via|vias|fuente|fuentes|lado)!
        tu_(propia_)?experiencia su_(propia_)?experiencia_profes (hayas?|has|ha)_aprendido
        conocimientos?_(externos?|previ|propi|general|ajen) no_sabes?_nada sepas?_(por|de|del)! sab(e|es)_del_tema
        cultura_general te_conste conste_que_es lo_que_(ya_)?(sabe|sabes|sepa|sepas|conoces|conozca) de_fuera!
        fuera_de_(el|ella|ellos|autos)! sentido_comun por_tu_cuenta_sab conocimiento_(del_mundo|experto|general)""",
    "confined": r"""
        (basa|basarse|basada|basado|basarte|fundarse)_(\w+_){0,3}(solo|unicamente|exclusivamente)
        (basa|basarse|basada|basado|basarte|fundarse)_(\w+_){0,3}(por_completo|enteramente)
        (sustentarse|ceñirse|cenirse|apoyarse)_(\w+_){0,3}(solo|unicamente|exclusivamente|por_completo|enteramente)
        (basa|basarse|basada|basado|basarte|fundarse)_(\w+_){0,3}(integramente|totalmente|estrictamente)
        (sustentarse|ceñirse|cenirse|apoyarse)_(\w+_){0,3}(integramente|totalmente|estrictamente)
        (solo|unicamente|exclusivamente|por_completo|enteramente)_en_(el|la|lo|los|las)
        (integramente|totalmente|estrictamente)_en_(el|la|lo|los|las)
        solo_(\w+_){0,4}(se_encuentra|encuentre|aparece|figura|esta|consta|dice|contiene)! unica_(fuente|base)
        (solo|unicamente)_(se_)?(acredit|acept|admit|val|cuent|import) nada_que_no_(este|figure|aparezca)
        cin(ase|ete|anse|ete|endose|ase) limit(ese|ate|arse|ense|andose) en_nada_mas nada_mas_que exclusivamente
        (solo|unicamente|solamente)_(en|por|con|lo_que)_(el|la|lo|los|las|dice|figur|const)?
        at(engase|enerse|ente|ende) sin_salir(se|te)?_(de|del) basese basate""",
    "not_found": r"""
        no_(hay|existe|tiene|tenga|encuentra|encuentras|encuentre|haya)_(\w+_)?(evidencia|apoyo|respaldo|prueba)
        no_(hay|existe|tiene|tenga|encuentra|encuentras|encuentre|haya)_(\w+_)?(base|sustento|fuente|soporte)
        ningun[oa]?_(pasaje|fuente|frase|texto|documento)_(\w+_)?(sustent|respald|apoy|dice|diga)
        ningun[oa]?_(pasaje|fuente|frase|texto|documento)_(\w+_)?(confirm|conten|mencion|avala)
        ningun[oa]?_(linea|parrafo|fragmento|pagina)_(\w+_)?(sustent|respald|apoy|dice|diga)
        ningun[oa]?_(linea|parrafo|fragmento|pagina)_(\w+_)?(confirm|conten|mencion|avala)
        (fuente|texto|documento|pasaje|pagina|articulo)_no_(tiene|dice|trae|contiene|recoge|da|hace)
        (fuente|texto|documento|pasaje|pagina|articulo)_no_(menciona|respalda|sustenta|avala) anadid[oa]? sin_aval
        (no|ni|nunca)!_(\w+_){0,3}(est[ae]n?|estaban?|aparec|aparezc|figur|consta|conste)\w*!
        (no|ni|nunca)!_(\w+_){0,3}(dice|dig(a|an)|recog|recoj|conten|contien)\w*!
        (no|ni|nunca)!_(\w+_){0,3}(trae|traig|hac(e|en)|senal|rastre|menciona|sustent)\w*!
        (no|ni|nunca)!_(\w+_){0,3}(respald|sal(e|ga)|document|localic|encuentr)\w*! carec(e|en)! carezca
        sin_(\w+_)?(fuente|apoyo|soporte|respaldo|evidencia|base|sustento|fundamento|prueba)! ausente!
        linea_de_donde de_donde_(sale|proviene|procede) no_sustentad (no|sin)_(lo_)?teng(a|an)!""",
    "rejecting": r"""
        falla! fallan! falle! no_(ocurrio|sucedio|paso|existio)! no_cuenta! suspendel rechazal no_se_toler descartal
        va_en_contra no_(lo_|la_|se_)?(apruebes?|aceptes?|acepta|admite|admitas?|vale|pasa|cuenta|des|dejes?)!
        con_(un_)?cero! un_cero! veredicto_negativo etiqueta_negativa penaliz rechaz incorrect infiel fallo! fallos!
        invencion errores! esta_mal! suspend reprob no_existe! no_sustentad no_esta_respaldad
        debe_(rechaz|penal|descart) marc(a|ar|ue)_como no_debe! inadmisible fuera_de_(esta|la)_evaluacion
        no_es_valid quedan?_fuera no_(cuenta|sirve)_como se_da_por_(incorrect|falso|no)""",
    "must_be_backed": r"""
        (debe|deben|tiene_que|tienen_que)!_(\w+_)?(salir|venir|proceder)_(del|de_la|de_los|de_las|en_el|en_la)
        (debe|deben|tiene_que|tienen_que)!_(\w+_)?(provenir|proceden)_(del|de_la|de_los|de_las|en_el|en_la)
        (ha_de|han_de)!_(\w+_)?(salir|venir|proceder|provenir|proceden)_(del|de_la|de_los|de_las|en_el|en_la)
        (debe|deben|tiene_que|tienen_que)!_(\w+_)?(derivar|extraerse|tomarse|estar)_(del|de_la|de_los|de_las)
        (debe|deben|tiene_que|tienen_que)!_(\w+_)?(derivar|extraerse|tomarse|estar)_(en_el|en_la)
        (ha_de|han_de)!_(\w+_)?(derivar|extraerse|tomarse|estar)_(del|de_la|de_los|de_las|en_el|en_la)
        (necesita|debe|deben|tiene_que|requiere|ha_de)_(\w+_){0,3}(sitio|lugar|correlato|anclaje|origen)_en
        (necesita|debe|deben|tiene_que|requiere|ha_de)_(\w+_){0,3}(raiz|apoyo|base|sustento|aval)_en
        importa_si_el_(texto|documento|pasaje)_lo_dice
        -no_(debe|deben|ha_de|han_de|tiene_que)!_(\w+_){0,3}(rastre|sustent|fuente|senalar|base!|trazab)
        -no_(necesita|requiere|debera)!_(\w+_){0,3}(rastre|sustent|fuente|senalar|base!|trazab)
        -no_(debe|deben|ha_de|han_de|tiene_que)!_(\w+_){0,3}(cita!|apoyo!|soporte|documental)
        -no_(necesita|requiere|debera)!_(\w+_){0,3}(cita!|apoyo!|soporte|documental)
        poder_(senalar|citar|rastre|localiz) tiene_todo_respaldo todo_(\w+_)?respaldo""",
    "plausible": r"""
        cierta_o_no cierto_o_no verdad_o_no
        suen(e|a|en)_(\w+_)?(logic|bien|cierto|plausib|verosimil|convincen|razon|creible)
        aunque_(\w+_){0,4}(verdad|ciert|correct|conste) por_(muy_)?\w+_que_(parezca|sea|suene|resulte) verosimil""",
    "unmentioned": r"""
        no_(\w+_)?(enumer|lista!|listan!|prev|indica) informacion_que_falta
        (pasaje|fuente|texto|documento|pagina|contexto|articulo)s?_(omit|calla|ignor)
        (fuente|texto|documento|documentos)_no_(\w+_)?(dice|diga|dicen|digan|menciona|mencionan|aborda|trata|recoge)
        (pasaje|pagina|contexto|articulo)_no_(\w+_)?(dice|diga|dicen|digan|menciona|mencionan|aborda|trata|recoge)
        lo_que_no_(se_)?(dice|diga|menciona)
        no_(\w+_)?(este|esta|esten|estan|aparezca|aparece|figure|conste|salga)_en_(la|el|los|las|ninguna)
        (casilla|campo|linea|celda|espacio|hueco|apartado)s?_(vaci|en_blanco) falta_de_ no_se_pronuncia
        no_lo_(dice|menciona|trata|aborda|recoge|toca)! simplemente_calla ausente sin_mencion silencio ex_silentio
        ausencia calla! callan! calle!
        falta_de_(\w+_)?(mencion|informacion|prueba|evidencia|registro|dato|referencia)
        (no|ni|nada|nunca|nadie|tampoco)!_(\w+_){0,3}(mencion|habl(a|e|an|o)!|trat(a|e|an)!|toc(a|an|ar)!)\w*
        (no|ni|nada|nunca|nadie|tampoco)!_(\w+_){0,3}(toque|abord|pronunci|contempl|figur|consta|conste)\w*
        (no|ni|nada|nunca|nadie|tampoco)!_(\w+_){0,3}(coment|aparec|aparezc|document|se_dice|se_diga|registr)\w*
        (no|ni|nada|nunca|nadie|tampoco)!_(\w+_){0,3}(sal(e|ga|en)!|menta|alud|refier|recog|regul)\w*
        no_(hay|haya|existe|exista)_(\w+_)?(registro|constancia|mencion|referencia|advertencia|anotacion|dato)
        sin_\w+_(anotad|registrad|mencionad|document) (hueco|vacio|laguna)s?! omision_de(l|_la)! deja_abiert
        queda_abiert lo_no_(dicho|mencionad|documentad|recogid) pasa_por_alto no_se_habla guarda_silencio
        inexistencia""",
    "not_a_no": r"""
        no_equipar no_(excluye|descarta) no_(lo|la|los|las)_(hace|vuelve|convierte|torna) sin_(decidir|resolver)!
        indecis pregunta_abierta dos_cosas_distintas de_todos_modos puede_(existir|que|haber|ser)!
        (no|tampoco)_(\w+_)?(puedes|puede|cabe|se_puede)_(\w+_)?(deduc|infer|conclu)
        no_es_(una?_)?(prueba|negacion|no)! ni_una_cosa carece_de_(apoyo|base|respaldo|sustento)
        necesitan?_(\w+_)?(prueba|apoyo|respaldo|pasaje|evidencia) no_es_asi no_es_(necesariamente|lo)
        (no|ni|nada|tampoco)!_(\w+_){0,3}(significa|signifique|quiere_decir|quiera_decir|prueba!)\w*
        (no|ni|nada|tampoco)!_(\w+_){0,3}(prueban!|pruebe!|demuestr|implic|acredit|equival|autoriz)\w*
        (no|ni|nada|tampoco)!_(\w+_){0,3}(basta|es_negar|es_lo_mismo|es_igual|sigue|siguen|deduce)\w*
        (no|ni|nada|tampoco)!_(\w+_){0,3}(deducen|infer|permite_(afirm|conclu)|es_prueba)\w*
        (no|sin)!_(\w+_)?(prueba|demuestra|significa|dice)_nada como_(un_)?(no|negad|falso|negativ)!
        por_(un_)?(no|falso|negad[oa]|inexistente)! desconocid queda_abiert no_se_admite
        (no_)?(confund|tomes|tome|interpret)\w*_(\w+_){0,5}(con|por|como)! exig requier necesit carece""",
    "cannot_deny": r"""
        (no|ni)!_(se_)?(puede|pueden|cabe|podemos|podra|debe)_(\w+_){0,2}(decir|afirmar|concluir|asegurar)
        (no|ni)!_(se_)?(puede|pueden|cabe|podemos|podra|debe)_(\w+_){0,2}(negar|darse|inferir)
        (no|ni)!_(se_)?(puede|pueden|cabe|podemos|podra|debe)_(\w+_){0,2}(sostener|deducir|contestar|responder)
        no_(des|de|de_por|infieras?|concluyas?|deduzcas?|tomes|tome) rechac rechaz carece no_esta_respald
        es_un_error debe_rechaz""",
    "nothing_there": r"""
        prohibid cero! nunca jamas inexistenc negarl carece descart vedad
        (ningun|ninguna|nadie|nada|falso|falsa|inexistente|inexistencia|negar|negarlo|nieg\w+)!
        (negad\w+|negativ\w+|negacion\w*|prohib\w+|exclu\w+|imposible|gratis|ausencia)!
        (no|sin|ni)!.{2,120}\b(no|ni|nadie|ningun\w*)!""",
    "broken": r"""
        fragmentos?_de_(\w+_)?(frase|oracion|enunciado|clausula) sin_(un_)?final! (termin|acab)\w*_(en|con)\W+\.\.\.
        (cita|frase|oracion|pasaje|texto|linea|extracto)s?_parcial final(es)?_(desconocid|perdid|que_no|incognit)
        (resto|final)_(se_|es_)?desconoc tres_puntos se_(corto|para|pare|interrumpio|quedo_a)! rot[oa]s?!
        (frases?|oraciones|texto|pasaje|cita)_(\w+_)?rot interrumpid acabar_en_cualquier termin(a|ar)_en_cualquier
        tamano_fijo por_la_mitad sin_punto_(final)? antes_de_(acabar|terminar|concluir) mitad_que_(les_)?falta
        cercenad amputad tijera cortad[oa]s?! trunc inconclus mutilad recorte! recortad recortar! interrump
        media_(frase|oracion|palabra|linea) a_medi[ao]s?_(frase|oracion)
        a_(la_)?mitad_de_(\w+_)?(frase|oracion|palabra|linea|clausula) (puntos_)?suspensiv
        sin_(terminar|acabar|concluir)! final_ausente frase_partida
        se_(corta|corte|corten|cortan|detiene|detenga|quebra)! (del|tras_el|desde_el)_corte! brusc antes_de_tiempo
        colgad[oa]s?!
        (frase|oracion|linea|clausula|pasaje|parrafo)s?_(\w+_){0,5}(incomplet|inacabad|a_medias|partid|rot)[oa]?
        (renglon|cita|nota|fragmento|extracto)s?_(\w+_){0,5}(incomplet|inacabad|a_medias|partid|rot)[oa]?
        incomplet\w+_de_la_fuente (dejo|dejado|deja|queda|quedo)_a_medias no_(se_)?(alcanza|llega)\w*_a_(ver|leer)
        parte_(no_visible|que_no_se|perdida|oculta) que_falt(a|an)_al_final se_perdio inacabad texto_acaba
        texto_se_(detien|acab)""",
    "continuation": r"""
        (lo_que|que)_(\w+_)?(viene|sigue|vendra|iba)_(luego|despues|detras) viene_luego fin_de_(una|la)
        huecos_al_final mitad_que_(les_)?falta tal_como_seguia iba_a_\w+
        habria_(\w+_)?(dicho|seguido|continuado|puesto)
        lo_que_(\w+_)?(falt|seguia|seguiria|venia|continua|disponia|segu) (la|su|una|cuya)_continuacion
        como_(\w+_)?(segu|acab|termin|conclu|continu) lo_restante (el|su|del|cuyo)_(final|resto)!
        (venia|viene|vendria|iba|seguia)_despues seguirian presumiblemente
        (terminar|termine|termines|completar)_(\w+_){0,4}(frase|oracion|texto|autor)
        (completes?|acabes?|acabar|seguir)_(\w+_){0,4}(frase|oracion|texto|autor) final_de_(una|la|un|el)
        lo_que_se_perdio frase_que_(\w+_){0,3}no_(termin|acab|conclu)""",
    "guess": r"""
        imagin adivin presup calcul_como complet reconstru rellen termin supon intu extrapol continu infer conjetur
        especul anad completar sirve acredit respald prueba vale invoc sostener""",
    "said_otherwise": r"""
        (mismos|identicos|exactos)_terminos terminos_(\w+_)?(identic|exact|igual)
        palabras_mas_(llanas|sencillas|simples)
        (significa|signifique|significan|dice|dicen|quiere_decir|expresa)_lo_mismo frase_exacta
        palabras_(exactas|propias|parecidas|iguales) (diferencia|rasgo|cambio)s?_superficial superficial vocabulario
        terminos_equivalentes reorden coloquial sintaxis ortograf signos_de_puntuacion registro! tono! estilo!
        palabras! con_(otras|sus|propias) presentacion_(del|visual) forma_de_(decir|expres|hablar)
        (manera|forma|modo)s?_de_(decir|expresar|enunciar|redactar) a_su_manera con_sus_(propias_)?palabras
        otra_secuencia misma_secuencia mismo_orden calc(ar|o|a|que)! copi(e|ar|a)! al_pie_de_la_letra
        voz_(activa|pasiva) vineta formato jerga escritas?_como
        (diferencia|cambio|cuestion)s?_de_(\w+_)?(forma|orden|estilo|tono|redaccion|formato) lenguaje reformul
        parafras sinonim redacci otro_orden (otras|distintas|diferentes|propias)_palabras
        terminos_(comunes|sencillos|corrientes|llanos) equivalencia_semantica expresiones_equivalentes
        como_este_(redact|escrit|dich) nominaliz (eleccion|coincidencia)_(de_palabras|textual|literal)
        lo_mismo_(con|de)_otr expres(a|ar|e)(se|rse)?_libremente donde_la_fuente_dice""",
    "omit": r"""
        callar(se)?_(un|una|algun|detalles|datos|cosas|algo) minuciosidad minucios detallad
        (todo|toda|todos|todas|cada)!_(\w+_){0,5}(list|mencion|inclu|recog|cubr|cit|aparez)\w*
        (todo|toda|todos|todas|cada)!_(\w+_){0,5}(repit|reproduz|enumer|nombr)\w*
        (list|mencion|inclu|recog|recoj|cubr|cit|aparez)\w*!_(\w+_){0,3}(todo|toda|todos|todas|entero|cada)!
        (repit|repet|reproduc|enumer|nombr)\w*!_(\w+_){0,3}(todo|toda|todos|todas|entero|cada)!
        (solo|unicamente|nada_mas)_(\w+_){0,2}(mencion|inclu|cubr|cit|da!|indica|nombr|recog|cuent)\w*
        (lo|la|el)_(principal|esencial) sin_(decir|mencionar|citar|contar|incluir)! lo_que_(le_)?falte?
        medi[oa]_(pagina|texto|documento) cosas_sin respuestas_(cortas|breves) incomplet brevedad escas parquedad
        extension! concision profundidad olvid no_llego_a quedarse_corto se_qued(a|o)_corta? escog(er|e|ido)!
        prescind(ir|e|a)! no_recoger no_(se_)?(hayan?_)?(inclu|recog|recoj)
        (deja|deje|dejar|dejen)_(de_)?(mencion|inclu|fuera)
        lo_que_no_(\w+_)?(est|aparez|aparec|diga|dice|mencion|pus|puso|pone) est(e|ar)_(in)?complet[oa]
        complet[oa]s?! cobertura exhaustiv solo_un[oa]_de
        tod[oa]s_l[oa]s_(paso|clausula|opcion|detalle|punto|metodo|requisito|aspecto|elemento)
        todo_lo_que_(\w+_)?(trae|dice|contiene|hay|figura|aparece) (cuenta|dice|cuente|diga)_(muy_)?poco
        demasiado_poco lagunas?! (una|pocas|dos)_(sola_)?linea
        (lista|respuesta|enumeracion)_(parcial|corta|breve|incompleta|escueta) falten! falte! faltan!
        falta_de_(contexto|datos|detalle|contenido) parcialidad pas(a|e|ar)_por_alto selectiv mas_cosas
        unos_(hechos|datos|detalles) saltars? se_salt(a|e|an) no_abarc resum no_inclui ausencia_de_detalle minimo_de""",
    "lenient": r"""
        (trat|cuent|acept|consider|tom|da|dar|punt)\w*~(como|por)_(correct|valid|buen|iguales)
        (trat|cuent|acept|consider|tom|da|dar|punt)\w*~(como|por)_(fiel|equival|respaldad)
        no_(\w+_){0,2}(hace|vuelve|convierte|torna)_(\w+_)?(erron|mala|inexact)
        no_se_(requiere|exige|pide|necesita|espera) no_pasa_nada
        no_(pidas|pida|exijas|exija|esperes|espere|reclames|requieras) no_merec
        no_es_un[oa]?_(de_los_|\w+_)?(criteri|requisito|condicion|defecto)
        otra_(prueba|metrica|cuestion|dimension|evaluacion|revision) por_naturaleza se_permite pase?s?_por_alto
        no_(tengas|tenga|tomes|tome)_en_cuenta no_viene_al_caso esta_bien! es_(normal|natural|tolerable|admisible)
        sin_penal y_aun_asi (sin|ningun)_(castigo|problema|perjuicio) toler perdon
        no_(\w+_){0,2}(hace|vuelve|convierte|torna)_(\w+_)?(infiel|incorrect|fals|mal)
        no_es_(\w+_){0,2}(fals|equivoc|incorrect|error|mentir|fallo|infiel)
        no_es_(\w+_){0,2}(falta|problema|obligatori|necesari|requisit)
        (no|nada)!_(\w+_){0,3}(califi|evalu|sancion|pierd|punt|exij|exig|reproch)\w*
        (no|nada)!_(\w+_){0,3}(descuent|baj(e|es|ar)|castig|penal)\w*
        (no|nada)!_(\w+_){0,3}(influ|import|suspend|afecta|perjud|mengu|juzga|valor|requier|rest(a|e|es)|cuent)\w*
        apruebal apruebe_ (esta|tiene|estan)_permitid (puede|pueden|podra|cabe)! no_(tiene|tienen)_(que|por_que)!
        nadie_(espera|pide|exige) es_(perfectamente_)?(valid|acept|legitim|licit|correct) no_hace_falta
        no_es_necesari ignor(e|a|ar)! no_(forma|entra|es_parte)! no_equival""",
    "precision_only": r"""
        (importa|cuenta|interesa|evalua)_(solo_)?la_(precision|exactitud|veracidad)!.{0,10}no!
        no_la_(cobertura|exhaustividad|extension|completitud) (exhaustividad|cobertura|completitud)_(\w+_)?no!
        la_cobertura_no""",
    "said_not_unsaid": r"""
        lo_que_(se_|la_respuesta_|si_)?(dice|afirma|esta|pone)!.{0,25}(no!|y_no|importa|bien)
        solo_(cuenta|importa|vale|se_evalua)_lo_que""",
    "one_bad": r"""
        falla_una! falla_algun si_una_(sola_)?(parte|frase|afirmacion)_(falla|es_fals)
        al_menos_una?_(\w+_)?(afirmacion|frase|dato|parte|enunciado)_no
        -es_(primer|un|solo|unico)!_(fallo|error|tropiezo|desliz)
        (bien|correct\w*|buen\w*|ciert\w*)!.{1,20}(un|una|uno)_(mal|fals|incorrect|erron)
        un_(detalle|dato|hecho)_(invent|fals|erron|incorrect) un_error_aislado nada_(este|esta)_mal
        -es_-son_(un|una|uno|sol[oa]|unic[oa])!_((?!no\b)\w+_){0,6}(error|fallo|falla|falle|defecto)\w*!
        -es_-son_(menor|minim[oa]|peor|ni_un)!_((?!no\b)\w+_){0,6}(error|fallo|falla|falle|defecto)\w*!
        -es_-son_(un|una|uno|sol[oa]|unic[oa])!_((?!no\b)\w+_){0,6}(desliz|fals[oa]s?|erron)\w*!
        -es_-son_(menor|minim[oa]|peor|ni_un)!_((?!no\b)\w+_){0,6}(desliz|fals[oa]s?|erron)\w*!
        -es_-son_(un|una|uno|sol[oa]|unic[oa])!_((?!no\b)\w+_){0,6}(errad|incorrect|inventad)\w*!
        -es_-son_(un|una|uno|sol[oa]|unic[oa])!_((?!no\b)\w+_){0,6}(mal|mala|inexact|adverso)\w*!
        -es_-son_(menor|minim[oa]|peor|ni_un)!_((?!no\b)\w+_){0,6}(errad|incorrect|inventad)\w*!
        -es_-son_(menor|minim[oa]|peor|ni_un)!_((?!no\b)\w+_){0,6}(mal|mala|inexact|adverso)\w*!
        -es_-son_(un|una|uno|sol[oa]|unic[oa])!_((?!no\b)\w+_){0,6}(negativo|sin_(apoyo|respaldo|sustento|base))\w*!
        -es_-son_(un|una|uno|sol[oa]|unic[oa])!_((?!no\b)\w+_){0,6}(equivocad)\w*!
        -es_-son_(menor|minim[oa]|peor|ni_un)!_((?!no\b)\w+_){0,6}(negativo|sin_(apoyo|respaldo|sustento|base))\w*!
        -es_-son_(menor|minim[oa]|peor|ni_un)!_((?!no\b)\w+_){0,6}(equivocad)\w*!
        -es_-son_(un|una|uno|sol[oa]|unic[oa])!_((?!no\b)\w+_){0,6}(infiel|vicio|contradicc)\w*!
        -es_-son_(un|una|uno|sol[oa]|unic[oa])!_((?!no\b)\w+_){0,6}(tacha|fallid|mentira)\w*!
        -es_-son_(menor|minim[oa]|peor|ni_un)!_((?!no\b)\w+_){0,6}(infiel|vicio|contradicc|tacha|fallid|mentira)\w*!
        uno_sol[oa]_de! la_peor! (el|la)_mas_(debil|floj) si_falla_algo algo_falla
        (afirmacion|frase|parte)_mas_debil inexactitud (dato|hecho|punto|elemento)_que_no_se_(sostien|sosteng)
        una_(que|de_las)_(\w+_)?(fall|no)""",
    "sinks_all": r"""
        decisiv definitiv concluyent fatal! fals[oa]_la descalif zanj elige_la_etiqueta_negativ negativ fuera!
        todo_lo_demas pesa_mas no_se_perdona perdon etiqueta_es_0 suspenso vici(a|e|an)! enter[oa]! totalidad
        conjunto! reprob se_etiquet etiquet descart no_(\w+_)?conforme determin manda! basta! baste! alcanza!
        obliga! 0! suspend rechaz todo! toda! invalid hund arruin infiel falla! tumb anul inval conden
        no_(se_)?(aprueba|pasa|acept) cae! veredicto nota! implica incorrect""",
    "no_partial": r"""
        todo_(\w+_){0,2}(falla|cae|suspende)!
        solo_(\w+_){0,4}(completamente|totalmente|enteramente|plenamente|perfectamente|del_todo)_(\w+)
        solo_(\w+_){0,2}(perfect|impecab|intachab) o!_(esta|es)_(\w+_){1,5}o_(suspend|falla|reprueb|no!|se_rechaz)
        solo_es_buena_si al_primer_(fallo|error) solo_cuando_nada toda_ella! solo_si_tod cuando_nada_este
        medi[oa]s_(punto|nota|tinta) conjuncion_logica todo_o_nada o_todo! (no|nada|sin)_(\w+_)?promedi
        puntuacion(es)?_(parcial|intermedia) nota_parcial credito_parcial falla_todo cae_todo tolerancia_cero
        tolerancia_nula solo_(en_ese_caso|entonces)! ni_un_(solo_)?(fallo|error) sin_terminos?_medio
        ninguna?!_(\w+_){0,2}(puede|debe)_(\w+_)?(estar_mal|fall|ser_fals|ser_incorr) puntos_(parciales|intermedios)""",
    "mostly_right": r"""
        (correccion|acierto|exactitud|respaldo|veracidad)_parcial
        (acertad|correct|ciert|bien|respald|exact)\w*_(a_medias|en_parte|en_general|parcialmente)
        por_\w+_que_(sea|este)_(en|lo) parcialmente_(correct|ciert|bien|respald|acertad) en_otras_partes en_lo_demas
        (mayoria|casi_todas)_(de_)?(las|los) mayormente casi_tod(o|a|os|as)!
        (noventa|95|99|90|nueve)!.{1,40}(aciert|correct|ciert|bien|respald)
        (acertad|correct|exact|ciert|buen|bien|perfect)\w*_(\w+_)?(salvo|excepto|en_lo_demas|en_general|menos_en)
        por_muy_(buen|bien|complet|correct|acertad) por_lo_demas en_su_mayor a_medias! casi_(perfect|correct|bien)""",
    "not_right": r"""
        no_premi no_se_perdona no_(aceptes|acepte|apruebes|apruebe)
        no_(es|son|basta|vale|cuenta|pasa|aprueba|sirve|esta)!
        como_(no|errad|incorrect|erron|fals|mal|suspens|reprob|no_) debe_(tratarse|rechaz|descart|suspend|consider)
        incorrect suspend rechaz insuficiente reprob""",
    "no_offset": r"""
        (no|ni)!_(des|de|dar|concedas)_(\w+_)?(credito|puntos)
        (no|ni|nunca|tampoco)!_(\w+_){0,4}(compens|equilibr|promedi|contrarrest|salv(a|an|e|es|ar)!)
        (no|ni|nunca|tampoco)!_(\w+_){0,4}(rescat|redim|pondere|ponder)""",
    "chat": r"""
        repitas_la_pregunta repita_la_pregunta si_(no_estas|dudas|tienes_dudas|no_esta_segur) json emoji saludo
        despedid markdown comentario una_palabra contest(a|e|ar|en)_(\w+_)?(solo|unicamente|siempre)!
        respond(a|e|er)_(solo|unicamente|siempre|en)! modelo_de_lenguaje instrucciones
        tono_(neutr|cordial|profes|amab) mantenga_un manten_un disculp mayuscula minuscula
        tu_(razonamiento|explicacion|salida) ultima_linea la_etiqueta_(final|1|0) etiqueta_(1|0)""",
    "refusal": r"""
        inexistencia negarl negarse""",
    "denial": r"""
        inexistencia prohibid nunca!""",
    "wording": r"""
        superficial frase_exacta termino_equivalente""",
    "granted": r"""
        (puede|puedes|pueden|podes)_(\w+_)?(usar|recurr|apoyar|anadir|aport|emple|acept|complet|aceptar|valerse)
        (es|son|esta|estan)_(\w+_)?(acept|admis|permit|bien|valid|bienven)""",
    "plain_denial": r"""
        (dice|diga|dicen)\w*_(\w+_){0,4}['"]?(\w+_){0,4}no!.{1,60}(tiene_que|debe)_(\w+_){0,5}(decir|diga|decirlo)
        (dice|diga|dicen)\w*_(\w+_){0,4}['"]?(\w+_){0,4}no!.{1,60}(exig\w*)_(\w+_){0,5}(decir|diga|decirlo)
        (afirma|afirme)\w*_(\w+_){0,4}['"]?(\w+_){0,4}no!.{1,60}(tiene_que|debe)_(\w+_){0,5}(decir|diga|decirlo)
        (afirma|afirme)\w*_(\w+_){0,4}['"]?(\w+_){0,4}no!.{1,60}(exig\w*)_(\w+_){0,5}(decir|diga|decirlo)
        (dice|diga|dicen)\w*_(\w+_){0,4}['"]?(\w+_){0,4}no!.{1,60}(tiene_que|debe)_(\w+_){0,5}(negar|niegue|niega)
        (dice|diga|dicen)\w*_(\w+_){0,4}['"]?(\w+_){0,4}no!.{1,60}(exig\w*)_(\w+_){0,5}(negar|niegue|niega)
        (afirma|afirme)\w*_(\w+_){0,4}['"]?(\w+_){0,4}no!.{1,60}(tiene_que|debe)_(\w+_){0,5}(negar|niegue|niega)
        (afirma|afirme)\w*_(\w+_){0,4}['"]?(\w+_){0,4}no!.{1,60}(exig\w*)_(\w+_){0,5}(negar|niegue|niega)
        (dice|diga|dicen)\w*_(\w+_){0,4}['"]?(\w+_){0,4}no!.{1,60}(ha_de|requier\w*)_(\w+_){0,5}(decir|diga|decirlo)
        (afirma|afirme)\w*_(\w+_){0,4}['"]?(\w+_){0,4}no!.{1,60}(ha_de|requier\w*)_(\w+_){0,5}(decir|diga|decirlo)
        (dice|diga|dicen)\w*_(\w+_){0,4}['"]?(\w+_){0,4}no!.{1,60}(ha_de|requier\w*)_(\w+_){0,5}(negar|niegue|niega)
        (afirma|afirme)\w*_(\w+_){0,4}['"]?(\w+_){0,4}no!.{1,60}(ha_de|requier\w*)_(\w+_){0,5}(negar|niegue|niega)
        (frase|frases)\w*_(\w+_){0,4}['"]?(\w+_){0,4}no!.{1,60}(tiene_que|debe)_(\w+_){0,5}(decir|diga|decirlo)
        (frase|frases)\w*_(\w+_){0,4}['"]?(\w+_){0,4}no!.{1,60}(exig\w*)_(\w+_){0,5}(decir|diga|decirlo)
        (respuesta)\w*_(\w+_){0,4}['"]?(\w+_){0,4}no!.{1,60}(tiene_que|debe|exig\w*)_(\w+_){0,5}(decir|diga|decirlo)
        (frase|frases)\w*_(\w+_){0,4}['"]?(\w+_){0,4}no!.{1,60}(tiene_que|debe)_(\w+_){0,5}(negar|niegue|niega)
        (frase|frases)\w*_(\w+_){0,4}['"]?(\w+_){0,4}no!.{1,60}(exig\w*)_(\w+_){0,5}(negar|niegue|niega)
        (respuesta)\w*_(\w+_){0,4}['"]?(\w+_){0,4}no!.{1,60}(tiene_que|debe|exig\w*)_(\w+_){0,5}(negar|niegue|niega)
        (frase|frases)\w*_(\w+_){0,4}['"]?(\w+_){0,4}no!.{1,60}(ha_de|requier\w*)_(\w+_){0,5}(decir|diga|decirlo)
        (respuesta)\w*_(\w+_){0,4}['"]?(\w+_){0,4}no!.{1,60}(ha_de|requier\w*)_(\w+_){0,5}(decir|diga|decirlo)
        (frase|frases)\w*_(\w+_){0,4}['"]?(\w+_){0,4}no!.{1,60}(ha_de|requier\w*)_(\w+_){0,5}(negar|niegue|niega)
        (respuesta)\w*_(\w+_){0,4}['"]?(\w+_){0,4}no!.{1,60}(ha_de|requier\w*)_(\w+_){0,5}(negar|niegue|niega)
        como_['"](\w+_){0,4}no!.{1,50}(exig|necesit|requier) (niega|negar)_(\w+_){0,4}solo_(\w+_){0,3}si!
        (negativa|negacion|negar|niega|negativas)!.{1,50}(solo|unicamente)!_(se_)?(si|cuando|justific|vale|admit)
        (solo|unicamente)_(se_)?(puede_|admite_|justific\w+_)?(\w+_){0,3}neg(ar|ativa|acion).{1,30}si!
        (negaci|negativa|negativas|negar)\w*_(\w+_){0,3}(necesit|exig|requier|debe|tiene_que|precisa)
        que_no!_(necesita|exige|requiere)""",
    "any_bad": r"""
        (cualquier|algun)\w*!_(\w+_){0,4}(error|fallo|falla|fals)\w*!.{1,60}(enter|toda|respuesta)
        (cualquier|algun)\w*!_(\w+_){0,4}(error|fallo|falla|fals)\w*!.{1,60}(conjunto|totalidad)
        (cualquier|algun)\w*!_(\w+_){0,4}(incorrect|inventad)\w*!.{1,60}(enter|toda|respuesta|conjunto|totalidad)
        (cualquier|algun)\w*!_(\w+_){0,4}(error|fallo|falla|fals)\w*!.{1,60}(todo|veredicto|informe)
        (cualquier|algun)\w*!_(\w+_){0,4}(incorrect|inventad)\w*!.{1,60}(todo|veredicto|informe)
        (cualquier|algun)\w*!_(\w+_){0,4}(erron|inexact|desliz|defecto)\w*!.{1,60}(enter|toda|respuesta)
        (cualquier|algun)\w*!_(\w+_){0,4}(erron|inexact|desliz|defecto)\w*!.{1,60}(conjunto|totalidad)
        (cualquier|algun)\w*!_(\w+_){0,4}(erron|inexact|desliz|defecto)\w*!.{1,60}(todo|veredicto|informe)""",
    "cannot_say": r"""
        (no|ni)!_(se_)?(puede|pueden|puedes|cabe|podemos|debe)_(\w+_){0,2}(decir|afirmar|concluir)
        (no|ni)!_(se_)?(puede|pueden|puedes|cabe|podemos|debe)_(\w+_){0,2}(asegurar|negar|inferir)
        (no|ni)!_(se_)?(puede|pueden|puedes|cabe|podemos|debe)_(\w+_){0,2}(sostener|deducir|contestar|responder)
        no_(infieras?|concluyas?|deduzcas?|afirmes?|digas?)""",
    "absence_noun": r"""
        ausencia silencio calla! callan! calle! hueco vacio laguna
        falta_de_(\w+_)?(mencion|pruebas?|informacion|evidencia|pronunci|referencia|dato|registro|alusion)
        omision_del? (mera|simple)_omision""",
    "as_unknown": r"""
        no_(mencionad|documentad|dich|registrad|listad|recogid|citad)\w*['"]?_no_(es|equival|significa)
        es_desconocid no_(dice|diga)\w*_es_desconocid
        (como|por)_(un_)?(no|negad[oa]|falso|falsa|negativa|desconocido|inexistente)! no_falso sin_decidir
        no_es_(un_no|negar|negacion)! equivale_a_(un_no|negar)""",
    "whole_coverage": r"""
        (mencion|list|inclu|cubr|cit|repet)\w*!_(\w+_){0,3}(todo|toda|todos|todas|cada|entero)!
        (repit|report|reproduc|nombr)\w*!_(\w+_){0,3}(todo|toda|todos|todas|cada|entero)!
        (enumer|recog|recoj|abarc|trat|contar|contien|indic)\w*!_(\w+_){0,3}(todo|toda|todos|todas|cada|entero)!
        (todo|toda|todos|todas|cada)!_(\w+_){0,5}(mencion|list|inclu|cubr|cit|repit|aparez)\w*
        (todo|toda|todos|todas|cada)!_(\w+_){0,5}(aparec|recoj|recog|nombr|enumer|figur)\w*""",
    "negation_matter": r"""
        (cada|toda|cualquier|las)_negacion palabras?_negativ""",
}
