"""The weights of the token estimate, in 64ths of a token: means over pieces of open-source text, counted in cl100k.

Fitted on Python, JavaScript, TypeScript, Go, Rust, Markdown, JSON and YAML of 51 packages, none of which a benchmark
uses (pandas, scikit-learn and matplotlib among them: code that computes uses other words). Within
a package a piece counts by the square root of how often it is there. All weights were then scaled by 0.983, so that
windows around files of 19 packages (trio, and 18 of the 51) come out right on average. Another number here is another
version of the estimate (`values.tokens.VERSION`).
"""

from __future__ import annotations

from collections.abc import Mapping

FURTHER_LETTER = 13
"""What each letter of a word takes that goes beyond the lengths below."""

LETTERS: Mapping[tuple[str, str], tuple[int, ...]] = {
    ("=", "lower"): (104, 63, 120, 121, 132, 133, 157, 153, 157, 167, 148, 169, 171, 184, 220),
    ("=", "Title"): (78, 81, 137, 128, 127, 135, 129, 152, 158, 159, 171, 143, 171, 202, 197),
    ("=", "UPPER"): (122, 63, 116, 130, 141, 150, 150, 169, 175, 186, 203, 186, 220, 231, 296),
    ("[", "lower"): (89, 63, 105, 126, 123, 128, 144, 153, 139, 165, 156, 164, 171, 182, 220),
    ("[", "Title"): (116, 68, 128, 129, 125, 141, 135, 153, 163, 162, 168, 147, 171, 202, 197),
    ("[", "UPPER"): (115, 63, 102, 142, 141, 152, 155, 163, 175, 182, 203, 189, 223, 231, 296),
    ("", "lower"): (64, 63, 64, 86, 100, 103, 113, 119, 126, 130, 134, 139, 147, 163, 207),
    ("", "Title"): (66, 63, 86, 106, 116, 112, 118, 120, 129, 122, 141, 127, 143, 164, 177),
    ("", "UPPER"): (81, 63, 67, 108, 126, 140, 152, 150, 177, 173, 195, 195, 223, 227, 285),
    ("first", "lower"): (62, 61, 64, 104, 83, 102, 96, 100, 96, 100, 97, 87, 75, 93, 72),
    ("first", "Title"): (63, 67, 90, 123, 115, 97, 102, 105, 108, 106, 105, 106, 82, 102, 197),
    ("first", "UPPER"): (66, 63, 92, 119, 137, 114, 98, 77, 175, 74, 79, 186, 220, 231, 77),
    (" ", "lower"): (63, 63, 63, 78, 78, 78, 79, 82, 86, 86, 92, 92, 97, 105, 122),
    (" ", "Title"): (65, 63, 74, 83, 103, 93, 100, 112, 115, 114, 124, 128, 123, 145, 163),
    (" ", "UPPER"): (72, 63, 65, 90, 115, 120, 135, 117, 154, 158, 143, 195, 201, 227, 204),
    ("\t", "lower"): (76, 63, 78, 116, 119, 121, 130, 148, 142, 153, 163, 163, 165, 187, 220),
    ("\t", "Title"): (105, 70, 123, 128, 126, 137, 139, 149, 160, 157, 174, 154, 174, 202, 197),
    ("\t", "UPPER"): (116, 63, 97, 129, 137, 149, 151, 163, 175, 182, 203, 186, 220, 231, 296),
    ("_", "lower"): (67, 63, 66, 92, 94, 103, 109, 118, 125, 131, 137, 149, 152, 163, 210),
    ("_", "Title"): (100, 66, 126, 128, 130, 149, 141, 166, 167, 168, 185, 153, 170, 209, 197),
    ("_", "UPPER"): (76, 63, 71, 111, 116, 136, 138, 153, 170, 172, 200, 181, 208, 224, 288),
    (".", "lower"): (67, 63, 65, 99, 102, 112, 112, 121, 124, 138, 129, 153, 158, 168, 195),
    (".", "Title"): (74, 64, 94, 119, 108, 122, 101, 124, 147, 138, 146, 126, 169, 203, 193),
    (".", "UPPER"): (108, 63, 92, 125, 139, 157, 161, 174, 184, 195, 206, 195, 221, 240, 296),
    ("(", "lower"): (71, 63, 81, 101, 108, 109, 124, 138, 133, 151, 149, 153, 155, 179, 224),
    ("(", "Title"): (88, 64, 124, 128, 123, 144, 131, 155, 152, 162, 164, 142, 171, 199, 194),
    ("(", "UPPER"): (126, 63, 99, 127, 139, 151, 165, 170, 182, 192, 203, 187, 221, 231, 299),
    ('"', "lower"): (111, 80, 95, 123, 138, 155, 170, 168, 181, 196, 187, 187, 189, 198, 318),
    ('"', "Title"): (119, 76, 109, 129, 125, 135, 134, 154, 166, 168, 169, 149, 174, 202, 202),
    ('"', "UPPER"): (118, 63, 100, 131, 161, 151, 157, 163, 175, 182, 203, 186, 224, 231, 296),
    ("'", "lower"): (104, 64, 67, 111, 112, 122, 127, 138, 137, 147, 146, 159, 188, 180, 219),
    ("'", "Title"): (122, 82, 130, 129, 127, 137, 124, 147, 156, 158, 172, 143, 171, 202, 197),
    ("'", "UPPER"): (92, 63, 94, 126, 137, 152, 151, 163, 175, 182, 203, 186, 220, 231, 296),
    ("/", "lower"): (84, 63, 86, 117, 124, 128, 139, 147, 144, 163, 167, 177, 191, 196, 214),
    ("/", "Title"): (117, 66, 128, 129, 132, 141, 149, 167, 158, 177, 180, 157, 173, 202, 199),
    ("/", "UPPER"): (118, 63, 111, 134, 145, 163, 167, 166, 175, 184, 208, 186, 233, 231, 300),
    ("-", "lower"): (80, 64, 73, 113, 114, 109, 119, 135, 137, 144, 141, 147, 182, 183, 216),
    ("-", "Title"): (102, 66, 109, 128, 130, 141, 127, 144, 169, 166, 175, 130, 165, 199, 197),
    ("-", "UPPER"): (119, 63, 99, 132, 152, 151, 153, 168, 175, 182, 203, 186, 212, 231, 296),
    ("?", "lower"): (112, 81, 120, 130, 144, 129, 156, 173, 172, 176, 181, 185, 178, 199, 229),
    ("?", "Title"): (108, 83, 136, 137, 136, 142, 141, 153, 155, 170, 180, 151, 176, 202, 197),
    ("?", "UPPER"): (132, 63, 119, 141, 153, 162, 152, 167, 175, 183, 203, 186, 224, 231, 296),
    ("later", "lower"): (75, 68, 85, 107, 111, 116, 125, 133, 135, 147, 146, 159, 169, 180, 219),
    ("later", "Title"): (58, 78, 77, 114, 112, 97, 95, 102, 96, 105, 108, 120, 101, 129, 118),
    ("later", "UPPER"): (50, 63, 86, 117, 143, 186, 182, 151, 145, 93, 88, 77, 79, 74, 98),
}
"""(What stands before a word, its case) → what it takes: one of `WORDS`, and others by length from one letter on. `?`
is any other mark. `first` is the first hump of a name that has several and no mark before it (`$ZodType`, as `$` is a
piece of its own); `later` are the humps behind the first."""

MARKS_BY_LENGTH = (63, 67, 88, 109, 137, 167, 180, 212, 244, 270, 307, 378, 408, 416, 447, 492)
MARKS_AT_END_BY_LENGTH = (63, 76, 85, 99, 128, 149, 178, 193, 240, 278, 297, 297, 322, 322, 322, 322)
"""What runs of marks take that are none of these; in the latter the end of the line is counted with them."""

MARKS = frozenset(
    r'''
    ! !( !(" != !== " """ ") "), "). ", ". "./ "/ ": "\ "] "], "__ "{ # ## ### #[ $ ${ % & && &' &[ ' ') ', './ ':
    '] ( (! (" (& (' ('./ (( (() () ()) (), (). ().__ (): (); ()` (* (... ([ (_ (` ({ (| ) )( )) )), )). )); ), ).
    ): ); ){ )} * ** + ++ ++) += , - -- -> . .# .. ... ._ .__ / /* /** // //! //# /// /_ : :" :// :: ::< ::{ := :` ;
    < <' </ <= = =" =' == === => =[ ={ > >( >) >, >= >> >>> ? ?. ?: ?? @ [ [" [' [] [_ [` \ ] ]( ]) ], ]. ]: ][ ]] _
    _, _. __ __( __. ` `${ `, `. `` ``` { {" {@ {} {}, | || } }) }); }, }; }}
    '''.split()  # noqa: SIM905
)
"""Runs of marks that take one token, with a space before them or without."""

MARKS_AT_END = frozenset(
    r'''
    !( " "" """ ") ")) "), "): "); ")] ", ": "; "] "]) "], "}, # && ' ') '), '); ', ': '; '] '], ( () ()) ()); (),
    (): (); ({ ) )) )), )); ), ). ): ); )?; )] * *, */ + , ------- -------- ---------- . ." .""" .") .", ... /** //
    //! /// : :: ; < = => > >( >() >, >; ? [ [] []; \ ] ]) ]); ], ]: ]; _ __ __( ` `, `. { {} {}) {}, {}; | || } }"
    }") }) }), }); }, }. };
    '''.split()  # noqa: SIM905
)
"""The same at the end of a line, which is counted with them."""

SPACE, SPACES, DIGITS, BLANK_LINE, LINE_END = 63, 63, 63, 2, 63
WHITE_LINE = 63
"""A line of spaces and tabs alone, which vocabularies give a token of its own."""

WORDS = frozenset(
    """
    abc able abort aborted about above abs absolute abstract accept acceptable accepted accepting accepts access
    accessed accessible according accordingly account across act action actions active actual actually adapter add
    added adding addition additional additionally addr address addresses adds adjust advance advanced affect
    affected after again against age agent algorithm algorithms alias aliases alive all allocation allow allowed
    allowing allows alone along alpha already also alt alternate alternative alternatively although always amount
    anchor and annotation annotations anonymous another answer any anything anyway apache api app appear appears
    append appended applicable application applications applied applies apply applying approach appropriate
    arbitrary arc are aren arg args argument arguments around arr array arrays ascii ask asked assert assertion
    assertions assign assigned assignment associated assume assumed assumes ast async asynchronous atomic attach
    attached attempt attempted attempting attempts attr attribute attributes attrs auth authentication author
    authorization authors auto automatic automatically available avoid avoids await aware away back backend
    background backward backwards bad bar base based basic basis batch baz because become becomes been before begin
    beginning behave behavior behaviour behind being belongs below best better between big bin binary bind binding
    binds bit bits black blank blob block blocking blocks blue body bool boolean both bottom bound boundaries
    boundary bounded bounds box branch break breaking breaks broken browser bucket buf buffer buffered buffers bug
    bugs build builder building builds built builtin bundle but byte bytes cache cached caches caching calculate
    calculation call callable callback callbacks called caller callers calling calls can cancel cancelled candidate
    candidates cannot canonical cap capacity capture care case cases cast catch category caught cause caused causes
    ceil cell cert certain certificate cfg chain chance change changed changes changing channel char character
    characters chars check checked checking checks child children choice choices choose chosen chunk chunks circular
    class classes clean cleanup clear cli client clients clock clone cloned close closed closes closing closure cls
    cmd cmp code codes col collect collected collection collections colon color colors column columns com
    combination combine combined come comes comma command commands comment comments commit common commonly compact
    compare compared comparing comparison compat compatibility compatible compile compiled compiler complete
    completed completely completion complex complexity component components compose compressed compression compute
    computed computes concat concatenated concrete concurrency concurrent concurrently condition conditional
    conditions config configurable configuration configure configured conflict conn connect connected connecting
    connection connections consider considered consistent console const constant constants constraint constraints
    construct constructed construction constructor constructors constructs consume consumed consumer consuming
    contain contained container containing contains content contents context contexts continue contract control
    controller controls convenience convenient convention conversion convert converted converting converts copied
    copies copy copyright core correct correctly corresponding corresponds could couldn count counter counts course
    cover covered covers cpu create created creates creating creation credentials critical cross ctx cur current
    currently cursor custom cycle data database date datetime day days dead deal debug debugging dec decide decimal
    declaration declarations declare declared decode decoded decoder decoding decorated decorator decorators deep
    def default defaults defer deferred define defined defines defining definition definitions del delay delayed
    delegate delete deleted delimiter delta dep depend dependencies dependency dependent depending depends
    deprecated depth deque derive derived desc describe described describing description descriptor descriptors
    deserialize design desired dest destination detail detailed details detect detected detection determine
    determined determines deterministic dev development device dict dictionary did didn diff difference different
    differently differs digest digit digits dir direct direction directly directories directory dirname disable
    disabled discard disconnect dispatch display dist distance distinct distributed div dns doc docs document
    documentation documented does doesn doing dom domain don done dot double down download drop dropped dst due
    dummy dump dumps duplicate duplicates duration during dynamic each earlier early easier easily easy edge effect
    effects efficient effort either elapsed element elements elif else elsewhere email embed embedded emit emitted
    empty enable enabled enables enabling encode encoded encoder encoding encountered end ended ending endpoint
    endpoints ends enforce engine enough ensure ensures enter entire entirely entity entries entry enum enumerable
    enumerate env environ environment environments eof epoch equal equality equals equivalent err error errors
    escape escaped especially etc eval evaluate even event events eventually ever every everything exact exactly
    example examples exc exceeded exceeds except exception exceptions exchange exclude excluded exclusive exec
    executable execute executed executes executing execution executor exist existing exists exit exp expand expanded
    expect expected expecting expects experimental expires explicit explicitly exponential export exported exports
    expose exposed expr express expression expressions ext extend extended extends extension extensions external
    extra extract extracted fact factor factory fail failed failing fails failure failures fake fall fallback
    falling falls false family far fast faster fatal feature features fetch few field fields figure file filename
    filenames filepath files filesystem fill filled filter filtered filters final finalize finally find finds fine
    finish finished finite first fit fix fixed fixes flag flags flat flatten float floating floor flow flush fmt
    fold folder follow followed following follows foo for forbidden force fork form format formats formatted
    formatter formatting forms forward forwarded found four fragment frame frames framework free freeze fresh from
    front frozen full fully func function functionality functions functools further future garbage gather gen
    general generally generate generated generates generating generation generator generic get getattr gets getter
    getting git github give given gives giving glob global globally globals goes going good google got graph greater
    green group grouped groups guarantee guaranteed guarantees guard guide hack had half hand handle handled handler
    handlers handles handling happen happened happens hard has hasattr hash hasn have having head header headers
    height hello help helper helpers helps here hex hidden hide high higher highest hint hints history hit hold
    holding holds home hook hooks host hostname hot hour how however href html http https human ideal ideally ident
    identical identified identifier identifiers identify identity idle ids idx ignore ignored ignores ignoring image
    img immediate immediately immutable impact impl implement implementation implementations implemented
    implementing implements implicit implicitly implied import important imported importing imports impossible
    improve improved inc include included includes including inclusive incoming incompatible incomplete incorrect
    increase increasing increment indent independent index indexed indexes indicate indicates indicating indices
    individual inf infer inferred infinite infinity info information inherit inherited init initial initialization
    initialize initialized initially injection inline inner input inputs insensitive insert inserted inside inspect
    install installation installed instance instanceof instances instead int integer integers intended intentionally
    interface interfaces intermediate internal internally internals interpret interpreted intersection interval into
    introduced invalid invalidate inverse invert invoke invoked ipv isinstance isn iso issue issues item items iter
    iterable iterate iterating iteration iterator itertools its itself java javascript job join json just keep
    keeping keeps kept kernel key keyed keys keyword keywords kill kind know known kwargs label labels lambda lang
    language large larger largest last later latest latter layer layout lazy lead leading leaf leak least leave
    leaves left legacy len length less let lets letter level levels lib libraries library license lifetime like
    likely limit limitations limited limits line linear lines link links lint linux list listed listen listener
    listeners listening lists literal literals little live load loaded loader loading loads loc local localhost
    locals location locations lock locked log logged logger logging logic logical logs long longer look looking
    looks lookup loop loops loss lost lot low lower lowercase mac machine made magic main maintain major make makes
    making malformed managed management manager manual manually many map mapped mapping mappings maps mark marked
    marker marks mask master match matched matcher matches matching math matter max maximum may maybe mean meaning
    means meant mechanism media medium mem member members memory merge merged merging message messages meta metadata
    meth method methods microsoft mid middle middleware might migration milliseconds min minimal minimum minor
    minutes misc mismatch missing mit mixed mixin mkdir mock mod mode model models modern modified modify modifying
    module modules moment more most mostly move moved moves moving msg much mul multi multiple must mutable mutex
    name named names namespace nan native necessarily necessary need needed needs negative neither nested nesting
    net network never new newer newline newly next nice node nodes non none noop noqa nor normal normalize
    normalized normally not notation note notes nothing notice notification notify now null num number numbers
    numeric obj object objects observe obtain obtained occur occurred occurs off offset often old older omit omitted
    once one ones only onto opaque open opened opening operate operation operations operator operators ops opt
    optimization optimize optimized option optional optionally options opts ord order ordered ordering org orig
    origin original other others otherwise our out outer output outputs outside over overflow overhead overlap
    overlapping overload overridden override overrides overriding overwrite own owned owner package packages pad
    padding page pages pair pairs panic parallel param parameter parameters params parent parents parse parsed
    parser parses parsing part partial particular particularly partition parts party pass passed passes passing
    password past patch path paths pattern patterns pause payload pending pep per percent perform performance
    performed performing performs perhaps period permission permissions permit permitted person phase pick pickle
    pid ping pipe pipeline pkg place placeholder places plain platform platforms please plugin plugins plus point
    pointer points policy pool pop populated port pos position positional positions positive posix possible possibly
    post potential potentially power practice pre precedence precision predicate prefer preferred prefix prefixes
    prepare prepared prepend presence present preserve preserved preserves preserving pretty prev prevent prevents
    preview previous previously primary primitive print printed println prior priority private probably problem
    problems process processed processes processing produce produced producer produces producing product production
    profile program progress project projects promise prop propagate proper properly properties property props
    protected proto protocol protocols prototype provide provided provider provides providing proxy ptr pub public
    publish pull pure purpose purposes push put python queries query question queue quick quickly quite quote quoted
    quotes race raise raised raises raising rand random range ranges rate rather raw reach reached reaches read
    readable reader reading readme readonly reads ready real really reason reasons receive received receives recent
    recommended record records recursion recursive recursively red redirect reduce ref refer reference referenced
    references reflect refs reg regardless regex regexp region register registered registers registration registry
    regular reject rejected rejects rel related relative release released releases relevant relies rely remain
    remaining remains remember remote removal remove removed removes removing rename renamed render rendered
    rendering repeat repeated replace replaced replacement replaces replacing report reported reports repository
    repr represent representation represented representing represents req request requested requests require
    required requirement requirements requires res reserved reset resets resolution resolve resolved resolver
    resolves resolving resource resources resp respectively response responses responsible rest restore restrict
    result resulting results resume ret retain retries retrieve retry return returned returning returns reuse reused
    reverse reversed rewrite right role root round route router routes routing row rows rule rules run runner
    running runs runtime safe safely safety same sample satisfy save saved say scalar scale scan scenarios schedule
    scheduled scheduler schema schemas scheme scope scoped script scripts search sec second seconds secret section
    secure security see seed seek seems seen segment select selected selection selector self semantics send sending
    sends sense sensitive sent sentinel sep separate separated separately separator seq sequence sequences
    serialization serialize serialized serializer series serve server servers service services session set setattr
    sets setter setting settings setup several sha shallow shape share shared shares shell shift short shortcut
    shorter should shouldn show shown shows shutdown side sig sign signal signals signature signatures signed
    silently similar simple simplify simply since single singleton site situations size sized sizes skip skipped
    skipping slash sleep slice slices slightly slot slots slow slower small smaller snapshot sock socket soft
    software solution solve some something sometimes soon sort sorted source sources space spaces span spawn spec
    special specific specifically specification specified specifies specify speed splice split splitting src stable
    stack stage stale standard star start started starting starts stat state statement statements states static
    stats status std stderr stdin stdout step steps still stop stopped stops storage store stored stores str
    strategy stream streaming streams strict strictly string stringify strings strip stripped struct structure
    structured stub style sub subclass subclasses subject subscribe subsequent subset substring succeeded succeeds
    success successful successfully such suffix suitable suite sum summary super supplied support supported
    supporting supports suppress sure swap switch symbol symbols sync synchronous syntax sys system systems tab
    table tables tag tagged tags tail take taken takes taking target targets task tasks tcp tell temp template
    temporary term terminal terminate terminated terms test tested testing tests text than that the their them
    themselves then there therefore these they thing things third this those though thread threading threads three
    threshold through throw thrown throws thus tick time timeout timeouts timer times timestamp title tls tmp todo
    together token tokens too tool tools top total trace traceback track tracking trailing transaction transfer
    transform transformed transforms transition translate transport treat treated tree tries trigger triggered
    triggers trim trip true truncate truncated trusted try trying tuple tuples turn turns twice two txt type typed
    typeof types typically typing uid uint unable unavailable unchanged unchecked undefined under underlying
    unexpected unicode union unique unit units unix unknown unless unlike unlock unnecessary unreachable
    unrecognized unsafe unset unsigned unsupported until unused unwrap update updated updates updating upgrade
    upload upon upper uri url usable usage use used useful user username users uses using usr usually utc utf util
    utility utils uuid val valid validate validation validator value values var variable variables variant variants
    various vars vec vector verbose verify version versions very via view virtual visible visit void wait waiting
    waits walk want wants warn warning warnings was wasn watch way ways weak web website well were what whatever
    when whenever where whether which while white whitespace whole whose why wide width wiki wikipedia will win
    window windows wire wish with within without won word words work worker workers working works world would wrap
    wrapped wrapper wrapping wraps writable write writer writes writing written wrong www xml xxx year yellow yes
    yet yield yields you your zero zeros zip zone
    """.split()  # noqa: SIM905
)
"""Words, in small letters, that take one token: the most widespread of the packages the weights were fitted on."""
