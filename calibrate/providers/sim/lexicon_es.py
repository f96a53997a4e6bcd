"""General Spanish, in the same form as :mod:`.lexicon_en`; written without accents, as words are folded."""

from __future__ import annotations

__all__: list[str] = []

FUNCTION = """
el la los las lo un una unos unas al del de a ante bajo con contra desde en entre hacia hasta para por segun sin
sobre tras y e o u pero sino ni que quien quienes cual cuales cuyo cuya donde cuando cuanto cuanta cuantos cuantas
como porque pues si aunque mientras yo tu el ella ello ellos ellas nosotros nosotras vosotros usted ustedes ud uds
me te se nos os le les mi mis su sus tus nuestro nuestra nuestros nuestras este esta esto estos estas ese esa eso
esos esas aquel aquella aquello aquellos aquellas es son era eran fue fueron ser sido siendo sea sean esta estan
estaba estar estado este esten estamos somos soy estoy ha han he hemos habia haber habido hay haya hubo tiene tienen
tenia tener tenemos tengo tengas tenga podras podremos podreis deberas tendra tendran tendras tendremos hara sera
seran seras habra quiere puede pueden podra podran puedes podria podrian poder pueda puedan podemos debe deben
debera deberan debes deber debia no si tambien ya muy mas menos tan tanto tanta todo toda todos todas cada otro otra
otros otras mismo misma mismos mismas algun alguna algunos algunas alguno cualquier cualquiera solo solamente
unicamente aun incluso ademas entonces asi luego etc ahi aqui alli alla va van vaya ir voy durante mediante excepto
salvo sr sra
""".split()

LIGHT = """
hacer hace hacen hecho haga dar da dan dado ofrecer ofrece ofrecen ofrecemos incluye incluyen incluido incluir
contar cuenta cuentan usar usa usan uso utilizar utiliza utilizan querer quiere quieres quieras necesitar necesita
necesitas gustar saber sabe ver decir dice dicen encontrar encuentra preguntar pregunta respuesta cosa cosas forma
manera modo caso casos tipo tipos persona personas usuario usuarios cliente clientes gente empresa equipo servicio
servicios opcion opciones producto productos articulo articulos disponible disponibles permitir permite permiten
posible informacion detalle detalles contexto mencionar menciona siguiente siguientes cierto cierta disponer
dispones dispone disponemos especifico diversos varios varias distinto nuevo nueva bueno buena claro gracias hola
lamento siento ayudar ayuda ayudarte encantado contactar contacta contacto ponerte dudas duda favor tal realizar
realiza realizarse obtener obtiene recibir recibe llevar lleva poner seguir actualmente normalmente generalmente
simplemente directamente segundo primero despues finalmente importante permanece permanecen permanecer recuerda
modelo modelos parte numero cantidad total lugar aplicar aplica aplican vez veces tratar trata existir existe
existen quedar queda resultar cabe deseas desea desees
""".split()

NEGATORS = """
no nunca jamas sin ni tampoco ningun ninguna ninguno nadie nada
""".split()

NEGATIVE_FORMS = """
imposible=posible prohibido=permitido prohibida=permitida prohibidos=permitidos prohibidas=permitidas
prohibe=permite prohiben=permiten excluye=incluye excluyen=incluyen excluido=incluido excluida=incluida
excluidos=incluidos excluidas=incluidas carece=tiene carecen=tienen indisponible=disponible ilimitado=limitado
ilimitada=limitada ilimitados=limitados innecesario=necesario rechaza=acepta rechazan=aceptan rechazado=aceptado
rechazada=aceptada incompatible=compatible desactivado=activado desactivar=activar inactivo=activo invalido=valido
ilegal=legal incorrecto=correcto inexacto=exacto incompleto=completo insuficiente=suficiente desconocido=conocido
suspende=permite suspenden=permiten suspendido=permitido gratis=pago gratuito=pago gratuita=pago gratuitos=pago
gratuitas=pago opcional=obligatorio opcionales=obligatorios impide=permite impiden=permiten deniega=concede
denegado=concedido evita=usa inviable=viable
""".split()

SYNONYMS = """
devolver devolucion devuelve devuelto devuelva devueltos devueltas retornar retorno
reembolso reembolsar reembolsa reintegro reintegrar dinero_de_vuelta devolvemos_el_dinero devuelve_el_dinero
comprar compra adquirir adquisicion pedir pedido encargar
costar coste costo precio cuesta cuestan vale tarifa importe cargo valor
gratis gratuito gratuita gratuitos gratuitas gratuitamente sin_coste sin_costo sin_cargo sin_gastos
pagar pago abonar abono paga cobro cobrar cobra
pagar coste costo cuesta cargo pago tarifa precio
reino_unido gran_bretana
estados_unidos eeuu usa
union_europea ue
foto fotografia imagen
aparcamiento aparcar parking estacionamiento
entregar entrega enviar envio envia enviamos mandar llegar llega llegan reparto remitir despachar
empezar comenzar iniciar inicio arrancar comienza empieza comienzo
terminar acabar finalizar concluir fin final termina acaba
cancelar cancelacion anular anulacion dar_de_baja baja rescindir
cambiar cambio modificar modificacion alterar ajustar editar actualizar
elegir escoger seleccionar eleccion eliges
mostrar exhibir presentar
reparar arreglar reparacion arreglo
sustituir sustitucion reemplazar reemplazo cambiar recambio canjear
ayudar ayuda asistir asistencia soporte apoyo atencion
contactar contacto comunicarse ponerse_en_contacto llamar escribir
telefono llamada movil celular
correo email mail correo_electronico mensaje
web pagina sitio online en_linea internet portal por_internet
tienda comercio establecimiento sucursal local
comprador cliente consumidor
socio miembro abonado afiliado
suscripcion suscribir abono plan suscriptor
cuenta perfil
contrasena clave pin
acceder acceso entrar iniciar_sesion ingresar entrada
registrar registro inscribir inscripcion darse_de_alta alta crear_una_cuenta
borrar eliminar suprimir quitar
guardar conservar almacenar
descargar descarga bajar
sin_conexion offline sin_internet
factura recibo justificante comprobante tique ticket
descuento rebaja reduccion oferta promocion
vale cupon codigo bono
garantia garantizar cobertura cubre cubren cubierto cubierta garantizado cubrir
danado dano roto defectuoso averiado averia defecto estropeado danos
perder perdida extraviar extraviado perdido
producto articulo mercancia bien
caja paquete bulto embalaje envase envoltorio
sin_abrir precintado sin_usar embalaje_original
rapido rapida veloz agil urgente express
inmediato inmediatamente al_instante instantaneo enseguida al_momento
lento retraso demora tarde
aumentar subir incrementar aumento subida incremento crecer crecimiento
disminuir reducir bajar descender reduccion descenso caida
grande enorme considerable
pequeno reducido menor
maximo tope limite hasta como_maximo
minimo al_menos como_minimo
permitir autorizar permiso dejar permitido admitir admite puede
exigir requerir necesario obligatorio imprescindible requisito hace_falta hay_que necesitar preciso obligacion requiere
opcional voluntario
aceptar acepta admitir aprobar aceptacion
incluir contener comprender incluido traer consta incorpora
excluir dejar_fuera exceptuar excluido
ofrecer proporcionar dar facilitar brindar suministrar
disponible accesible
funcionar operar funciona funcionamiento
usar utilizar emplear uso utilizacion
solicitar pedir solicitud reclamar tramitar peticion
responder contestar respuesta contestacion
resolver solucionar solucion
problema incidencia fallo error inconveniente
pregunta consulta duda
esperar espera cola aguardar
reservar reserva
comprobar verificar revisar confirmar comprobacion
viajar viaje trayecto desplazamiento
hotel alojamiento hospedaje
habitacion cuarto dormitorio
vuelo avion aerolinea volar
tren ferrocarril
equipaje maleta bolsa
pasajero viajero
nino menor ninos infantil hijo
adulto mayor mayor_de_edad
mascota animal perro gato
coche vehiculo automovil carro auto
bicicleta bici
casa vivienda hogar domicilio piso
vivir residir habitar
trabajo empleo puesto trabajar
empleado trabajador plantilla personal
empresa compania firma sociedad negocio
medico doctor
medicina medicamento farmaco
enfermedad dolencia
hospital clinica
profesor docente maestro
alumno estudiante
escuela colegio universidad
examen prueba
nacer nacido nacimiento nacio
morir muerte fallecer murio fallecio muerto
casar casado matrimonio boda
pelicula film cinta
cancion tema
autor escritor escribir escribio escrito
inventar crear desarrollar idear disenar producir
construir edificar construccion construyo
fundar establecer crear fundado fundo
descubrir hallar encontrar
ganar victoria gano triunfo
ciudad localidad municipio
pais nacion estado
zona region area distrito territorio
sacar retirar llevarse llevar prestamo tomar
cualquier_hora siempre anytime
publicar aparecer publico aparecio
ubicacion lugar sitio direccion ubicado situado sede
calle avenida
cerca cercano proximo
extranjero internacional fuera_del_pais exterior
nacional todo_el_pais
laborable dia_habil habil
fin_de_semana sabado domingo
festivo vacaciones
mes mensual mensualmente
ano anual anualmente
semana semanal semanalmente
dia diario diariamente
manana matinal
noche nocturno
hoy ahora actualmente
antiguo anterior previo
nuevo reciente
antelacion anticipacion antes previo con_antelacion
total entero completo integro
parte porcion
mitad medio 50
doble
unico solo
varios multiples diversos
frecuente frecuentemente a_menudo
siempre permanentemente
dinero efectivo metalico
tarjeta debito credito
banco entidad
prestamo credito hipoteca
impuesto iva tasas arancel aduana
seguro poliza cobertura
datos informacion
privacidad confidencial
seguro protegido seguridad
compartir ceder
terceros tercera_parte
documento papel formulario documentacion
firmar firma
ley legal normativa
norma regla politica condiciones reglamento
dispositivo aparato equipo maquina
pantalla monitor
bateria pila
cargar carga cargador recargar
impermeable resistente_al_agua
peso pesar pesa
tamano dimension medida talla
largo longitud
alto altura
ancho anchura
material tejido tela
limpiar lavar limpieza
secar secado
caliente calor
frio
comer comida alimento
beber bebida
desayuno
cenar cena
restaurante
cocinar cocina
ingrediente componente
vegano
alergia alergico alergeno
mejorar ampliar mejora
instalar instalacion configurar
reiniciar
restablecer restaurar
conectar enlazar conexion vincular
hablar conversar charla
explicar describir aclarar
aprender estudiar
ensenar formar formacion
acordar consentir consentimiento
avisar notificar informar aviso notificacion comunicar
salir salida partir marcharse
entrada billete boleto
evento espectaculo concierto
reunion cita
horario hora apertura
abrir abierto apertura abre abren
cerrar cerrado cierre cierra cierran
transferir traspasar mover transferencia
automatico automaticamente
manual manualmente
renovar renovacion prorrogar
ampliar prolongar extender extension ampliacion
caducar vencer expirar caducidad vencimiento
valido vigente validez vigencia
periodo plazo termino duracion
durar dura duracion
quedarse permanecer
retirar recoger recogida
causa motivo razon provocar deberse
efecto resultado consecuencia
creer pensar considerar
importante clave esencial
peligroso riesgo arriesgado peligro
herida lesion
policia agentes
matar asesinar
detener arrestar
tribunal juzgado juez
gobierno ejecutivo
presidente mandatario
eleccion voto comicios
guerra conflicto
anunciar declarar revelar
estudio investigacion encuesta
cientifico investigador
promedio media
jugador deportista
equipo club
entrenador tecnico
temporada campana
""".strip().splitlines()

ANTONYMS = """
abre/cierra abierto/cerrado abierto/cierra abre/cerrado empieza/termina gana/pierde sube/baja aumenta/disminuye
abrir/cierra cerrar/abierto comienza/acaba abrir/cerrar antes/despues antes/hasta dentro/despues empezar/terminar
temprano/tarde maximo/minimo aumentar/disminuir subir/bajar mas/menos grande/pequeno incluir/excluir
aceptar/rechazar permitir/prohibir siempre/nunca rapido/lento barato/caro ganar/perder antiguo/nuevo primero/ultimo
encima/debajo anadir/quitar activar/desactivar online/tienda caliente/frio mojado/seco comprar/vender llegar/salir
entrar/salir obligatorio/opcional mismo/distinto publico/privado lleno/vacio seguro/peligroso ligero/pesado
largo/corto alto/bajo interior/exterior incluir/aparte mejor/peor mayor/menor norte/sur este/oeste izquierda/derecha
permanente/temporal manual/automatico individual/conjunto usado/nuevo abierto/precintado conectar/desconectar
bloquear/desbloquear con/sin dentro/fuera apoyar/rechazar casado/soltero vivo/muerto exito/fracaso
""".split()

CONTRASTS = """
basico basica estandar plus pro premium oro plata platino bronce familiar inicial economica turista preferente
expres ordinario
mensual anual semanal diario trimestral
nacional internacional
online tienda
adulto nino senior estudiante bebe
hombres mujeres
lunes martes miercoles jueves viernes sabado domingo
laborable festivo
manana tarde noche
norte sur este oeste
prepago contrato
debito credito
pequeno mediano grande
individual doble triple
digital fisico
nuevo existente
negro blanco rojo verde azul amarillo
android ios windows mac linux
invierno primavera verano otono
facturado mano
gatos perros
desayuno almuerzo cena
bici coche tren avion autobus
madre padre hijo hija hermano hermana marido mujer
""".strip().splitlines()

STRONG = """
gratis gratuito gratuita siempre nunca garantizado garantizada garantiza garantizamos inmediatamente automaticamente
ilimitado ilimitada ilimitados ilimitadas permanente vitalicio vitalicia inmediato
""".split()

UNIVERSAL = (
    "todos todas todo toda cualquier cualquiera siempre nunca completamente totalmente garantizado garantizada".split()
)

HEDGES = """
puede pueden podria podrian algunos algunas suele suelen normalmente generalmente aproximadamente unos cerca ciertos
determinados posiblemente sujeto mayoria
""".split()

RESTRICTORS = "solo solamente unicamente exclusivamente excepto salvo".split()
CONDITIONALS = "si siempre_que a_menos_que cuando".split()

BOILERPLATE = r"""
    (?:gracias|hola\b|buen[oa]s\b|estimad[oa]|bienvenid[oa]|encantad[oa]|lo\ siento|lamento|lamentamos|claro[,!.]?$|
    por\ supuesto[,!.]?$|no\ dud(?:e|es)|si\ (?:tiene|tienes|necesita|necesitas)\ (?:alguna?|algo|mas|otra|
    cualquier|dudas|ayuda)|espero\b|esperamos\b|te\ (?:recomiendo|recomendamos|sugiero)|(?:puedes|puede|
    te\ recomiendo)\ (?:contactar|ponerte\ en\ contacto)|ponte\ en\ contacto|contacta\ con|hay\ algo\ mas|
    un\ saludo|saludos|atentamente|que\ teng?as|quedo\ a|quedamos\ a|estoy\ aqui|estamos\ aqui|con\ gusto|
    entiendo\b|no\ te\ preocupes)"""
