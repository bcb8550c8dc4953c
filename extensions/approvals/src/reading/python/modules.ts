const words = (text: string) => new Set(text.split(" "));

/**
 * Modules of the standard library with the functions that only compute values of their arguments. Functions whose
 * arguments name files are read by {@link FOLDER_READERS} and by the reader of expressions.
 */
export const FUNCTIONS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    ast: "dump literal_eval parse unparse walk get_docstring",
    base64: "b64decode b64encode",
    collections: "Counter OrderedDict defaultdict",
    csv: "DictReader reader",
    datetime:
      "date date.fromisoformat date.today datetime datetime.fromisoformat datetime.fromtimestamp datetime.now datetime.strptime datetime.utcnow timedelta",
    difflib: "unified_diff get_close_matches",
    hashlib: "md5 sha1 sha256 sha512",
    html: "escape unescape",
    itertools: "chain chain.from_iterable groupby zip_longest",
    json: "dumps load loads",
    math: "ceil floor gcd log log10 log2 sqrt",
    os: "getcwd",
    "os.path": "basename dirname join normpath split splitext",
    platform: "machine python_version system",
    pprint: "pformat pprint",
    re: "compile escape findall finditer fullmatch match search split sub",
    statistics: "mean median stdev",
    string: "",
    sys: "exit",
    textwrap: "dedent indent shorten wrap",
    time: "strftime time",
    tomllib: "load loads",
    "urllib.parse": "parse_qs quote unquote urlparse",
    uuid: "uuid4",
  }).map(([name, functions]) => [name, words(functions)]),
);

/** Functions with a path of the workspace, of which they show names or properties. */
export const FOLDER_READERS: ReadonlySet<string> = words(
  "os.listdir os.walk os.path.exists os.path.getmtime os.path.getsize os.path.isdir os.path.isfile pathlib.Path glob.glob glob.iglob",
);

/** Constants of modules. */
export const CONSTANTS: ReadonlySet<string> = words(
  "math.e math.pi os.linesep os.name os.sep re.DOTALL re.I re.IGNORECASE re.M re.MULTILINE re.S re.VERBOSE re.X string.ascii_letters string.ascii_lowercase string.ascii_uppercase string.digits string.punctuation sys.argv sys.byteorder sys.executable sys.maxsize sys.platform sys.stderr sys.stdin sys.stdout sys.version sys.version_info datetime.timezone.utc ast.AsyncFunctionDef ast.ClassDef ast.FunctionDef ast.Import ast.ImportFrom ast.Name json.JSONDecodeError json.decoder.JSONDecodeError",
);

/** Modules that a program may import; each is in the standard library, and imports run nothing of the workspace. */
export const MODULES: ReadonlySet<string> = new Set([...FUNCTIONS.keys(), "glob", "pathlib"]);

/** Functions without a module, of which none runs other code or opens a file. */
export const BUILT_INS: ReadonlySet<string> = words(
  "abs all any bin bool chr dict divmod enumerate exit filter float frozenset hex int isinstance len list map max min next ord print range repr reversed round set sorted str sum tuple zip",
);

/** Built-in functions that may also be values, for example `key=len`. */
export const PASSED_BUILT_INS: ReadonlySet<string> = words(
  "bool dict float int len list max min repr set sorted str sum tuple",
);

/** Classes that a program may name after `except` or in `isinstance`. */
export const EXCEPTIONS: ReadonlySet<string> = words(
  "AttributeError EOFError Exception FileNotFoundError ImportError IndexError KeyError OSError RuntimeError StopIteration SyntaxError TypeError UnicodeDecodeError ValueError",
);

/** Methods that have no effect on anything but their own value, whatever its type is. */
export const METHODS: ReadonlySet<string> = words(
  "add append as_posix capitalize casefold close copy count date decode discard elements encode endswith exists extend find finditer findall fullmatch get group groupdict groups hexdigest index insert is_dir is_file isalnum isalpha isdigit isformat isidentifier islower isnumeric isoformat isspace istitle isupper items join keys lower lstrip match most_common partition pop read readline readlines relative_to removeprefix removesuffix rfind rindex rpartition rsplit rstrip search setdefault sort span split splitlines start startswith stat strftime strip sub swapcase timestamp title total_seconds update upper values weekday with_suffix end reverse",
);

/** Attributes that only show a value. */
export const ATTRIBUTES: ReadonlySet<string> = words(
  "arg args attr body day days elts fieldnames func hostname hour id keywords level lineno major microsecond micro minor minute module month name names netloc parent parts path pattern query scheme second seconds st_mtime st_size stem suffix suffixes targets value year",
);
