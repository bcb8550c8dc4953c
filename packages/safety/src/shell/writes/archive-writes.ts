import { GivenWords, type Words } from "./given-words.js";
import { files, UNKNOWN_FILES, type WrittenPath } from "./written-path.js";

type Writer = (words: Words, name: string) => readonly WrittenPath[];

const UNKNOWN = [UNKNOWN_FILES];
const SUFFIX = /\.(?:gz|bz2|xz|lzma|zst|lz4|br|Z)$/i;

const tar: Writer = (words) => {
  // The first word may be a cluster without a dash.
  const [first, ...rest] = words;
  const spelled = first !== undefined && /^[a-zA-Z]+$/.test(first) ? [`-${first}`, ...rest] : words;
  const given = new GivenWords(spelled, {
    letters: "fCbTXIgHKNV",
    names: [
      "--file",
      "--directory",
      "--exclude",
      "--files-from",
      "--use-compress-program",
      "--transform",
      "--strip-components",
      "--index-file",
    ],
  });
  const listed = files(given.values("--index-file"));
  if (given.has("-x", "--extract", "--get")) {
    return given.has("-O", "--to-stdout") ? [] : UNKNOWN;
  }
  const isWritten = given.has(
    "-c",
    "--create",
    "-r",
    "--append",
    "-u",
    "--update",
    "-A",
    "--concatenate",
    "--catenate",
  );
  return [...listed, ...(isWritten ? files(given.values("-f", "--file")) : [])];
};

/** Moving files into an archive removes them. */
const zip: Writer = (words) => {
  const given = new GivenWords(words, { letters: "bntxi" });
  return files(given.has("-m", "--move") ? given.operands : given.operands.slice(0, 1));
};

/** Compressors replace each file by one with a suffix or without it. */
const compress: Writer = (words) => {
  const given = new GivenWords(words, { letters: "SbBo" });
  if (given.has("-c", "--stdout", "--to-stdout", "-l", "--list", "-t", "--test")) return [];
  const named = given.operands.flatMap((path) => [path, path?.replace(SUFFIX, "")]);
  return files([...named, ...given.values("-o")]);
};

const unpacks =
  (...reads: readonly string[]): Writer =>
  (words) =>
    new GivenWords(words, { letters: "dxP" }).has(...reads) ? [] : UNKNOWN;

const sevenZip: Writer = ([action, ...words]) => {
  if (/^[xe]$/.test(action ?? "x")) return new GivenWords(words).has("-so") ? [] : UNKNOWN;
  return /^[audn]/.test(action ?? "") ? files(new GivenWords(words).operands.slice(0, 1)) : [];
};

const byMode =
  (extracts: RegExp, creates: RegExp): Writer =>
  ([mode = "", ...words]) =>
    extracts.test(mode)
      ? UNKNOWN
      : creates.test(mode)
        ? files(new GivenWords(words).operands.slice(0, 1))
        : [];

const copyFiles: Writer = (words) => {
  const given = new GivenWords(words, { letters: "FIOEDHMC" });
  if (given.has("-i", "--extract", "-p", "--pass-through")) {
    return given.has("-t", "--list") ? [] : UNKNOWN;
  }
  return files(given.values("-O", "-F"));
};

/** Programs that create or unpack archives; the names of files in an archive are known only at run time. */
export const writtenByExtraction: Readonly<Record<string, Writer>> = {
  tar,
  bsdtar: tar,
  unzip: unpacks("-l", "-p", "-t", "-v", "-Z", "-c", "-z"),
  zip,
  cpio: copyFiles,
  pax: (words) => (new GivenWords(words).has("-r") ? UNKNOWN : []),
  unrar: byMode(/^[xe]/, /^$/),
  ar: byMode(/^-?[a-zA-Z]*x/, /^-?[a-zA-Z]*[qr]/),
  jar: byMode(/^-?-?[a-zA-Z]*x/, /^$/),
  "7z": sevenZip,
  "7za": sevenZip,
  "7zr": sevenZip,
  gzip: compress,
  gunzip: compress,
  bzip2: compress,
  bunzip2: compress,
  xz: compress,
  unxz: compress,
  zstd: compress,
  unzstd: compress,
  lz4: compress,
  unlz4: compress,
  compress,
  uncompress: compress,
};
