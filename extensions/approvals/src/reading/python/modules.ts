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
    dataclasses: "asdict astuple field",
    datetime:
      "date date.fromisoformat date.today datetime datetime.fromisoformat datetime.fromtimestamp datetime.now datetime.strptime datetime.utcnow timedelta",
    difflib: "unified_diff get_close_matches",
    functools: "",
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
    typing: "",
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
  "math.e math.pi os.linesep os.name os.sep re.DOTALL re.I re.IGNORECASE re.M re.MULTILINE re.S re.VERBOSE re.X string.ascii_letters string.ascii_lowercase string.ascii_uppercase string.digits string.punctuation sys.argv sys.byteorder sys.executable sys.maxsize sys.platform sys.stderr sys.stdin sys.stdout sys.version sys.version_info datetime.timezone.utc ast.AsyncFunctionDef ast.ClassDef ast.FunctionDef ast.Import ast.ImportFrom ast.Name json.JSONDecodeError json.decoder.JSONDecodeError tomllib.TOMLDecodeError",
);

/** Modules that a program may import; each is in the standard library, and imports run nothing of the workspace. */
export const MODULES: ReadonlySet<string> = new Set([
  ...FUNCTIONS.keys(),
  "__future__",
  "glob",
  "pathlib",
]);

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

/**
 * Attributes of the values that a program can have, beyond those above. A program cannot give an attribute of its classes
 * such a name, because it would have another meaning for other values.
 */
export const RESERVED_ATTRIBUTES: ReadonlySet<string> = words(
  "absolute add_note anchor as_integer_ratio as_uri astimezone bit_count bit_length buffer c_contiguous cast chmod clear closed closefd combine contiguous copy_into cwd default_factory deleter detach difference_update drive endpos expand expanduser fdel fget fileno flags flush format format_map from_bytes from_uri fromhex fromisocalendar fromisoformat fromkeys fromordinal fromtimestamp fset full_match getter glob groupindex hardlink_to hex home indices info intersection_update is_absolute is_block_device is_char_device is_fifo is_integer is_junction is_mount is_relative_to is_reserved is_socket is_symlink isatty itemsize iterdir joinpath lastgroup lastindex lchmod line_buffering link_to lstat maketrans max min mkdir mode move move_into move_to_end mro n_fields n_sequence_fields n_unnamed_fields nbytes ndim newlines now obj open owner parents peek popitem raw re read1 read_bytes read_text readable readall reader readinto readinto1 readlink readonly reconfigure regs release remove rename replace resolution resolve rglob rmdir root samefile scanner seek seekable send setter shape st_atime st_atime_ns st_blksize st_blocks st_ctime st_ctime_ns st_dev st_gid st_ino st_mode st_mtime_ns st_nlink st_rdev st_uid strides string strptime subn suboffsets symlink_to symmetric_difference_update tell throw time timetuple to_bytes tobytes today tolist toreadonly touch translate truncate unlink utcfromtimestamp utcnow utctimetuple walk with_name with_segments with_stem with_traceback writable write write_bytes write_text write_through writelines",
);

/** Names that only annotations use. */
export const TYPES: ReadonlySet<string> = words(
  "Any None bool bytes dict float int list object set str tuple type",
);

/** Decorators that only add methods without effects, or keep results. */
export const DECORATORS: ReadonlySet<string> = words(
  "dataclasses.dataclass functools.cache functools.lru_cache property staticmethod",
);

/** Methods with underscores that a class may define. */
export const SPECIAL_METHODS: ReadonlySet<string> = words(
  "__bool__ __contains__ __enter__ __eq__ __exit__ __getitem__ __init__ __iter__ __len__ __lt__ __next__ __post_init__ __repr__ __str__",
);
