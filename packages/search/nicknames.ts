/**
 * Short forms and common spellings of English given names (and of Spanish ones that are common in the United
 * States). Each line is one class: the full name, then what people with that name are called. A short form may be
 * in several classes (Alex, Chris, Sam), but the classes stay separate: Alexander never matches Alexandra because
 * both are called Alex.
 */
const CLASSES = `
aaron aron ron ronnie
abigail abby abbie abbey abi gail
abraham abe abram bram
adam ad ade
adelaide addie adele heidi della
adrian adrien ade
agnes aggie nessie nessa
alan allan allen alun al
albert al bert bertie albie alberto beto
alejandro alex ale jandro
alexander alex al alec alek lex sandy xander zander aleksander alexandre
alexandra alex alexa sandra sandy lexi lexie sasha alix ali
alfred al alf alfie fred freddie freddy
alice allie ali alicia alycia
allison alison ally ali allyson alyson
amanda mandy manda
amelia amy millie mel mia emelia
anastasia stacy stacey ana stasia tasia
andrea andie andy drea
andrew andy drew andre
angela angie angel
angelica angie angelika
ann anne anna annie nan nancy ana
anthony tony ant antony toni
antonia toni tonya nia
april apryl avril
arthur art artie arturo
ashley ash ashleigh ashlee lee
audrey audie dree audra
augustus gus august augie
barbara barb barbie babs bobbie barbra
barnaby barney barnabas
barry barrie baz
bartholomew bart barth
beatrice bea trixie bee beatrix beatriz
benjamin ben benny benji benjy bennie
bernadette bernie detta
bernard bernie barney bernardo
bethany beth bethanie
beverly bev beverley
bradley brad bradly
brandon brand brandyn branden
brenda bren
brendan brenden brendon bren
brian bryan bryant bri
bridget bridie biddy birgit bridgette
brittany britt brittney britney
bruce brucie
bryce brice
calvin cal vin
cameron cam cammie camron kameron
camille cami millie camilla mila
carl karl carlo
caroline carrie carol lina carolyn carolina caro carly
cassandra cass cassie sandy
catherine cathy kathy kate katie cat kat kit kitty cathie katherine kathryn katharine kathleen katy catharine cathryn kay trina
cecilia cece celia cecily sissy
charles charlie chuck chas chaz charley chip chick
charlotte charlie lottie lotte char charley
chelsea chels chelsey chelsie
cheryl sheryl cher sherry cherie
chester chet
christian chris christiaan kristian cristian
christina chris chrissy tina christine christy christie kristina kristen kristin krista kirsten cristina christa
christopher chris topher kit christoph kris cristopher kristopher cristobal
clarence clare clarrie
claudia claude claudette
clayton clay
clifford cliff clif
clinton clint
constance connie conny
cordelia delia cord
corey cory korey kory
cornelius con corny connie
courtney court kourtney
craig kraig
crystal cris krystal christal
curtis curt kurt kurtis
cynthia cindy cyndi cindi
cyrus cy
dale dael
daniel dan danny dani danil
danielle dani danni ella daniela daniella
darlene darla dar
darrell darryl daryl darrel
darren darin darrin daren darryn
david dave davey davy davie davi
dawn dawna
dean deane dino
deborah deb debbie debby debra debora
denise dennie denice denyse
dennis den denny denis
derek derrick derick deryck rick
dexter dex
diana di diane dianne dee dianna
dolores lola lolita dee delores
dominic dom nick nicky dominick domenic dominique
donald don donnie donny
donna dona donnie
dorothy dot dottie dolly dora dory dorothea thea
douglas doug dougie douglass
dustin dusty dust
dwayne duane dewayne
dwight ike
edith edie edyth
edmund ed eddie ned ted edmond eddy
eduardo ed eddie lalo
edward ed eddie eddy ned ted teddy ward eduard
edwin ed eddie win ned
eileen aileen ilene lena ellie
elaine lainie ellie elena layne
eleanor ellie nell nellie nora elinor lenore ella eleanora
elijah eli lije
elizabeth liz beth betty bess bessie betsy eliza elise elisa elisabeth libby lizzie lizzy ellie liza lisa lily lilibet elsie
ella ellie
ellen nell ellie nellie elle
emily em emmy emma millie emilie
emmanuel manny manuel emanuel immanuel
enrique kike rick quique
eric rick erik ricky erich
erica ricki erika ricky rika
ernest ernie ern ernesto
esther essie hester ester
ethan eth
eugene gene
evan ev van
evelyn eve evie lyn
ezekiel zeke
ezra ez
felicia fee felice licia
felix lix
fernando nando
fiona fi
florence flo florrie flossie
frances fran frannie franny frankie fanny francesca francine
francis frank frankie fran
francisco paco pancho frank cisco
frankie frank
franklin frank frankie franklyn
frederick fred freddie freddy rick fritz frederic fredrick frederik
gabriel gabe gab gabi
gabrielle gabby gabi ella brielle gabriela gabriella
gary garry gaz
gavin gav
genevieve gen jenny genny viv
geoffrey jeff geoff jeffrey jeffery jeffry
george georgie geordie georg
georgina georgie gina georgia georgiana
gerald gerry jerry jerald
geraldine gerry gerrie jeri deena
gerard gerry jerry gerrard
gilbert gil bert
gillian gill jill jilly
gloria glory
gordon gord gordie don
grace gracie gracia
graham grahame graeme gram
gregory greg gregg gregor grigory greggory
gretchen greta margaret
guadalupe lupe lupita
guillermo memo guille
gustavo gus tavo
gwendolyn gwen wendy gwyn gwendoline
hannah hanna ann annie
harold harry hal hank harrold
harriet hattie harry harriett
harrison harry
harvey harv
heather hettie
hector heck
helen nell nellie lena ellen helena helene elena
henrietta hettie etta hetty hen
henry harry hank hal
herbert herb bert herbie
herman manny hermann
hilary hil hillary
howard howie ward
hubert bert
hugh huey hughie hugo
hugo hugh huey
ian iain ean
ignacio nacho iggy
imogen immy
ingrid inge
irene rene renie
irving irv
isaac ike zac isaak izzy
isabel bella izzy belle isabella isabelle izzie ysabel
isaiah izzy ike zay
ivan van
jack jackie jac
jacob jake jay jakob jacoby
jacqueline jackie jacqui jacquelyn jaclyn jacki jacquie
jaime jamie jaimie
james jim jimmy jimmie jamie jem jay
jane janie jan jayne janey
janet jan jannie janette
janice jan janis
jared jarod jerry jarrod jarred
jasmine jas jazz yasmin jazmin yasmine
jason jay jase jayson
jean jeanne jeannie jeanette
jedediah jed
jedidiah jed
jeffrey jeff jeffery jeffry geoff geoffrey
jennifer jen jenny jenn jennie jenna jenifer
jeremiah jerry jem jeremy
jeremy jerry jem jeremie jez
jerome jerry rome
jesse jess jessie
jessica jess jessie jesse jessika
jesus chuy chucho
jillian jill gill gillian jilly
joan joanie joni
joanna jo joanne joan joann johanna
joaquin quino
jocelyn joss joyce lyn
joel joe
john jack johnny jon johnnie jock johnathan
jonathan jon jonny johnny jonathon jonnie nathan johnathan
jordan jordy jordon jordi judd
jorge george
jose pepe joe
joseph joe joey jo jos josef
josephine jo josie joey fina
joshua josh jos
josiah joe si jos
joyce joy
juan johnny juanito
juanita nita
judith judy judi jude
julia julie jules juliet juliette
julian jules julius julio jule
justin jus justyn
karen kari karin caryn kaz
kathleen kathy kate kath kay cathleen
katrina kat trina kate catrina
kayla kay kaylah
keith kieth
kelly kell kelley kellie
kenneth ken kenny kent kenn
kevin kev kevyn
kimberly kim kimmy kimber kimberley kym
kirk kirby
kirsten kirstie kirsty kristen
kyle ky
larissa lara rissa
laura laurie lori lora lauren loretta laureen
lauren laurie ren loren lauryn
lawrence larry laurie lawrie laurence loren
leah lea lia
leonard leo len lenny leon lennie
leonardo leo
leopold leo poldie
leroy roy lee
leslie les lesley lee
lester les
lewis lew louis lou lewie
liam lee
lillian lily lil lilly lillie lilian
linda lindy lin lynn lynda
lindsay linds lindsey lynsey linsey lin
lois lo
lorenzo enzo renzo
lorraine lori rainie lorrie
louis lou louie lewis luis lew luigi
louise lou lulu louisa luisa
lucas luke luc lukas
lucille lucy lou lucia cille lucinda cindy
luther lou
lydia lyddie
lynn lyn lynne
mabel mab may
mackenzie mac kenzie mack mckenzie
madeline maddie maddy madeleine madelyn lena
malcolm mal mac malc
manuel manny manolo
marcia marsha marcy
marcus marc mark marco markus marcos
margaret maggie meg peggy marge margie marjorie greta rita madge daisy margo margot peg maisie
marguerite maggie rita daisy
maria mia marie mariah ria
mariana mari
marianne ann marian maryanne marion mariana
marie mary maria
marilyn mary lyn marylin marilynn
mario marius
marjorie marge margie marj marjory
mark marc marcus markus
marlene marly lena
martha marty mattie marta patty
martin marty mart martyn
marvin marv merv
mary molly polly may mamie maria minnie mae moll mitzi
matilda mattie tilly tillie maud
matthew matt matty mat mathew
maureen mo maura moe reenie
maurice morris mo maury morrie
maximilian max maxim
maxwell max maxie maximilian maxim
megan meg meggie meghan meagan
melanie mel mellie melany
melissa mel missy lissa millie mellisa melisa
melvin mel melvyn vin
meredith merry mere
mervyn merv mervin
micah mike
michael mike mick mickey mikey micky micheal mikel michel
michelle shelly chelle shell mich michele micki
miguel mike migue
mildred millie milly
miranda randy mandy
miriam mim miri mimi
mitchell mitch mitchel
mohammed mo mohamed muhammad mohammad mohamad mohamud
monica mona mon monique monika
morgan morgen
moses mo moe moss
muriel mur
myron ron
nancy nan nance nanci
naomi nomi
natalie nat nattie natalia talia nataly nathalie
natasha tasha nat
nathan nate nat nathaniel nathen
nathaniel nate nat nathan nathanial
nehemiah nemo
neil neal niel
nelson nels
nicholas nick nicky nico nicolas nik nickolas klaus niko cole colin
nicole nikki nicky nic nicola nichole niki nicolette
nigel nige
noah noe
noel noelle
norma normie
norman norm normie
oliver ollie olly oli
olivia liv livvy ollie olive livia
ophelia phelia
oscar ozzy oskar
oswald ozzie oz
owen owain
pablo paul
pamela pam pammy pamella
patricia pat patty tricia trish patsy patti trisha
patrick pat paddy rick patty padraig patric
paul pauly paulie
paula polly pauline paulina paulette
pearl pearlie
pedro pete
peggy peg
penelope penny pen nell
percival percy
peter pete petey pieter petr
philip phil pip phillip philippe flip filip
phyllis phyl phillis
preston pres
priscilla cilla prissy
quentin quinn quin quinton
rachel rach rae rachael shelly raquel
ralph ralphie
ramon ray moncho
randall randy rand randal
randolph randy dolph
raphael rafe raf rafael rafa
raymond ray raymund raymon
rebecca becky becca beck rebekah reba bex
regina gina reggie reina
reginald reg reggie
rene renny
renee ren rennie
reuben rube ruben rubin
rhonda ronnie ron ronda
ricardo rick ricky richie
richard rick dick rich ricky richie rickie dickie
ricky rick
robert rob bob bobby robbie bert bobbie robin rab
roberta bobbie robbie bertie berta
roberto rob beto tito
robin rob robyn
robyn robin
roderick rod rick roddy rory broderick
rodney rod roddy
roger rodge rodger rog
roland rollie rolly rowland
ronald ron ronnie ronny ronaldo
rosalind ros roz rosie linda
rosalyn roz ros rosalynn rosie
roscoe ross
rose rosie rosa rosemary rosalie rosario rosalia
rosemary rose rosie mary romy
roxanne roxy roxie roxana
rudolph rudy rolf dolph rudolf
russell russ rusty russel
ruth ruthie
ryan ry rian
sabrina brina sabby
salvador sal chava salvatore
salvatore sal sally tore
samantha sam sammy sammie mandy
samuel sam sammy sammie
sandra sandy sandi
santiago santi diego tiago
sarah sara sally sadie sal sarai
savannah vanna savanna
scott scotty scot scottie
sean shawn shaun shane shawne
sebastian seb bas bastian
serena rena
sergio serge sergei
seth sethe
shannon shan shanon
sharon shari sherry shaz sharron
sheila shiela shelagh
sherman sherm
shirley shirl lee
sidney sid syd sydney
sierra cierra
silas si sylas
simon si sy symon
solomon sol solly
sonia sonya sonja
sophia sophie sofia sofie fia
spencer spence spenser
stacy stacey stacie
stanley stan stanly
stella estelle estella
stephanie steph stevie steffi stefanie stephany fanny
stephen steve steven stevie steph stephan stefan
stewart stu stuart stew
stuart stu stewart
summer sum
susan sue susie suzy suzie susanna suzanne susannah suki susana
susana susan susie
sylvester sly syl
sylvia syl sylvie silvia
tabitha tabby
tamara tammy tam tami mara
tara tarah
tatiana tanya tania
taylor tay tayler
terence terry terrence tel terrance
teresa terry tess tessa tracy theresa terri tessie terrie reese
thaddeus thad tad ted
theodora dora theo thea
theodore ted theo teddy tad theodor dora
theresa terry tess tessa teresa terri tracy
thomas tom tommy thom tomas tommie
tiffany tiff tiffani tiffanie
timothy tim timmy timo timmie
tobias toby tobin
todd tod
tracy trace tracey traci tracie
travis trav travers
trevor trev
trinity trini
tristan tris
tyler ty tye
tyrone ty
ulysses uly
ursula ursa sula
valentina val tina
valentine val
valerie val vallie valery
vanessa nessa ness van
vernon vern
veronica ronnie vera ron roni veronika
victor vic vick viktor vito
victoria vicky vicki vikki tori tory vickie viki
vincent vin vince vinnie vinny vincente vicente
viola vi
violet vi lettie
virginia ginny ginger gina ginnie jenny
vivian viv vivienne vivien
walter walt wally wat
wanda wendy
warren ren
wayne wain
wendell wendel dell
wendy wen
wesley wes west westley
wilbur will wilber
wilfred will wilf fred wilfrid
wilhelmina mina billie wilma willa minnie
william bill billy will willie liam willy bud wm willem
wilson will
winifred winnie freddie wynne
winston win winnie
woodrow woody
xavier xavi zavier
yasmin jas yaz
yolanda yoli lana
yvonne eve vonnie evonne
zachary zach zack zac zachery zak zachariah zacharias
zebulon zeb
zoe zoey zoie
`;

const byWord = new Map<string, string[]>();
for (const line of CLASSES.trim().split("\n")) {
  const [name = "", ...forms] = line.split(" ");
  for (const word of [name, ...forms]) {
    const classes = byWord.get(word);
    if (!classes) byWord.set(word, [name]);
    else if (!classes.includes(name)) classes.push(name);
  }
}

/** Returns the classes of a normalized given name, each under its full name: `bob` gives `robert`. */
export function nicknameClasses(word: string): readonly string[] {
  return byWord.get(word) ?? [];
}
