"""Names that so many functions use that sharing one says little: by how often they occur in public code."""

from __future__ import annotations

FREQUENT = frozenset(
    """
    length type name value isinstance get join append len push not set path error Object string Error add must
    object map Array function format replace TypeError ValueError key split options message slice isArray call for
    items str keys list self size put toString String equals isEmpty contains Println Printf Errorf err to_s unwrap
    Some Ok Err Vec to_string clone iter collect isset count array Add Count ToString List Console WriteLine std
    vector begin each result data id index
    """.split()
)
COMMON = frozenset(
    """
    write callback parse the Math forEach has start getattr version test loc code includes apply pop root config
    file source max update Invalid and with close sorted args indexOf values read errors number concat resolve
    startswith range Cannot context create method text option filter expect strip NotImplementedError found open
    enumerate cannot line module node min group subscribe complete metadata invalid this copy any does util body all
    only lower Exception fail encoding find tuple from msg required assign extend hasattr but Set debug nodes
    prototype done OSError build stdout argument buffer style emit check expected boolean decode time have __name__
    params Type cast dependencies utf Date clear url headers search modules help app Content Map Number input field
    core request empty stringify send endswith remove one The files prefix Expected description command default
    KeyError parser content sort dirname _state AttributeError unknown indent JSON valid cls trim Unknown flush
    Promise are dest constructor bytes stderr toLowerCase use raw some optional was env on column encode label
    closed kind flags Buffer reject supported end rule status arguments response accept cache should types output
    names mode exit schema comment stream after basename targets compile zip plugin filename validate pos startsWith
    shift exist bind RangeError item hasOwnProperty reverse Key non import isNaN return Name run every tool got
    environ json action offset RuntimeError dict before defineProperty stack choices imported project color strict
    now abs info normalize children charCodeAt target can Path directory init property enabled which instead Could
    move exists Instance width process NaN state URL table class report isFunction true right splitlines utf8
    Boolean This defined sep contains package protocol failed skip insert parameters digest you configuration local
    already transform header alias current called warn exception location date render hashCode getName getId
    getValue getKey getMessage println printf fprintf sprintf strlen strcmp memcpy memset malloc free sizeof Integer
    Long Double IllegalArgumentException IllegalStateException RuntimeException IOException ArrayList HashMap Arrays
    Collections Objects Optional getOrDefault containsKey valueOf parseInt fmt Sprintf Fprintf Println Error New
    Close Write Read String Len Background strings strconv os io as_str as_ref into iter_mut into_iter push_str
    is_empty is_some is_none map_err ok_or and_then Result Option Box Arc Rc to_owned as_mut len push_back
    emplace_back size_t c_str back front make_shared to_i to_sym to_h nil? empty? present? blank? raise puts
    respond_to? each_with_index merge dig fetch select strpos str_replace in_array is_array is_string implode
    explode array_key_exists array_map array_merge count InvalidArgumentException ArgumentException
    ArgumentNullException InvalidOperationException Task FromResult Where Select FirstOrDefault ToList Any
    IsNullOrEmpty Format Length Dictionary ContainsKey TryGetValue Guid DateTime mutableListOf listOf mapOf let also
    takeIf isNotEmpty orEmpty requireNotNull
    """.split()
)
