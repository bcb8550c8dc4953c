import { LONG_WORD, WORD_REACH } from "../../detector.js";
import { ALONE } from "../word-boundary.js";

/**
 * Notation of the form of a secret: literal text, `{kind number}` for a number of characters of a
 * kind, `(one|other)` for alternatives, and a backslash before a literal `{`, `(`, `|`, `^` or `~`.
 *
 * A kind is a letter of {@link KINDS}, further characters in brackets, or both: `{w[=.]20}`. A
 * number is `20`, `20-40` or `20+`. `^` precedes the text by which the form is searched, when that
 * is not its beginning; `~` at the beginning means that letters or digits may precede the form.
 */
const KINDS: Readonly<Record<string, string>> = {
  d: "0-9",
  h: "0-9a-f",
  H: "0-9A-Fa-f",
  a: "0-9a-z",
  U: "0-9A-Z",
  A: "0-9A-Za-z",
  l: "A-Za-z",
  w: "0-9A-Za-z_-",
  b: "0-9A-Za-z+/",
};
const SAMPLES: Readonly<Record<string, string>> = {
  d: "1234567890",
  h: "0123456789abcdef",
  H: "0123456789abcdef",
  a: "abc123def456ghi789",
  U: "ABC123DEF456GHI789",
  l: "AbcDefGhi",
};
const MIXED = "Abc123Def456Ghi789";
const GROUP =
  /\{(?<kind>[a-zA-Z]?)(?:\[(?<others>(?:\\.|[^\]\\])+)\])?(?<least>\d+)(?:-(?<most>\d+)|(?<open>\+))?\}|\\(?<escaped>.)|(?<sign>[(|)^])|(?<plain>[^{}()|^\\])/gsu;
/** Number of literal characters that are specific enough to search for. */
const ENOUGH = 4;
/** Number of characters that an open number is taken for in distances. */
const OPEN = 16;
const SPECIAL = /[\\^$.*+?()[\]{}|/-]/g;

/** Compiled form of a secret. */
export interface SecretForm {
  /** Source of the part before the anchor; empty when the form begins with its anchor. */
  readonly before: string;
  /** Source of the form, or of its part from the anchor on. */
  readonly source: string;
  /** Text by which the form is searched, in the notation of `parseAnchor`. */
  readonly anchors: readonly string[];
  /** Shortest string that matches. */
  readonly sample: string;
  /** True when a long word begins near the anchor in every match. */
  readonly isWord: boolean;
}

interface Item {
  readonly source: string;
  readonly sample: string;
  /** Set for literal characters and for signs of the notation. */
  readonly literal?: string | undefined;
  readonly least: number;
  readonly most: number;
  readonly sign?: string | undefined;
  /** Class in brackets, for groups of characters. */
  readonly members?: string | undefined;
}

/** A form that ends with a limited number of characters is the end of its word. */
const END = "(?![A-Za-z0-9])";

/** Compiles a form. */
export function compileForm(form: string): SecretForm {
  const isFree = form.startsWith("~");
  const items = itemsOf(isFree ? form.slice(1) : form);
  const mark = items.findIndex(({ sign }) => sign === "^");
  const before = mark === -1 ? [] : items.slice(0, mark);
  const here = items.slice(mark + 1);
  const start = isFree ? "" : ALONE;
  const last = here.at(-1);
  const behind = last?.members !== undefined && !form.endsWith("+}") ? END : "";
  const source = sourceOf(here);
  return {
    before: mark === -1 ? "" : start + sourceOf(before),
    source: `${mark === -1 ? start : ""}${source}${behind}`,
    anchors: anchorsOf(here),
    sample: sampleOf([...before, ...here]),
    isWord: mark !== -1 || isWordNear(here),
  };
}

/**
 * Returns the source of the expression for a complete value.
 * @param form - form in the notation
 */
export function valueSource(form: string): string {
  return sourceOf(itemsOf(form));
}

/** Returns the shortest value of a form. */
export function valueSample(form: string): string {
  return sampleOf(itemsOf(form));
}

function itemsOf(form: string): Item[] {
  return [...form.matchAll(GROUP)].map(({ groups = {} }): Item => {
    const { kind = "", others = "", least, most, open, escaped, sign, plain } = groups;
    if (sign !== undefined) return { source: sign, sample: "", sign, least: 0, most: 0 };
    if (least === undefined) {
      const literal = `${escaped ?? plain}`;
      return {
        source: literal.replace(SPECIAL, "\\$&"),
        sample: literal,
        literal,
        least: 1,
        most: 1,
      };
    }
    const members = `[${(KINDS[kind] ?? "").replace(/-$/, "")}${others}${kind === "w" ? "-" : ""}]`;
    const count =
      open === undefined ? `{${least}${most === undefined ? "" : `,${most}`}}` : `{${least},}`;
    const letters = kind === "" ? others.replace(/\\(.)/g, "$1") : (SAMPLES[kind] ?? MIXED);
    const number = Number(least);
    const sample = letters.repeat(Math.ceil(number / letters.length)).slice(0, number);
    return {
      source: members + count,
      sample,
      members,
      least: number,
      most: open === undefined ? Number(most ?? least) : number + OPEN,
    };
  });
}

function sourceOf(items: readonly Item[]): string {
  const source = items.map((item) => (item.sign === "(" ? "(?:" : item.source)).join("");
  return items.some(({ sign }) => sign === "|") ? `(?:${source})` : source;
}

/** Returns the shortest string, with the first of all alternatives. */
function sampleOf(items: readonly Item[]): string {
  let sample = "";
  let skipped = 0;
  let depth = 0;
  for (const item of items) {
    if (item.sign === "(") depth += 1;
    else if (item.sign === ")") {
      if (skipped === depth) skipped = 0;
      depth -= 1;
    } else if (item.sign === "|") skipped = skipped === 0 ? depth : skipped;
    else if (skipped === 0) sample += item.sample;
  }
  return sample;
}

/** Returns the beginnings of a form: literals, and a class where the literals alone are too short. */
function anchorsOf(items: readonly Item[]): string[] {
  return [...new Set(beginnings(items, 0).map(({ source }) => source))];
}

interface Beginning {
  readonly source: string;
  readonly length: number;
  /** True when nothing more can be added. */
  readonly isClosed: boolean;
}

/** Reads alternatives up to the end of their group; each continues behind the group. */
function beginnings(items: readonly Item[], from: number): Beginning[] {
  const ends = (at: number): number => {
    let depth = 0;
    for (let index = at; index < items.length; index += 1) {
      const sign = items[index]?.sign;
      if (sign === "(") depth += 1;
      if (sign === ")") {
        if (depth === 0) return index;
        depth -= 1;
      }
    }
    return items.length;
  };
  const read = (at: number, begun: Beginning): Beginning[] => {
    const item = items[at];
    if (item === undefined || begun.isClosed) return [begun];
    if (item.sign === "|") return read(ends(at) + 1, begun);
    if (item.sign === ")") return read(at + 1, begun);
    if (item.sign === "(") {
      return alternativesFrom(items, at).flatMap((start) => read(start, begun));
    }
    if (item.literal !== undefined) {
      return read(at + 1, {
        source: begun.source + item.source,
        length: begun.length + 1,
        isClosed: false,
      });
    }
    const isSingle = /\{1\}$/.test(item.source);
    if (isSingle) {
      const source = `${begun.source}${item.members}`;
      return read(at + 1, { source, length: begun.length + 1, isClosed: false });
    }
    const added = Math.max(0, Math.min(item.least, ENOUGH - begun.length));
    return [
      {
        source: `${begun.source}${`${item.members}`.repeat(added)}`,
        length: begun.length + added,
        isClosed: true,
      },
    ];
  };
  const top = alternativesFrom(items, from - 1).filter((start) => start < items.length);
  return top.flatMap((start) => read(start, { source: "", length: 0, isClosed: false }));
}

/** Returns where each alternative of a group begins; `open` is the index of its bracket. */
function alternativesFrom(items: readonly Item[], open: number): number[] {
  const starts = [open + 1];
  let depth = 0;
  for (let index = open + 1; index < items.length; index += 1) {
    const sign = items[index]?.sign;
    if (sign === "(") depth += 1;
    if (sign === ")") {
      if (depth === 0) break;
      depth -= 1;
    }
    if (sign === "|" && depth === 0) starts.push(index + 1);
  }
  return starts;
}

const WORD_ONLY = /^\[[0-9A-Za-z_\\-]+\]/;
const WORD_LITERAL = /^[\w-]$/;
/** Number of characters among which a long word is found even when some are `+`, `/`, `=` or `.`. */
const LONG_GROUP = 32;

/**
 * Returns true when a long word begins near the anchor in every match (see
 * `AnchoredDetector.longWord`): a long group of characters, or literals and groups in a row.
 */
function isWordNear(items: readonly Item[]): boolean {
  let depth = 0;
  let distance = 0;
  let word = 0;
  let isInOneWord = true;
  for (const { members, literal, sign, least, most } of items) {
    if (sign === "(") depth += 1;
    if (sign === ")") depth -= 1;
    if (sign !== undefined) continue;
    const isWord =
      members === undefined ? WORD_LITERAL.test(`${literal}`) : WORD_ONLY.test(members);
    word = isWord ? word + least : 0;
    if (depth === 0 && (word >= LONG_WORD || (members !== undefined && least >= LONG_GROUP))) {
      return distance <= WORD_REACH / 2 || (isWord && distance <= WORD_REACH);
    }
    isInOneWord &&= isWord;
    distance += most;
  }
  return isInOneWord;
}
