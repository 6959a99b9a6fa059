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
    issues it its itself just keep kind know last later least left let lets like line lines ll look looks lot made make
    makes making many may maybe me mean might missing more most move much must my need needed needs never new next nice
    no not note nothing now of off ok okay old on once one only open option or other our out over own part perfect place
    please possible probably problem problems project properly put question quick quite rather re read really related
    remove removed rest return right run running said same save say see seem seems send set several shall she should
    show shows simple since so some someone something sort start started still stop stuff such sure take task tell than
    thank thanks that the their them then there therefore these they thing things think this those though through time
    to together too tried true try trying turn two under understand until up update updated upon us use used user users
    uses using value ve version very via want wants was way we well were what whatever when where whether which while
    who why will with within without won work working works would write wrong yes yet you your
    der die das und ist nicht ein eine bitte mit für auf den dem von zu im auch noch wie was wir ich mach mache jetzt
    el la los las que por para con una uno del favor como este esta
    le les des une est pas pour dans avec sur qui que
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
    override package padding param params parent parse partial pass path pattern payload pool prefix print println private
    process promise property props protected public query raise range react readonly record reduce reference
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
    src lib app apps main index init test tests spec specs core common shared utils util helpers helper base page pages
    component components module modules package packages internal pkg cmd public private static assets types type
    models model views view controllers controller services service api routes route handlers handler config configs
    settings new the docs doc readme server client backend frontend web site project source sources include java kotlin
    com org net resources scripts script bin build dist home users dev code repo work
    """.split()
)
