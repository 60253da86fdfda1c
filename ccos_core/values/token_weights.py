"""The weights of the token estimate, in 64ths of a token: means over pieces of open-source text, counted in cl100k.

Fitted on Python, JavaScript, TypeScript, Go, Rust, Markdown, JSON and YAML of 42 packages, none of which a test or a
benchmark uses. An empty line was given more than it takes: so windows err on the side of being smaller, and nobody has
to count the lines of what can't fit. Another number here is another version of the estimate (`values.tokens.VERSION`).
"""

from __future__ import annotations

from collections.abc import Mapping

FURTHER_LETTER = 13
"""What each letter of a word takes that goes beyond the lengths below."""

LETTERS: Mapping[tuple[str, str], tuple[int, ...]] = {
    ("", "lower"): (65, 64, 64, 84, 97, 94, 107, 116, 123, 122, 129, 127, 143, 151, 196),
    ("", "Title"): (66, 64, 87, 100, 115, 103, 113, 115, 127, 109, 138, 131, 141, 170, 179),
    ("", "UPPER"): (79, 64, 66, 107, 126, 136, 162, 148, 178, 168, 196, 195, 214, 233, 293),
    ("first", "lower"): (62, 60, 60, 102, 73, 101, 98, 103, 95, 97, 102, 93, 78, 105, 73),
    ("first", "Title"): (66, 78, 85, 130, 123, 97, 106, 102, 101, 107, 108, 95, 86, 121, 197),
    ("first", "UPPER"): (68, 64, 91, 134, 167, 135, 109, 79, 165, 76, 84, 177, 203, 228, 78),
    (" ", "lower"): (64, 64, 64, 73, 81, 77, 76, 85, 88, 87, 92, 91, 101, 102, 121),
    (" ", "Title"): (65, 64, 74, 80, 106, 88, 95, 116, 116, 113, 111, 128, 118, 144, 160),
    (" ", "UPPER"): (69, 64, 65, 90, 110, 102, 117, 91, 123, 126, 109, 199, 184, 224, 109),
    ("\t", "lower"): (72, 64, 70, 117, 120, 121, 129, 153, 141, 157, 170, 153, 162, 186, 222),
    ("\t", "Title"): (106, 68, 117, 128, 126, 137, 136, 142, 165, 157, 169, 151, 177, 215, 197),
    ("\t", "UPPER"): (126, 64, 88, 132, 134, 148, 155, 165, 165, 183, 206, 177, 203, 228, 301),
    ("_", "lower"): (68, 64, 65, 85, 95, 106, 110, 120, 132, 129, 140, 151, 149, 150, 219),
    ("_", "Title"): (101, 65, 127, 128, 132, 161, 137, 173, 170, 169, 191, 153, 170, 222, 197),
    ("_", "UPPER"): (76, 64, 69, 114, 110, 133, 143, 154, 159, 172, 198, 174, 189, 219, 294),
    (".", "lower"): (67, 64, 64, 96, 105, 111, 112, 121, 123, 144, 122, 144, 147, 176, 189),
    (".", "Title"): (74, 64, 84, 113, 100, 118, 85, 111, 149, 135, 131, 108, 169, 216, 194),
    (".", "UPPER"): (103, 64, 89, 127, 141, 160, 167, 178, 190, 197, 213, 181, 207, 242, 302),
    ("(", "lower"): (69, 64, 81, 96, 110, 88, 128, 150, 132, 152, 146, 150, 148, 180, 224),
    ("(", "Title"): (85, 64, 125, 128, 121, 149, 123, 162, 155, 163, 154, 134, 170, 212, 195),
    ("(", "UPPER"): (123, 64, 97, 130, 139, 150, 170, 179, 176, 203, 208, 177, 205, 228, 305),
    ('"', "lower"): (110, 77, 84, 125, 141, 160, 178, 162, 183, 194, 190, 187, 185, 197, 326),
    ('"', "Title"): (122, 77, 103, 128, 123, 136, 123, 150, 164, 167, 165, 152, 172, 215, 203),
    ('"', "UPPER"): (124, 64, 100, 134, 167, 151, 162, 165, 165, 183, 206, 177, 208, 228, 301),
    ("'", "lower"): (90, 64, 66, 111, 114, 124, 124, 141, 136, 147, 143, 155, 165, 178, 219),
    ("'", "Title"): (126, 82, 131, 128, 122, 138, 104, 139, 156, 155, 165, 136, 170, 215, 197),
    ("'", "UPPER"): (94, 64, 90, 128, 134, 154, 155, 165, 165, 183, 206, 177, 203, 228, 301),
    ("/", "lower"): (81, 64, 83, 123, 118, 130, 128, 137, 125, 163, 159, 173, 194, 198, 209),
    ("/", "Title"): (119, 65, 130, 130, 131, 142, 152, 183, 155, 183, 181, 158, 172, 215, 199),
    ("/", "UPPER"): (121, 64, 109, 138, 146, 175, 178, 169, 165, 189, 219, 177, 222, 228, 306),
    ("-", "lower"): (80, 64, 76, 121, 119, 100, 122, 139, 145, 141, 138, 145, 189, 182, 218),
    ("-", "Title"): (99, 65, 99, 128, 135, 147, 124, 140, 178, 165, 170, 116, 157, 210, 197),
    ("-", "UPPER"): (129, 64, 101, 133, 155, 155, 155, 170, 165, 184, 206, 177, 194, 228, 301),
    ("?", "lower"): (103, 73, 121, 128, 146, 116, 158, 179, 165, 179, 178, 189, 177, 199, 244),
    ("?", "Title"): (93, 77, 137, 136, 133, 143, 144, 159, 154, 172, 178, 158, 175, 215, 197),
    ("?", "UPPER"): (140, 64, 125, 164, 165, 165, 158, 176, 165, 190, 206, 179, 207, 228, 301),
    ("later", "lower"): (74, 69, 78, 105, 112, 115, 123, 135, 133, 147, 143, 155, 165, 178, 219),
    ("later", "Title"): (59, 82, 67, 111, 105, 93, 98, 101, 95, 114, 104, 134, 105, 144, 131),
    ("later", "UPPER"): (35, 64, 83, 115, 137, 207, 208, 165, 163, 97, 91, 79, 81, 228, 103),
}
"""(What stands before a word, its case) → what it takes: one of `WORDS`, and others by length from one letter on. `?`
is any other mark. `first` is the first hump of a name that has several and no mark before it (`$ZodType`, as `$` is a
piece of its own); `later` are the humps behind the first."""

MARKS_BY_LENGTH = (64, 68, 90, 111, 139, 170, 183, 216, 247, 275, 312, 384, 415, 423, 455, 500)
MARKS_AT_END_BY_LENGTH = (64, 78, 86, 102, 131, 152, 152, 167, 234, 234, 278, 278, 311, 311, 311, 311)
"""What runs of marks take that are none of these; in the latter the end of the line is counted with them."""

MARKS = frozenset(
    r'''
    ! !( !(" != !== " """ ") "), "). ", ". "./ "/ ": "\ "] "], "__ "{ # ## ### #[ $ ${ % & && &' &[ ' ') ', './ ':
    '] ( (! (" (& (' ('./ (( (() () ()) (), (). ().__ (): (); ()` (* (... ([ ([] (_ (` ({ (| ) )( )) )), )). )); ),
    ). ): ); ){ )} * ** + ++ ++) += , - -- -> . .# .. ... ._ .__ / /* /** // //! //# /// /_ : :" :// :: ::< ::{ :=
    :` ; < <' </ <= = =" =' == === => =[ ={ > >( >) >, >= >> >>> ? ?. ?: ?? @ [ [" [' [] [_ [` ] ]( ]) ], ]. ]: ][
    ]] _ _, _. __ __( __. ` `${ `, `. `` ``` { {" {@ {} {}, | || } }) }); }, }; }}
    '''.split()  # noqa: SIM905
)
"""Runs of marks that take one token, with a space before them or without."""

MARKS_AT_END = frozenset(
    r'''
    !( " "" """ ") ")) ")); "), "): "); ")] ", ": "; "] "]) "], "}, # && ' ') '), '); ', ': '; '] '], ( (()) () ())
    ()); (), (): (); (` ({ ) )) )), )); ), ). ): ); )?; )] * ** */ + , . ." .""" .") .", ... /** // //! /// : :: ; <
    = => > >( >() >, >; ? [ [] []; \ ] ]) ]); ], ]: ]; _ __ __( ` `, `. { {} {}) {}, {}; | || } }" }") }) }), }); },
    }. };
    '''.split()  # noqa: SIM905
)
"""The same at the end of a line, which is counted with them."""

SPACE, SPACES, DIGITS, BLANK_LINE, LINE_END = 64, 64, 64, 40, 64

WORDS = frozenset(
    """
    abc ability able abort aborted about above abs absolute abstract accept acceptable accepted accepting accepts
    access accessed accesses accessible according account across act action actions active actual actually adapter
    add added adding addition additional additionally addr address addresses adds adjust advance advanced affect
    affected after again against age agent algorithm algorithms alias aliases alive all allocation allow allowed
    allowing allows alone along alpha already also alt alternate alternative alternatively although always amount
    anchor and annotation annotations anonymous another answer any anything anyway anywhere apache api app appear
    appears append appended applicable application applications applied applies apply applying approach appropriate
    arbitrary arc are aren arg args argument arguments around arr array arrays ascii ask asked assert assertion
    assertions assign assigned assignment associated assume assumed assumes ast async asynchronous atomic attach
    attached attempt attempted attempting attempts attr attribute attributes attrs auth authentication author
    authorization authors auto automatic automatically available avoid avoids await aware away back backend
    background backward backwards bad balance bar base based basename basic basis batch baz because become becomes
    been before begin beginning behave behavior behind being belongs below best better between big bin binary bind
    binding binds bit bits black blank blob block blocking blocks blue body bool boolean both bottom bound
    boundaries boundary bounded bounds box brackets branch break breaking breaks broken browser bucket buf buffer
    buffered buffers bug bugs build builder building builds built bundle but byte bytes cache cached caches caching
    calculate calculation call callable callback callbacks called caller callers calling calls can cancel canceled
    cancellation cancelled candidate cannot canonical cap capacity capture captured care case cases cast catch
    category caught cause caused causes causing ceil cert certain certificate cfg chain chance change changed
    changes changing channel char character characters chars check checked checking checks child children choice
    choices choose chosen chunk chunks circular class classes clean cleanup clear cli client clients clock clone
    cloned close closed closes closing closure cls cmd cmp code codes col collect collected collection collections
    colon color colors column columns com combination combine combined come comes comma command commands comment
    comments commit common commonly compact compare compared comparing comparison compat compatibility compatible
    compilation compile compiled compiler complete completed completely completes completion complex complexity
    component components compose compression compute computed concat concatenated concrete concurrency concurrent
    concurrently condition conditional conditions config configurable configuration configure configured conflict
    conn connect connected connecting connection connections consider considered consistent console const constant
    constants constraint constraints construct constructed construction constructor constructors constructs consume
    consumed consumer consumes consuming contain contained container containing contains content contents context
    contexts continue contract control controller controls convenience convenient conversion convert converted
    converting converts cookie copied copies copy copyright core correct correctly corresponding corresponds could
    couldn count counter counts course cover covered cpu create created creates creating creation credentials
    critical cross crypto ctx cur current currently cursor custom customize cycle data database date day dead deal
    debug debugging dec decide decimal declaration declarations declare declared decode decoded decoder decoding
    decorated decorator decorators deep def default defaults defer deferred define defined defines defining
    definition definitions del delay delayed delegate delete deleted delimiter delta dep depend dependencies
    dependency dependent depending depends deprecated depth deque derive derived desc describe described describes
    describing description descriptor descriptors deserialize design desired dest destination detail detailed
    details detect detected detection determine determined determines deterministic dev development dict dictionary
    did didn diff difference different differently differs digest digit digits dir direct direction directly
    directories directory dirname dirty disable disabled discard discarded disconnect dispatch display dist distinct
    distributed div dns doc docs document documentation documented does doesn doing dom domain don done dot double
    down download drop dropped drops dst due dummy dump dumps duplicate duplicates duration during dynamic each
    earlier early easier easily easy echo edge effect effects efficient effort either elapsed element elements elif
    else elsewhere email embed embedded emit emits emitted empty enable enabled enables encode encoded encoder
    encoding encountered end ended ending endpoint endpoints ends enforce engine enough ensure ensures enter entire
    entirely entity entries entry enum enumerable enumerate env environ environment environments eof epoch equal
    equality equals equivalent err error errors escape escaped etc eval evaluate even event events eventually ever
    every everything exact exactly example examples exc exceeded exceeds except exception exceptions exchange
    exclude excluded exclusive exec executable execute executed executes executing execution executor exist existing
    exists exit exp expand expect expected expecting expects experimental expired expires explicit explicitly
    exponential export exported exports expose exposed expr express expression expressions ext extend extended
    extends extension extensions external extra extract extracted fact factor factory fail failed failing fails
    failure failures fake fall fallback falling falls false family far fast faster fatal feature features fetch few
    field fields figure file filename filenames filepath files filesystem fill filled filter filtered filtering
    filters final finalize finally find finds fine finish finished finite first fit fix fixed fixes flag flags flat
    flatten float floor flow flush fmt fold folder follow followed following follows foo for forbidden force forever
    fork form format formats formatted formatter formatting forms forward forwarded found four fragment fragments
    frame frames framework free freeze fresh from front frozen full fully func function functionality functions
    functools further future garbage gather gen general generally generate generated generates generating generation
    generator generic get getattr gets getter getting git github give given gives giving glob global globally
    globals goes going good google got graph greater green group grouped groups guarantee guaranteed guarantees
    guard guide hack had half hand handle handled handler handlers handles handling happen happened happens hard has
    hasattr hash hasn have having head header headers height hello help helper helpers helps here hex hidden hide
    high higher hint hints history hit hold holding holds home hook hooks host hostname hot hour how however href
    html http https human ideal ideally ident identical identified identifier identifiers identify identity idle ids
    idx ignore ignored ignores ignoring image img immediate immediately immutable impact impl implement
    implementation implementations implemented implementing implements implicit implicitly implied import important
    imported importing imports impossible improve improved inc include included includes including inclusive
    incoming incompatible incomplete incorrect increment indent independent index indexed indexes indicate indicates
    indicating indices individual infer inferred infinite infinity info information inherit inherited init initial
    initialization initialize initialized initially injection inline inner input inputs insensitive insert inserted
    inside inspect install installation installed instance instanceof instances instead int integer integers
    intended intentionally interface interfaces intermediate internal internally internals interpret intersection
    interval into introduced invalid invalidate inverse invoke invoked ipv isinstance isn iso issue issues item
    items iter iterable iterate iterating iteration iterator its itself java javascript job join json just keep
    keeping keeps kept key keyed keys keyword keywords kill kind know known knows kwargs label labels lambda lang
    language large larger largest last later latest latter layer layout lazy lead leading leak least leave leaves
    left legacy len length less let lets level levels lib libraries library license lifetime like likely limit
    limitations limited limits line linear lines link linked links lint linux list listed listen listener listeners
    listening lists literal literals little live load loaded loader loading loads local localhost locals location
    locations lock locked log logged logger logging logic logs long longer look looking looks lookup loop lost lot
    low lower lowercase mac machine made magic main maintain major make makes making malformed managed manager
    mandatory manual manually many map mapped mapping mappings maps mark marked marker marks mask master match
    matched matcher matches matching math matter max maximum may maybe mean meaning means mechanism media medium mem
    member members memory merge merged merging message messages meta metadata method methods microsoft middle
    middleware might migration milliseconds min minimal minimum minor minus minutes misc mismatch missing mit mixed
    mixin mkdir mock mod mode model models modern modified modify modifying module modules more most mostly move
    moved moves moving msg much multi multiple must mutable mutex name named names namespace native necessarily
    necessary need needed needs negative neither nested nesting net network never new newer newline newly next nice
    node nodes non none noop noqa nor normal normalize normalized normally not notation note notes nothing notice
    notification notifications notify now null num number numbers numeric obj object objects observe obtain obtained
    occur occurred occurs off official offset often old older omit omitted once one ones only onto opaque open
    opened opening operate operation operations operator operators ops opt optimization optimize optimized option
    optional optionally options opts ord order ordered ordering org orig origin original other others otherwise our
    out outer output outputs outside over overflow overhead overlap overlapping overload overridden override
    overrides overriding overwrite own owned owner package packages padding page pages pair pairs panic parallel
    param parameter parameters params parent parents parse parsed parser parses parsing part partial partially
    particular particularly partition parts party pass passed passes passing password past patch path paths pattern
    patterns pause paused payload peer pending per percent perform performance performed performing performs perhaps
    period permission permissions permit permitted person phase pick pid ping pipe pipeline pkg place placeholder
    places plain platform platforms please plugin plugins plus point pointer points policy poll pool pop populate
    populated port pos position positional positions positive posix possible possibly post potential potentially
    power practice pre precedence predicate prefer preferred prefix prefixes prepare prepared prepend presence
    present preserve preserved preserves preserving pretty prev prevent prevents preview previous previously primary
    primitive print printed println prior priority private probably problem problems process processed processes
    processing produce produced producer produces producing product production profile program progress project
    projects promise prop propagate proper properly properties property protected proto protocol protocols prototype
    provide provided provider provides providing proxy ptr pub public publish pull pure purpose purposes push put
    python queries query question queue quick quickly quote quoted quotes race raise raised raises rand random range
    ranges rate rather raw reach reached reaches read readable reader reading readme readonly reads ready real
    really reason reasons receive received receives recent recommended record records recover recurse recursion
    recursive recursively red redirect reduce ref refer reference referenced references reflect refs reg regardless
    regex regexp region register registered registers registration registry regular reject rejected rejects rel
    related relative release released releases relevant relies rely remain remainder remaining remains remember
    remote removal remove removed removes removing rename renamed render rendered repeat repeated replace replaced
    replacement replaces replacing report reported reports repository repr represent representation represented
    representing represents req request requested requests require required requirement requirements requires res
    reserved reset resets resolution resolve resolved resolver resolves resolving resource resources resp
    respectively response responses responsible rest restore restrict result resulting results resume ret retain
    retries retrieve retry return returned returning returns reuse reused reverse reversed rewrite right role root
    round route router routes routing row rows rule rules run runner running runs runtime safe safely safety same
    sample satisfy save saved say scalar scale scan scenarios schedule scheduled scheduler schema schemas scheme
    scope scoped script scripts search sec second seconds secret section sections secure security see seed seek
    seems seen segment select selected selector self semantics send sending sends sense sensitive sent sentinel sep
    separate separated separately separator seq sequence sequences serialization serialize serialized serializer
    series serve server servers service services session set setattr sets setter setting settings setup several sha
    shallow shape share shared shell shift short shortcut shorter should shouldn show shown shows shutdown side sig
    sign signal signals signature signatures signed silently similar simple simplify simply since single singleton
    site situations size sized skip skipped skipping slash sleep slice slightly slot slots slow slower small smaller
    snapshot sock socket soft software solution solve some something sometimes soon sort sorted source sources space
    spaces span spawn spec special specific specifically specification specified specifies specify speed splice
    split spread src ssl stable stack stage stale standard star start started starting starts stat state statement
    statements states static stats status stay std stderr stdin stdout step steps still stop stopped stops storage
    store stored stores storing str strategy stream streaming streams strict strictly string stringify strings strip
    stripped struct structure structured stub stuff style sub subclass subclasses subject submit subscribe
    subsequent subset substring succeed succeeded succeeds success successful successfully such suffix suitable
    suite sum summary super supplied supply support supported supporting supports suppress sure swap switch symbol
    symbols sync synchronous syntax sys system systems tab table tables tag tagged tags tail take taken takes taking
    target targets task tasks tcp tell tells temp template temporary term terminal terminate terminated terms test
    tested testing tests text than that the their them themselves then there therefore these they thing things third
    this those though thread threading threads three through throw thrown throws thus tick time timed timeout
    timeouts timer times timestamp title tls tmp todo together token tokens too tool tools top total trace traceback
    tracing track tracking trailing transaction transfer transform transformed transforms transition translate
    transport treat treated tree tries trigger triggered triggers trim trip true truncate truncated trusted try
    trying tuple tuples turn turns twice two txt type typed typeof types typically typing uid uint unable
    unavailable unchanged unchecked undefined under underlying unexpected unfortunately unicode union unique unit
    units unix unknown unless unlike unlock unnecessary unreachable unrecognized unsafe unset unstable unsupported
    until unused unwrap update updated updates updating upgrade upload upon upper uri url usable usage use used
    useful user username users uses using usr usually utc utf util utility utils uuid val valid validate validates
    validation validator value values var variable variables variant variants various vars vec vector verbose verify
    version versions very via view virtual visible visit void wait waiting waits walk want wants warn warning
    warnings was wasn watch way ways weak web website well were what whatever when whenever where whether which
    while white whitespace whole whose why wide width wiki wikipedia will win window windows wire with within
    without won word words work worker workers working works world would wrap wrapped wrapper wrapping wraps
    writable write writer writes writing written wrong www xml xxx year yellow yes yet yield yields you your zero
    zip zone
    """.split()  # noqa: SIM905
)
"""Words, in small letters, that take one token: the most widespread of the packages the weights were fitted on."""
