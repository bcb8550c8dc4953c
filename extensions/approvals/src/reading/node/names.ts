const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** Modules by the names under which code can load them. */
export const MODULES: ReadonlyMap<string, string> = new Map(
  ["fs", "path", "os"].flatMap((name) => [
    [name, name],
    [`node:${name}`, name],
  ]),
);

/** Functions with a literal path, of which they show the content. */
export const FILE_READERS = words("fs.readFileSync");

/** Functions with a literal path, of which they show names or properties. */
export const NAME_READERS = words("fs.existsSync fs.statSync fs.lstatSync fs.readdirSync");

/** Functions that only compute a value of their arguments, or print them. */
export const FUNCTIONS = words(
  "path.basename path.dirname path.extname path.join path.parse path.relative os.EOL os.platform os.arch JSON.parse JSON.stringify Object.keys Object.values Object.entries Math.max Math.min Math.round Math.floor Math.ceil Math.abs Math.trunc Math.sqrt Array.isArray Number.isInteger Number.parseInt Number.parseFloat Date.now console.log console.info console.error console.warn console.table console.dir process.stdout.write process.cwd process.uptime",
);

/** Functions without an object. */
export const GLOBAL_FUNCTIONS = words("Number String Boolean parseInt parseFloat isNaN");

/** Values of objects of node. */
export const CONSTANTS = words(
  "process.version process.versions process.platform process.arch process.pid os.EOL path.sep Math.PI Math.E Number.MAX_SAFE_INTEGER",
);

/** Classes without effects. */
export const CLASSES = words("Date Map Set");

/** Names with a meaning that code must not change, and objects with the members above. */
export const OBJECTS = words("JSON Object Math Array Number Date console process process.stdout");
export const PLAIN_NAMES = words("undefined NaN Infinity");
export const RESERVED = words(
  "require module exports global globalThis eval arguments Function String Boolean Map Set parseInt parseFloat isNaN undefined NaN Infinity JSON Object Math Array Number Date console process",
);

/** Methods without an effect on anything but their result. */
export const METHODS = words(
  "split trim trimStart trimEnd slice substring substr startsWith endsWith includes indexOf lastIndexOf toLowerCase toUpperCase match matchAll search test at charAt charCodeAt codePointAt concat flat keys values entries has get toString toFixed toISOString toLocaleString getTime getFullYear localeCompare isFile isDirectory isSymbolicLink toReversed",
);

/** Methods whose text makes the result longer, so that it is a literal. */
export const FILLING = words("join replace replaceAll padStart padEnd");

/** Methods that call a function for each entry. */
export const CALLING = words(
  "map filter forEach some every find findIndex findLast findLastIndex flatMap sort toSorted",
);

/** Properties through which code could reach more than values. */
export const HIDDEN = words(
  "constructor prototype __proto__ __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ caller callee mainModule",
);

/**
 * Keys that an object of the program may not have. A program calls or trusts some of them by itself; the others are the
 * names of the methods above, which would call a function under such a key. Computed keys are rejected as well.
 */
export const MEANINGFUL: ReadonlySet<string> = new Set([
  ...["toJSON", "valueOf", "then", "constructor", "prototype", "__proto__", "length", "set"],
  ...METHODS,
  ...FILLING,
  ...CALLING,
]);
