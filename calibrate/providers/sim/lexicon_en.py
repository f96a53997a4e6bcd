"""General English: function words, light words, negation, near synonyms, opposites, words that exclude each other.

One group per line; ``_`` joins the words of an expression. Stems are taken when the lexicon is built, so one form of a
regular word is enough.
"""

from __future__ import annotations

__all__: list[str] = []

FUNCTION = """
a an the need needs this that these those there here it its it's he she they them their theirs him her his hers we
us our ours you your yours i me my mine myself yourself itself themselves who whom whose which what when where why
how and or but nor so if then than as at by for from in into of off on onto out over to up with about against among
around because been before after between both during each either every few more most much many other another own
same some such through under until upon via while is am are was were be being been do does did done has have had
having can could may might must shall should will would not no also just very too yes well however therefore thus
hence although though unless whether per within without only even ever any all one ones re ve ll s t d m etc e.g i.e
please
""".split()

LIGHT = """
get gets got give gives given make makes made take takes taken go goes come comes put keep let allow able want like
use uses used using using know see say says said tell find look ask thing things way ways case cases kind type sort
lot lots time times day_to_day person people user users customer customers client clients everyone anyone someone
somebody anybody company team service services option options item items product products currently normally
generally usually simply directly available provide provides provided offer offers offered include includes included
including contain contains have apply applies applied possible possibly regarding concerning according based
information details detail question questions answer context mention mentions mentioned state states stated
following certain specific various several different new good great well sure course help happy glad hope thank
thanks sorry feel free contact reach enjoy additionally moreover furthermore first then next finally note important
remember stay stays remain remains model models version versions product order really actually still already
always-on
unfortunately fortunately afraid basically essentially overall part set number amount total place means mean depending
""".split()

NEGATORS = """
not no never neither nor none nobody nothing nowhere without cannot hardly barely non n't
""".split()

# A word that denies another: the base form it denies.
NEGATIVE_FORMS = """
unable=able unavailable=available impossible=possible prohibited=allowed forbidden=allowed banned=allowed
disallowed=allowed prohibit=allow forbid=allow ban=allow excluded=included exclude=include excludes=includes
excluding=including lacks=has lack=has nonrefundable=refundable unlimited=limited unnecessary=necessary unpaid=paid
ineligible=eligible invalid=valid refuse=accept refuses=accepts refused=accepted reject=accept rejects=accepts
rejected=accepted decline=accept declined=accepted denied=granted deny=grant incompatible=compatible
unsupported=supported disabled=enabled disable=enable inactive=active unopened=opened unused=used
irreversible=reversible illegal=legal unlikely=likely uncommon=common unsafe=safe incorrect=correct
inaccurate=accurate untrue=true incomplete=complete insufficient=sufficient unknown=known unauthorized=authorized
unauthorised=authorised fails=succeeds failed=succeeded suspended=active suspend=allow optional=required free=paid
complimentary=paid gratis=paid unrestricted=restricted uninsured=insured unsuitable=suitable avoid=use stop=start
stopped=started
""".split()

SYNONYMS = """
return returned send_back sent_back give_back bring_back
refund reimburse reimbursement money_back repay pay_back refunded get_your_money
buy purchase order acquire bought purchased ordered shop
cost price charge fee pay_for priced rate expense tariff
free gratis complimentary no_charge free_of_charge at_no_cost no_cost no_extra_cost without_charge zero_cost
pay payment paid settle remit
pay pay_for paid cost charge fee
uk united_kingdom britain great_britain
usa us united_states america
eu european_union
photo photograph photography picture image
park parking car_park
deliver delivery ship shipment dispatch send sent arrive mail post shipped receive
begin start commence launch open kick_off initiate
end finish conclude terminate expire close complete over
cancel cancellation call_off withdraw revoke terminate
change modify alter amend adjust edit update switch
choose select pick opt preference
show display exhibit present
repair fix mend service_repair
replace exchange swap substitute replacement new_one
help assist support aid assistance
contact reach get_in_touch call write_to email
phone telephone call mobile cell
email mail e_mail electronic_mail message inbox
website web site online internet webpage page portal
shop store outlet branch retail boutique
buyer customer client shopper purchaser consumer
member subscriber membership
subscription plan membership subscribe
account profile login
password passcode pin credentials
sign_in log_in login access
sign_up sign_in check_in register enrol enroll registration create_an_account
delete remove erase eliminate
save store keep retain
download save_locally
offline without_internet without_connection
invoice bill receipt proof_of_purchase ticket
discount reduction rebate price_cut deal off promotion offer sale
voucher coupon code promo_code
guarantee warranty assurance covered cover guaranteed
damage damaged broken defective faulty defect
lose lost missing misplaced
item product article good goods merchandise
box package parcel packet packaging
unopened sealed unused
fast quick rapid speedy swift prompt express
immediate immediately instant instantly right_away straight_away at_once
slow slowly delay delayed late
increase raise rise grow growth go_up climb
decrease reduce lower drop fall decline cut go_down shrink
big large huge great considerable
small little tiny minor
maximum max limit cap most ceiling up_to
minimum min least at_least
allow permit let authorise authorize permission allowed permitted can
forbid prohibit ban
require need must necessary mandatory compulsory obligatory required have_to obliged requirement
optional voluntary
accept take approve admit acceptance
include contain comprise come_with consist included part_of feature
exclude leave_out omit except excluded
provide offer supply give
available offered obtainable accessible in_stock
eligible qualify entitled eligibility qualified
work function operate run working
use utilise utilize employ usage
request ask apply application submit claim
answer respond reply response
solve resolve fix settle
problem issue trouble fault error
question query doubt enquiry inquiry
wait hold queue
book reserve reservation booking
check verify confirm inspect validate
consult check
travel journey trip travelling crossing sailing voyage
hotel accommodation lodging
room bedroom suite
flight plane airline fly
train rail railway
luggage baggage suitcase bag
passenger traveller traveler
child kid minor under_18 children infant
adult grown_up over_18
pet animal dog cat
dog puppy
car vehicle automobile
bike bicycle cycle
house home residence
live reside dwell inhabit
work job employment occupation career
employee worker staff personnel
employer boss company firm business corporation enterprise
doctor physician
medicine drug medication
illness disease sickness condition
hospital clinic
teacher instructor professor
student pupil learner
school college university
exam test examination
born birth native
die death dead died decease passed_away
marry married marriage spouse wed
husband wife spouse
film movie picture
song track tune
author writer wrote written write
invent create develop devise design made produced
build construct erect built construction
found establish set_up create founded
discover find
win won victory triumph
lose defeat beaten
city town municipality
country nation state
capital seat
river stream
mountain peak summit
area region zone district territory
anytime any_time any_hour at_any_hour always whenever
emigrate move relocate moved migrate
publish appear published release come_out
location place site address whereabouts situated located venue
street road avenue
near close nearby next_to
abroad overseas foreign international outside_the_country
worldwide globally everywhere
national domestic nationwide
weekday working_day business_day workday
weekend saturday sunday
holiday vacation bank_holiday
month monthly
year annual yearly annually year_long
week weekly
day daily daytime
hour hourly
morning am
evening night
today now currently present
old former previous earlier
new recent latest
early ahead in_advance beforehand advance prior
late afterwards later
total whole entire full complete
part portion share section
half 50
double twice
single one sole only
several multiple many various
often frequently regularly
rarely seldom
always every_time permanently
money cash funds
card debit credit_card
bank lender
loan credit mortgage
interest rate
tax vat duty duties
insurance cover policy coverage
data information details
privacy confidential confidentiality
safe secure security protected
share distribute pass_on
third_party third_parties others
document paper file form
sign signature signed
law legal statute
rule policy regulation terms
device gadget equipment appliance machine
screen display monitor
battery charge accumulator
charge recharge charging charger
water_resistant waterproof
weight heavy weigh
size dimension measure
length long
height tall high
width wide
colour color
material fabric made_of
clean wash cleaning
dry drying
hot warm heat
cold cool chill
eat food meal dining
drink beverage
breakfast morning_meal
dinner supper
restaurant eatery
kitchen cook cooking
ingredient component
contain contains
vegan plant_based
allergy allergic allergen
upgrade move_up
downgrade move_down
install set_up setup installation
restart reboot
reset restore
connect link pair connection
error failure
support back endorse
speak talk chat conversation
explain describe clarify
learn study
teach train training
agree consent accept
report notify inform tell notice notification
warn alert caution
reach arrive get_to
leave depart departure exit
enter entry access admission
ticket pass admission
event show concert
meeting appointment session
schedule timetable calendar hours opening_hours
open opening
close closing shut closed
transfer move
automatic automatically auto
manual manually by_hand
renew renewal extend
extend prolong extension lengthen
expire run_out lapse expiry
valid good_for validity active expire
period term span window duration
deadline cutoff due due_date
last remain continue
stay remain
grow expand
reduce cut
improve better enhance
worsen deteriorate
cause lead_to result_in trigger reason due_to
effect result consequence
believe think consider
important key essential crucial
dangerous risky hazardous hazard risk
injury wound harm hurt
police officers authorities
attack assault
kill murder
arrest detain
court tribunal judge
government administration
president head_of_state
minister secretary
election vote poll
war conflict battle
peace truce
soldier troop
plan intend scheme project
announce declare reveal state
study research investigation survey
scientist researcher
average mean typical
rank position
score goal
player athlete
team squad club
coach manager trainer
season campaign
""".strip().splitlines()

ANTONYMS = """
open/close before/after within/after start/end early/late maximum/minimum increase/decrease more/less more/fewer
most/least big/small include/exclude accept/reject allow/prohibit always/never fast/slow cheap/expensive win/lose
old/new first/last above/below over/under add/remove enable/disable online/in_store hot/cold wet/dry day/night
buy/sell arrive/leave enter/leave rise/fall required/optional same/different public/private full/empty
safe/dangerous light/heavy long/short high/low inside/outside success/failure upgrade/downgrade import/export
lend/borrow married/single alive/dead north/south east/west left/right permanent/temporary manual/automatic
individual/joint used/unused opened/sealed before/until earlier/later import/export agree/refuse support/oppose
include/separately include/extra longer/shorter higher/lower larger/smaller better/worse connect/disconnect
lock/unlock profit/loss with/without stay/leave
""".split()

CONTRASTS = """
basic standard plus pro premium gold silver platinum bronze enterprise family individual starter economy deluxe lite
express ordinary regular
monthly annual weekly daily quarterly yearly
domestic international
online in_store
adult child senior student infant
men women
monday tuesday wednesday thursday friday saturday sunday
weekday weekend
morning afternoon evening night
north south east west
prepaid postpaid
debit credit
small medium large
single double triple
digital physical
new existing
male female
black white red green blue yellow
android ios windows mac linux
winter spring summer autumn
checked carry_on
cats dogs
breakfast lunch dinner
bike car train bus ferry
mother father son daughter brother sister wife husband
""".strip().splitlines()

# Words whose addition commits the answer to more than the source says.
STRONG = """
free guaranteed guarantee immediately instantly automatically unlimited lifetime forever permanently worldwide
gratis complimentary always never
""".split()

# Words that leave no case out.
STRONG += "best highest lowest cheapest fastest largest biggest safest unique".split()

UNIVERSAL = (
    "all every everyone everybody everywhere any always never whatever entire entirely completely guaranteed".split()
)

HEDGES = """
may might can could some usually often generally typically sometimes most certain selected about approximately
around likely subject
""".split()

RESTRICTORS = "only except unless excluding solely exclusively".split()
CONDITIONALS = "if provided when as_long_as".split()

BOILERPLATE = r"""
    (?:thank(?:s|\ you)|hello|hi\b|hey\b|dear\b|good\ (?:morning|afternoon|evening)|welcome\b|(?:we\ are|we're|
    i\ am|i'm)\ (?:happy|glad|sorry|here)|(?:(?:i\ am|i'm|we\ are|we're)\ )?(?:so\ |very\ )?sorry|let\ (?:me|
    us)\ know|(?:so\ )?(?:you\ (?:may|can|might|could|should)\ (?:also\ )?(?:want\ to\ |wish\ to\ )?|please\ |
    i\ (?:recommend|suggest)\ (?:that\ you\ )?)contact|(?:please\ )?feel\ free|(?:i|we)\ hope|hope\ (?:this|that)|
    great\ question|sure\b[,!.]?$|of\ course[,!.]?$|(?:please\ )?(?:do\ not|don't)\ hesitate|if\ you\ (?:have|
    need)\ (?:any\ )?(?:more|other|further|additional|questions|help|anything|assistance)|is\ there\ anything|
    have\ a\ (?:nice|great|good)|(?:kind|best)\ regards|sincerely|enjoy\b|any\ other\ questions|happy\ to\ help|
    i\ understand|no\ problem[,!.])"""
