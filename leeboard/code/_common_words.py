"""Words that are everywhere and therefore say nothing."""

from __future__ import annotations

STOP_WORDS = frozenset(
    """
    a able about above actually add added adding after again all also always am an and another any anything are aren
    around as ask at back be because been before being better between both but by call came can cannot change changed
    changes check clean code come complete correct correctly could create created current currently did didn different
    do does doesn doing don done down each edit either else enough ensure error errors even every everything exactly
    example existing extra feel few file files find fine first fix fixed following for from full function further get
    gets getting give given go goes going good got had happen happens has have haven having he hello help her here hey
    hi him his how however i if ignore implement implemented improve in include including instead into is isn issue
    issues it its itself just keep kind know last later least left let lets like line lines ll look looks lot made
    make
    makes making many may maybe me mean might missing more most move much must my need needed needs never new next
    nice
    no not note nothing now of off ok okay old on once one only open option or other our out over own part perfect
    place
    please possible probably problem problems project properly put question quick quite rather re read really
    redacted related
    remove removed rest return right run running said same save say see seem seems send set several shall she should
    show shows simple since so some someone something sort start started still stop stuff such sure take task tell
    than
    thank thanks that the their them then there therefore these they thing things think this those though through time
    to together too tried true try trying turn two under understand until up update updated upon us use used user
    users
    uses using value ve version very via want wants was way we well were what whatever when where whether which while
    who why will with within without won work working works would write wrong yes yet you your
    aber alle alles als also am an auch auf aus bei beim bis bitte da damit das dass dein deine dem den der des die
    dies
    diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es etwas für gegen gibt
    haben
    hat hier ich ihr im in ist ja jede jeder jetzt kann kein keine keinen können mach mache machen man mehr mein meine
    mit
    muss müssen nach nicht nichts noch nun nur ob oder ohne schon sehr sein sich sie sind so soll sollen sollte
    sollten
    sondern über um und uns unter vom von vor war warum was weil wenn wer werden wie wieder wir wird wo wurde zu zum
    zur
    al algo aquí cada como con cual cuando debe del desde donde dos ella ellos ese eso esta estas este esto estos está
    están favor hacer haga hasta hay las los más mi mismo muy nada ningún nos nunca otra otro para pero poder por
    porque
    puede puedes que qué quiero ser sin sobre solo sólo son sus también tan tiene todo todos tras una unas uno unos
    usa y ya
    alors au aussi autre aux avec avoir bien car ce cela ces cet cette chaque comme dans de depuis des deux doit donc
    du
    elle elles en encore entre est et être faire fais fait faut ici il ils je jamais la le les leur leurs lui mais
    même
    merci mon nous on où ou par pas peut peux plus pour pourquoi quand que quel quelle qui quoi sa sans se sera
    seulement
    ses si son sont sous sur toujours tous tout toute très une un veux votre vous
    agora ainda aos apenas aqui as assim até cada com como da das de dele depois deve dos ela ele eles em entre essa
    esse
    esta estão estar eu fazer faça foi há isso isto já mais mas mesmo meu minha muito na nas não nem no nos nós num
    numa o
    onde os ou para pela pelo pode por porque quando quero ser seu sua são também tem ter toda todo todos um uma usar
    você
    alla alle allo anche ancora che chi come con così cosa cui da dal dalla deve dei del della delle dello devi di
    dopo
    dove è essere fa fare gli ha hai ho il io la le lo loro ma mai mi mio molto nei nel nella non o ogni ora per
    perché
    però più può puoi quando quello questa queste questi questo qui sarà se senza si sia solo sono su sul sulla tra
    tutti
    tutto un una uno va vuoi
    без более бы был была были быть вам вас весь во вот все всё всех вы где да для до его ее её если есть еще ещё же
    за
    здесь из или им их как какой когда который которые кто ли лучше мне можно мой мы на над надо нам нас не него нет
    ни
    никогда но ну нужно об один она они оно от очень по под пожалуйста пока потом потому почему при про сейчас сделай
    сделать себя со так также такой там тебя тем теперь то тогда того тоже только том тут ты уже хочу чего чем что
    чтобы
    эта эти это этого этом этот
    """.split()
)

COMMON_IDENTIFIERS = frozenset(
    """
    abstract append args array arguments assert async await boolean break bytes callback catch char class classname
    clone close color column const console constructor content context continue count data date debug default
    define delete describe dict display double element elif else email emit empty enum error event events except
    exception expect export extends extern fallback false field fields filename filter final finally float
    fmt format foreach found from func function global group handle handler header headers height html http
    https implements import include index info init input insert instance instanceof integer interface items iterator
    json kwargs label lambda length level list local logger logging main margin match math message messages method
    mkdir mock module name namespace needed none nonlocal null number object onclick option options other output
    override package padding param params parent parse partial pass path pattern payload pool prefix print println
    private
    process promise property props protected public query raise range react readonly record redacted reduce reference
    remove render replace request require required reset resolve response result results return right rows self
    send sequence service session setstate shared size slice sort source split start state static status stdout step
    store string struct style styles suffix super switch table target template test tests text then this throw throws
    time timeout title token trait true tuple type typedef typeof types undefined union unknown unsafe unsigned update
    usecallback useeffect usememo useref usestate username using utf8 value values variable vector virtual void
    volatile where while width window with world write yield
    """.split()
)

COMMON_PATH_WORDS = frozenset(
    """
    src lib app apps main index init test tests spec specs core common shared utils util helpers helper base page
    pages
    component components module modules package packages internal pkg cmd public private static assets types type
    models model views view controllers controller services service api routes route handlers handler config configs
    settings new the docs doc readme server client backend frontend web site project source sources include java
    kotlin
    com org net redacted resources scripts script bin build dist home users dev code repo work
    """.split()
)
