"""The stems of what is to be checked and how, in Spanish: figures, entities, negations, claims.

How to read them: :mod:`.concepts`. They add to the groups of :mod:`.stems_of_matters` and :mod:`.stems_of_attitudes`.
Accents are folded away, so that the forms of tú and vos mostly coincide.
"""

from __future__ import annotations

__all__ = ["CHECKS_ES", "WORDS_ES"]

WORDS_ES: dict[str, str] = {
    "unidad": """
        segundo minuto hora dia semana mes mese ano gramo miligramo kilogramo kilo libra milla metro kilometro
        centimetro litro euro dolar dolare centavo bar bare psi grado""",
    "abstracto": """
        afirmacion frase parte hecho enunciado dato respuesta palabra texto fuente manera punto forma sentido
        documento pasaje cosa numero fecha detalle error etiqueta nota puntuacion cada para sobre esta este como
        cuando pero donde mas menos entre desde hasta que una uno las los del por con sin son sea esa ese""",
    "corta": """
        que de del es no en y o a se la el lo las los al por para con sin debe tiene puede ha son sea este esta
        esten""",
    "articulo": """
        el la los las del al un una de""",
    "de": """
        de_ del_ para_ de_la_""",
    "modo": """
        forma modo manera palabra orden cosa sitio via fuente lado vez afirm error frase secuencia parte""",
}
"""Words that many stems have in common: ``<unit>`` in a stem is any of them."""

CHECKS_ES: dict[str, str] = {
    "source": r"""
        aviso! avisos! ley! norma_dice comunicado boletin ficha_tecnica pagina_web articulo_dice registro_clinico
        enciclopedia hoja! documentacion pagina expediente ficha! historia_clinica historial contrato! prospecto
        transcripcion transcrito nota! notas! noticia autos! acta! libro_mayor lectura! pruebas! normativa folleto
        archivo dossier lo_escrito informe! informes! guia! reglamento entrevista publicado""",
    "answer": r"""
        alumno estudiante agente! escrito! ensayo redactor dictamen! salida! testigo abogado contestacion
        autor_del_texto trabajo! borrador candidato""",
    "claim": r"""
        alegacion alegato idea! ideas! hallazgo clausula renglon asercion aserto extremo! elemento
        cosas?_(que|distint)""",
    "figure": r"""
        por_ciento periodo_de plazo_de dosis edad! edades! redonde decimal umbral tasa_de saldo! saldos! gramo
        miligramo microgramo centavo centimo ceros_de_mas hora_de! tipo_de_interes montos! totales! kilometro
        magnitud numero_de_version costos! vencimiento""",
    "entity": r"""
        aerolinea habitacion medico enfermera juez maestro profesor alumna jugador artista cancion pelicula libro
        poema universidad ministerio ministro presidente hotel estacion aeropuerto distrito calle isla rio! coche
        movil portatil receta plato vacuna enfermedad tratamiento rival competidor vecino colega papel! papeles!
        jefe marido esposa paciente misma_parte contraparte autor! autora! cliente inquilino casero medicamento
        farmaco sucursal filial matriz! municipio oficina departamento tipo_de_cuenta titular proveedor empleado
        trabajador particulares! cama! sujeto! referente cientific[oa]! modulo! componente maquina banco! hospital
        colegio region provincia alcalde hablante fabricante comprador vendedor arrendatari arrendador socio!
        autonomos asalariado usuario_equivocad vehiculo contrato! barrio aseguradora equipo_de organismo demandante
        demandado""",
    "misattributed": r"""
        en_boca_de (personaje|persona|autor|sujeto|producto)_(al?_)?(que|quien)_(le_)?(toca|corresponde)
        (paciente|plan|lugar|dueno|empresa|parte)_(al?_)?(que|quien)_(le_)?(toca|corresponde)
        (sujeto|persona|producto|paciente|lugar|plan|modelo)_(equivocad|correct|adecuad|errone|que_no_es|indebid)
        (empresa|parte|autor|cliente|cientifico)_(equivocad|correct|adecuad|errone|que_no_es|indebid)
        (entidad|referente|dueno|titular|servicio)_(equivocad|correct|adecuad|errone|que_no_es|indebid)
        (personaje|medicamento|ciudad)_(equivocad|correct|adecuad|errone|que_no_es|indebid)
        error\w*_de_(referente|atribucion|sujeto|persona|identidad) (correcta|mala|falsa|buena)_atribucion
        mal_atribuid atribucion_(correct|errone|equivoc|indebid) a_quien_(se|le|correspond)
        de_quien_(se|es|habla|trata|lo) quien_(hizo|dijo|hace|dice|la|lo|pronuncio|firma) de_quien! quien_es_quien!
        ser_de_quien ser_quien sea_quien equivocad[oa]_de_(sujeto|persona)""",
    "confusion": r"""
        confund confus mezcl intercambi permut cruz(ar|an|en|ado|ada) trastoc baraj""",
    "carried_over": r"""
        reconoc(e|er|ido)!~(merito|autoria) cuentan_de! cuenta_de! dicho_de! endilg atribuid pertenec papeles!
        traslad traspas endos adjudi(c|qu) carg(ues|ar|ue|arle|as|a)!~(a|al)! asign(a|e|ar|an|ado|es)!~(a|lo|al)!
        atribu aplic(a|ar|que|an|ues|arle)!~(a|al|otr)! achac colg(ar|ado) como_si_fuera[ns]?_(\w+_)?(de|del)! imput
        hered le_correspond que_corresponden?_a! presta(do|da)""",
    "not_transferable": r"""
        (\w{4,})_(sobre|de|para)!.{3,60}no_es_(\w+_)?\1_(sobre|de|para)!
        (de|del)!.{3,60}(no|ni)!_(\w+_){0,2}(dice|dicen)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (para)!.{3,60}(no|ni)!_(\w+_){0,2}(dice|dicen)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(dice|dicen)\w*(_\w+){0,3}?_(sobre)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(prueba)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(prueba)\w*(_\w+){0,3}?_(sobre)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(dice|dicen)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(dice|dicen)\w*(_\w+){0,3}?_(sobre)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(prueba)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(prueba)\w*(_\w+){0,3}?_(sobre)_(la?s?|los|el|otr|un|algo)?
        (de|del)!.{3,60}(no|ni)!_(\w+_){0,2}(demuestra)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (para)!.{3,60}(no|ni)!_(\w+_){0,2}(demuestra)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(vale)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(demuestra|vale)\w*(_\w+){0,3}?_(sobre)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(demuestra)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(vale)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(demuestra|vale)\w*(_\w+){0,3}?_(sobre)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(dice|dicen)\w*(_\w+){0,3}?_(al?)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(dice|dicen)\w*(_\w+){0,3}?_(respecto)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(dice|dicen)\w*(_\w+){0,3}?_(en)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(prueba)\w*(_\w+){0,3}?_(al?|respecto)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(prueba)\w*(_\w+){0,3}?_(en)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(dice|dicen)\w*(_\w+){0,3}?_(al?|respecto)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(dice|dicen)\w*(_\w+){0,3}?_(en)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(prueba)\w*(_\w+){0,3}?_(al?|respecto|en)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(demuestra)\w*(_\w+){0,3}?_(al?)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(demuestra)\w*(_\w+){0,3}?_(respecto)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(vale)\w*(_\w+){0,3}?_(al?|respecto)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(demuestra|vale)\w*(_\w+){0,3}?_(en)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(demuestra)\w*(_\w+){0,3}?_(al?|respecto)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(vale)\w*(_\w+){0,3}?_(al?|respecto)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(demuestra|vale)\w*(_\w+){0,3}?_(en)_(la?s?|los|el|otr|un|algo)?
        (de|del)!.{3,60}(no|ni)!_(\w+_){0,2}(valen|sirve)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (para)!.{3,60}(no|ni)!_(\w+_){0,2}(valen|sirve)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(valen|sirve)\w*(_\w+){0,3}?_(sobre)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(sirven)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(sirven)\w*(_\w+){0,3}?_(sobre)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(valen|sirve)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(valen|sirve)\w*(_\w+){0,3}?_(sobre)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(sirven)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(sirven)\w*(_\w+){0,3}?_(sobre)_(la?s?|los|el|otr|un|algo)?
        (de|del)!.{3,60}(no|ni)!_(\w+_){0,2}(rige|aplica)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (para)!.{3,60}(no|ni)!_(\w+_){0,2}(rige|aplica)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(rige|aplica)\w*(_\w+){0,3}?_(sobre)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(rige|aplica)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(rige|aplica)\w*(_\w+){0,3}?_(sobre)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(valen|sirve)\w*(_\w+){0,3}?_(al?)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(valen|sirve)\w*(_\w+){0,3}?_(respecto)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(valen|sirve)\w*(_\w+){0,3}?_(en)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(sirven)\w*(_\w+){0,3}?_(al?|respecto)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(sirven)\w*(_\w+){0,3}?_(en)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(valen|sirve)\w*(_\w+){0,3}?_(al?)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(valen|sirve)\w*(_\w+){0,3}?_(respecto)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(valen|sirve)\w*(_\w+){0,3}?_(en)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(sirven)\w*(_\w+){0,3}?_(al?|respecto|en)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(rige|aplica)\w*(_\w+){0,3}?_(al?)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(rige|aplica)\w*(_\w+){0,3}?_(respecto)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(rige|aplica)\w*(_\w+){0,3}?_(en)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(rige|aplica)\w*(_\w+){0,3}?_(al?)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(rige|aplica)\w*(_\w+){0,3}?_(respecto)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(rige|aplica)\w*(_\w+){0,3}?_(en)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(respalda)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(usarse)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(respalda)\w*(_\w+){0,3}?_(sobre)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(usarse)\w*(_\w+){0,3}?_(sobre)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(respalda)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(usarse)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(respalda|usarse)\w*(_\w+){0,3}?_(sobre)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(usar)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (de|del)!.{3,60}(no|ni)!_(\w+_){0,2}(justifica)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (para)!.{3,60}(no|ni)!_(\w+_){0,2}(justifica)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(usar|justifica)\w*(_\w+){0,3}?_(sobre)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(usar)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(justifica)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(usar|justifica)\w*(_\w+){0,3}?_(sobre)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(respalda)\w*(_\w+){0,3}?_(al?)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(respalda)\w*(_\w+){0,3}?_(respecto)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(respalda)\w*(_\w+){0,3}?_(en)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(usarse)\w*(_\w+){0,3}?_(al?|respecto)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(usarse)\w*(_\w+){0,3}?_(en)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(respalda)\w*(_\w+){0,3}?_(al?|respecto)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(respalda)\w*(_\w+){0,3}?_(en)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(usarse)\w*(_\w+){0,3}?_(al?|respecto|en)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(usar)\w*(_\w+){0,3}?_(al?|respecto)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(justifica)\w*(_\w+){0,3}?_(al?)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(justifica)\w*(_\w+){0,3}?_(respecto)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(usar|justifica)\w*(_\w+){0,3}?_(en)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(usar)\w*(_\w+){0,3}?_(al?|respecto)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(justifica)\w*(_\w+){0,3}?_(al?|respecto)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(usar|justifica)\w*(_\w+){0,3}?_(en)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(extiende)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(afecta)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(extiende)\w*(_\w+){0,3}?_(sobre)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(afecta)\w*(_\w+){0,3}?_(sobre)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(extiende)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(afecta)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(extiende|afecta)\w*(_\w+){0,3}?_(sobre)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(acredita)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(acredita)\w*(_\w+){0,3}?_(sobre)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(acredita)\w*(_\w+){0,3}?_(de|del|para)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(acredita)\w*(_\w+){0,3}?_(sobre)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(extiende)\w*(_\w+){0,3}?_(al?)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(extiende)\w*(_\w+){0,3}?_(respecto)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(extiende)\w*(_\w+){0,3}?_(en)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(afecta)\w*(_\w+){0,3}?_(al?|respecto)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(afecta)\w*(_\w+){0,3}?_(en)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(extiende)\w*(_\w+){0,3}?_(al?|respecto)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(extiende)\w*(_\w+){0,3}?_(en)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(afecta)\w*(_\w+){0,3}?_(al?|respecto|en)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(acredita)\w*(_\w+){0,3}?_(al?)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(acredita)\w*(_\w+){0,3}?_(respecto)_(la?s?|los|el|otr|un|algo)?
        (de|del|para)!.{3,60}(no|ni)!_(\w+_){0,2}(acredita)\w*(_\w+){0,3}?_(en)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(acredita)\w*(_\w+){0,3}?_(al?|respecto)_(la?s?|los|el|otr|un|algo)?
        (sobre|en)!.{3,60}(no|ni)!_(\w+_){0,2}(acredita)\w*(_\w+){0,3}?_(en)_(la?s?|los|el|otr|un|algo)?""",
    "different_one": r"""
        otr[oa]s?!_(?!<modo>)\w otr[oa]!$ (de|a|al|del|en)_otr[oa]!(?!_(forma|modo|manera|sitio))""",
    "same_one": r"""
        (por|sobre)_(el|la|los|las)_que_(se_)?pregunta se_pregunta_por
        (debe|tiene_que|ha_de|deben|tienen_que|han_de)_ser_(el|la|los|las|aquel|aquella)_(mism\w+_)?(que|de|del)!
        se_refier\w*_al?_(la_)?mism de_que_(plan|producto|persona|modelo|empresa|lugar|parte|paciente)_(habla|trata)
        (habla|trata|refier\w*)_(la_|el_)?(\w+_)?(de_)?(el_|la_|l)?mism[oa]!
        (el|la|los|las)_(\w{4,})_(de|del)_(la_|el_)?(que|quien|cual)!.{3,60}(sea|es|ser)!_(\w+_)?(el|la|aquel)
        (el|la|los|las)_(\w{4,})_(al|a|en)_(la_|el_)?(que|quien|cual)!.{3,60}(sea|es|ser)!_(\w+_)?(el|la|aquel)
        (el|la|los|las)_(\w{4,})_(de|del|al|a|en)_(la_|el_)?(que|quien|cual)!.{3,60}(fuera)!_(\w+_)?(el|la|aquel)
        (el|la|los|las)_(\w{4,})_(de|del|al|a|en)_(la_|el_)?(que|quien|cual)!.{3,60}(sea|es|ser)!_(\w+_)?(aquella)
        (el|la|los|las)_(\w{4,})_(de|del|al|a|en)_(la_|el_)?(que|quien|cual)!.{3,60}(fuera)!_(\w+_)?(aquella)
        (aquel)_(\w{4,})_(de|del|al|a|en)_(la_|el_)?(que|quien|cual)!.{3,60}(sea|es|ser|fuera)!_(\w+_)?(el|la|aquel)
        (aquel)_(\w{4,})_(de|del|al|a|en)_(la_|el_)?(que|quien|cual)!.{3,60}(sea|es|ser|fuera)!_(\w+_)?(aquella)
        (aquella)_(\w{4,})_(de|del|al|a|en)_(la_|el_)?(que|quien|cual)!.{3,60}(sea|es|ser)!_(\w+_)?(el|la|aquel)
        (aquella)_(\w{4,})_(de|del|al|a|en)_(la_|el_)?(que|quien|cual)!.{3,60}(fuera)!_(\w+_)?(el|la|aquel)
        (aquella)_(\w{4,})_(de|del|al|a|en)_(la_|el_)?(que|quien|cual)!.{3,60}(sea|es|ser|fuera)!_(\w+_)?(aquella)
        (el|la|los|las)_(\w{4,})_(de|del)_(la_|el_)?(que|quien|cual)!.{3,60}(sea|es|ser)!_(\w+_)?(quien|mism)
        (el|la|los|las)_(\w{4,})_(al|a|en)_(la_|el_)?(que|quien|cual)!.{3,60}(sea|es|ser)!_(\w+_)?(quien|mism)
        (el|la|los|las)_(\w{4,})_(de|del|al|a|en)_(la_|el_)?(que|quien|cual)!.{3,60}(fuera)!_(\w+_)?(quien|mism)
        (aquel)_(\w{4,})_(de|del|al|a|en)_(la_|el_)?(que|quien|cual)!.{3,60}(sea|es|ser|fuera)!_(\w+_)?(quien|mism)
        (aquella)_(\w{4,})_(de|del|al|a|en)_(la_|el_)?(que|quien|cual)!.{3,60}(sea|es|ser)!_(\w+_)?(quien|mism)
        (aquella)_(\w{4,})_(de|del|al|a|en)_(la_|el_)?(que|quien|cual)!.{3,60}(fuera)!_(\w+_)?(quien|mism)
        (precisamente|justamente|efectivamente)_(aquel|el|la|es[ea])!
        (tiene_que|debe|ha_de)_ser_(de_)?(quien|el_mism|la_mism|aquel)
        mism[oa]_(\w+_)?(producto|persona|plan!|lugar|sujeto|paciente|parte|autor|entidad|empresa|cliente|modelo)
        mism[oa]_(\w+_)?(referente|cuenta|pais|ciudad|medicamento|personaje|servicio|titular|version)
        (sea|es|ser)_(la|el)_mism[oa]_(de|del|que) (de|a)_es[ea]_(mism[oa]_)?(sujeto|producto|persona|entidad|plan)
        su_(propio_|verdadero_)?(dueno|titular|sujeto|propietario) sujeto_de_cada (tipo|clase)_de_\w+_es_el_mismo""",
    "polarity": r"""
        contrari[oa]s?_(a|al|de|del)! dad[oa]s?_(la_)?vuelta d(ar|an|a|en|io|ieron)_la_vuelta invers exclusion
        apenas debe!.{1,40}no_debe no_debe!.{1,30}debe! limitad\w+!.{1,50}general general!.{1,50}limitad
        descart\w+!.{1,60}(admit|acept|permit) condiciones_de_(un|una|la|el|cada) permiso_limitado convertid[oa]?_en
        vuelto_un restriccion atenuante eximente negaciones negacion! (cambi|pierd|altera)\w*_(el|su|de)_sentido
        sentido_(opuesto|inverso|contrario) contraindicad exencion exento exime sentido_(afirmativo|negativo)
        dobles?_negaci (negacion|negaciones)_que_falt contradi(g|c|j) matiz matices cada_si! un_si!.{1,40}un_no!
        salvedad pacto_en_contrario a_la_inversa dado_(la_)?vuelta dio_vuelta condicionad regla_general
        norma_general""",
    "opposite_pair": r"""
        dice_(\w+_){0,4}no!.{3,60}respuesta_(\w+_)?(que_si|dice|afirma|si!) que_no!.{3,60}que_si!
        que_si!.{3,60}que_no! (acept|admit)\w*!.{1,50}(rechaz|deneg|descart)
        (rechaz|deneg|descart)\w*!.{1,50}(acept|admit) (ganan|benefici)\w*!.{1,40}perdid
        perdid\w*!.{1,40}(ganan|benefici) (minimo|al_menos|como_minimo)!.{1,50}(maximo|como_maximo|como_mucho)
        (maximo|como_maximo|como_mucho)!.{1,50}(minimo|al_menos) (empez|comien|inici)\w*!.{1,40}(termin|acab)
        aprob\w*!.{1,50}(deneg|rechaz) (culpable|conden)\w*!.{1,40}(inocente|absuel) favor!.{1,30}contra!
        (puede|debe|se_puede)!.{1,40}no_(se_)?(puede|debe)
        (activad|habilitad|encendid)\w*!.{1,80}(desactivad|deshabilitad|apagad)
        (desactivad|deshabilitad|apagad)\w*!.{1,80}(activad|habilitad|encendid) abiert\w*!.{1,80}cerrad
        cerrad\w*!.{1,80}abiert inclu\w*!.{1,60}exclu exclu\w*!.{1,60}inclu (permit|autoriz)\w*!.{1,60}prohib
        prohib\w*!.{1,60}(permit|permis|autoriz) aument\w*!.{1,40}(dismin|reduc|baj) (dismin|reduc)\w*!.{1,40}aument
        sub(io|ir|e|ieron)!.{1,40}baj baj(o|ar|a|aron)!.{1,40}sub(io|ir|e|ieron)! antes!.{1,60}despues!
        despues!.{1,60}antes! obligatori\w*!.{1,60}(opcional|voluntari) (opcional|voluntari)\w*!.{1,60}obligatori
        contraindicad\w*!.{1,60}recomend recomend\w*!.{1,60}(contraindicad|desaconsej) nieg\w*!.{1,60}(afirm|asegur)
        afirm\w*!.{1,60}nieg legal!.{1,40}ilegal mas!.{1,20}menos! siempre!.{1,40}nunca!""",
    "particle": r"""
        ['"](no\W)?(puede|debe|pueden|deben|podra|debera|conviene)['"]
        (nunca|jamas|tampoco|ningun\w*|nadie|salvo|excepto)!(,|,?\W+(y|o|ni|e))\W+(nunca|jamas|tampoco|ningun\w*)!
        (nunca|jamas|tampoco|ningun\w*|nadie|salvo|excepto)!(,|,?\W+(y|o|ni|e))\W+(nadie|salvo|excepto|solo)!
        (solo|solamente|unicamente|sin|siempre|apenas|ni)!(,|,?\W+(y|o|ni|e))\W+(nunca|jamas|tampoco|ningun\w*)!
        (solo|solamente|unicamente|sin|siempre|apenas|ni)!(,|,?\W+(y|o|ni|e))\W+(nadie|salvo|excepto|solo)!
        (nunca|jamas|tampoco|ningun\w*)!(,|,?\W+(y|o|ni|e))\W+(solamente|unicamente|sin|siempre)!
        (nadie|salvo|excepto)!(,|,?\W+(y|o|ni|e))\W+(solamente|unicamente|sin|siempre)!
        (nunca|jamas|tampoco|ningun\w*|nadie|salvo|excepto)!(,|,?\W+(y|o|ni|e))\W+(apenas|a_menos_que)!
        (solo|solamente|unicamente|sin|siempre|apenas|ni)!(,|,?\W+(y|o|ni|e))\W+(solamente|unicamente|sin|siempre)!
        (solo|solamente|unicamente|sin|siempre|apenas|ni)!(,|,?\W+(y|o|ni|e))\W+(apenas|a_menos_que)!""",
    "one_by_one": r"""
        (primera|una)_(afirmacion|frase|oracion|aseveracion)!.{1,40}(segunda|siguiente|otra)
        ((?!(palabra|paso|caso|peso|letra|poco|cifra|numero|digito|dia|ano))\w{4,})_(por|a|tras)_\1!
        un[oa]_(a|por|tras)_(un|otr)[oa]! de_un[oa]_en_un[oa]! un[oa]_\w+_a_la_vez de_a_un[oa]!""",
    "apart": r"""
        divid(irse|a|e)_en en_partes en_(frases|oraciones|puntos|afirmaciones|datos)_ aisl separa! separe!
        sepa(r|re)_ segmenta despiez fragmenta_la desmenuz desarm(a|e|ar|en)! descomp(on|ong|us) disecc desglos
        divid(e|a|ir|an|ida|irse|ala)! troce fraccion part(a|e|ir|irse|an)!_(\w+_){0,3}(en|afirm|enunci|respuesta)
        separ(a|e|ar|alas|elas|elos|alos|en|ense)! segment
        en_(afirmaciones|enunciados|hechos|unidades|partes|datos)_(\w+_)?(sueltas?|separad|atomic|simpl|elemental)
        en_(afirmaciones|enunciados|hechos|unidades|partes|datos)_(\w+_)?(minim|individual|independ)""",
    "inventory": r"""
        tach(a|e|ando|andol|alos) cuent(a|e)_las_(afirm|frases|asev) lista(r|do)_(de|lo) detall(a|ar)_(cada|las|los)
        tabul empieza_por_enumer recuent lista! listado enumer inventario numer(a|e|ar|en)! apunt(a|e|ar)! palome
        enlist relacion_de_(\w+_)?(afirm|hech|dato) anot(a|e|ar|en)! (identifique|identifica|identificar)! haz_una
        haga_una cotejo!""",
    "said_things": r"""
        lo_que_se_(asev|afirm|alega|enuncia) (primera|una)_(afirm|frase|oracion)!.{1,40}(segunda|siguiente)
        cada_cosa_que se_(le_)?dice_al
        (lo|cosa|cosas|todo_lo)_(\w+_)?que_(\w+_)?(afirma|dice|asegura|sostiene|alega|declara|enuncia|cuenta|dicen)
        cosas_(distintas|que)_se_(dicen|afirman) cada_cosa""",
    "singly": r"""
        buscarse_aparte valora_todas valore_todas todas_y_cada cada_una_de_ellas aisle veredicto_propio
        de_forma_aislada por_separado individualmente aisladamente independientemente (manera|forma)_independiente
        con_independencia por_turnos?! un[oa]_a_un[oa]! un[oa]_por_un[oa]! de_un[oa]_en_un[oa]! un[oa]_tras_otr[oa]!
        aparte! cada_cual por_su_lado en_sus_propios su_propi[oa]_(comprob|verif|revis|exam)
        propia_(comprob|verif|revis) como_si_fuera_la_unica extremo_distinto de_a_un[oa]! en_forma_individual""",
    "not_in_bulk": r"""
        no_(\w+_){0,3}globalmente no_(\w+_){0,3}en_su_totalidad en_vez_de_(\w+_){0,3}(conjunto|globalmente)
        opinion_(global|general|de_conjunto) vista_de_conjunto en_lugar_de_(\w+_){0,3}(impresion|opinion|conjunto)
        a_grandes_rasgos en_bloque impresion_(general|de_conjunto|global) no_(\w+_){0,3}en_(su_)?conjunto a_bulto
        a_ojo en_globo""",
    "weak_figure": r"""
        codigo extensiones_tel version! serie! veinte treinta cuarenta cincuenta cien! mil! millon docena
        temperatura longitud anchura altura peso! pesos! tamano velocidad frecuencia distancia volumen_de capacidad
        telefonos? horarios? rangos? totales? cifrad notas?_medias? proporcion ratio coordenadas""",
    "altered": r"""
        alter convert redonde copi transpos traspos cambiad modific""",
    "twins": r"""
        <articulo>!_((?!<abstracto>)[a-z]{4,})_<de>?((?!<corta>)\w{3,}|\d+)!.{3,80}\b<articulo>!_\1_<de>?(?!(<corta>|\2)!)\w""",
    "negation_matter": r"""
        polaridad dobles?_negaci negaciones! opuest antonim invert inver[st] lo_contrario contrario_de""",
    "two_units": r"""
        (<unidad>)s?!.{1,40}\b(?!\1)<unidad>s?!""",
    "for_each": r"""
        (para|de|en|a|por)_cada_(frase|afirmacion|enunciado|oracion|hecho|punto|dato|aseveracion|idea|alegacion)
        trat\w*_cada_(frase|afirmacion|enunciado|oracion|hecho|punto|dato|aseveracion)""",
    "attribution": r"""
        vincul asoci ligad enlaz adscri""",
}
