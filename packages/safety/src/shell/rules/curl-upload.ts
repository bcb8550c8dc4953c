/** Letters of curl's options that take a value. */
const VALUE_LETTERS = "AbcCdDeEFhHKmoPQrtTuUwxXyYz";
const DATA = new Set(["d", "data", "data-ascii", "data-binary", "json"]);
const ENCODED_DATA = "data-urlencode";
const FORM = new Set(["F", "form"]);
const UPLOAD = new Set(["T", "upload-file"]);

/**
 * Source of the data that an option of curl sends: a file, standard input, text, or a word computed
 * at run time.
 */
export type Upload = "file" | "input" | "text" | "computed";

/**
 * Returns the sources of the data that the options of curl send.
 * @param words - words after curl; undefined where computed at run time
 */
export function curlUploads(words: readonly (string | undefined)[]): Upload[] {
  return words.flatMap((word, index) => {
    const option = word === undefined ? undefined : optionIn(word);
    if (option === undefined) return [];
    const upload = uploadOf(option.name, option.attached ?? words[index + 1]);
    return upload === undefined ? [] : [upload];
  });
}

/** Returns the option of a word that takes a value, with the value if it is attached. */
function optionIn(word: string): { name: string; attached: string | undefined } | undefined {
  if (word.startsWith("--")) {
    const [name = "", ...rest] = word.slice(2).split("=");
    return { name, attached: rest.length === 0 ? undefined : rest.join("=") };
  }
  if (!word.startsWith("-")) return undefined;
  const place = [...word].findIndex((letter, index) => index > 0 && VALUE_LETTERS.includes(letter));
  if (place === -1) return undefined;
  const attached = word.slice(place + 1);
  return { name: word.charAt(place), attached: attached === "" ? undefined : attached };
}

function uploadOf(name: string, value: string | undefined): Upload | undefined {
  const isData = DATA.has(name) || name === ENCODED_DATA;
  if (!isData && !FORM.has(name) && !UPLOAD.has(name)) return undefined;
  if (value === undefined) return "computed";
  if (UPLOAD.has(name)) return value === "-" || value === "." ? "input" : "file";
  const marked = FORM.has(name)
    ? /^[^=]*=[@<](.+)$/s.exec(value)
    : (name === ENCODED_DATA ? /^[^=@]*@(.+)$/s : /^@(.+)$/s).exec(value);
  if (marked === null) return "text";
  return marked[1] === "-" ? "input" : "file";
}
