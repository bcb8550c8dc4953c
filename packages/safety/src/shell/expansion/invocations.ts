import type { ListedNames } from "../literal/literal-command.js";
import { NotExpandable } from "./expanded-command.js";
import { linesOf } from "./outputs.js";

/** Maximum number of times that a program is started for items. */
const MOST_INVOCATIONS = 64;
const PLACE = "{}";
const QUOTE = /['"\\]/;
const NUMBER = /^[1-9]\d{0,5}$/;

/** Command that `xargs` or `find` runs for the items of its input. */
export interface ItemCommand {
  /** Returns the words of each start for the text of the items. */
  invocations(text: string): readonly (readonly string[])[];
  /** File with the items instead of the input. */
  readonly file?: string;
  /** Words before the items, and how the items are separated, where one start gets all of them after its words. */
  readonly listed?: { readonly words: readonly string[]; readonly names: ListedNames };
}

/**
 * Reads the words of `xargs`.
 * @param words - words after the program
 * @throws NotExpandable when an option is not known here
 */
export function xargsCommand(words: readonly string[]): ItemCommand {
  let separator: "\0" | "\n" | undefined;
  let isEmptySkipped = false;
  let most: number | undefined;
  let place: string | undefined;
  let file: string | undefined;
  let at = 0;
  for (; words[at]?.startsWith("-") === true; at += 1) {
    const [, option, attached] =
      /^(-[0rtnIPLda]|--null|--no-run-if-empty|--arg-file=)(.*)$/su.exec(words[at] ?? "") ?? [];
    const value = () => {
      if (attached !== "") return `${attached}`;
      at += 1;
      return `${words[at]}`;
    };
    if (option === "-0" || option === "--null") separator = "\0";
    else if (option === "-r" || option === "--no-run-if-empty") isEmptySkipped = true;
    else if (option === "-n" || option === "-L") most = numberOf(value());
    else if (option === "-P") value();
    else if (option === "-a" || option === "--arg-file=") file = value();
    else if (option === "-I") place = value();
    else if (option === "-d" && /^(?:\\n|\n)$/.test(value())) separator = "\n";
    else throw new NotExpandable("xargs");
    const isFlag = option === "-0" || option === "-r";
    if (isFlag && attached !== undefined && attached !== "") throw new NotExpandable("xargs");
  }
  const command = at === words.length ? ["echo"] : words.slice(at);
  const names: ListedNames = {
    isNames: true,
    ...(separator === undefined ? {} : { separator }),
    ...(isEmptySkipped ? { needsOne: true } : {}),
  };
  return {
    ...(file === undefined ? {} : { file }),
    ...(most === undefined && place === undefined ? { listed: { words: command, names } } : {}),
    invocations(text) {
      const items = itemsOf(text, separator ?? (place === undefined ? undefined : "\n"));
      if (place !== undefined) {
        const insert = place;
        return limited(
          items.map((item) =>
            command.map((word) => word.replaceAll(insert, () => item.trimStart())),
          ),
        );
      }
      if (items.length === 0) return isEmptySkipped ? [] : [command];
      return limited(chunked(items, most ?? items.length).map((chunk) => [...command, ...chunk]));
    },
  };
}

/**
 * Reads the words of `find` that end with `-exec`.
 * @param words - words after the program
 * @returns undefined when they do not; otherwise the words that find the files, and the command
 * @throws NotExpandable when `-exec` is not the only action
 */
export function findCommand(
  words: readonly string[],
): { readonly find: readonly string[]; readonly command: ItemCommand } | undefined {
  const start = words.indexOf("-exec");
  if (start === -1) return undefined;
  const end = words.at(-1);
  const command = words.slice(start + 1, -1);
  const isOnce = end === "+";
  if (command.length === 0 || (end !== ";" && !isOnce) || command.includes("-exec")) {
    throw new NotExpandable("find -exec");
  }
  if (command.includes(";") || (isOnce && command.indexOf(PLACE) !== command.length - 1)) {
    throw new NotExpandable("find -exec");
  }
  const find = words.slice(0, start);
  return {
    find: [...find, "-print0"],
    command: {
      invocations(text) {
        const items = itemsOf(text, "\0");
        if (items.length === 0) return [];
        if (isOnce) return [[...command.slice(0, -1), ...items]];
        return limited(
          items.map((item) => command.map((word) => word.replaceAll(PLACE, () => item))),
        );
      },
    },
  };
}

function numberOf(value: string): number {
  if (!NUMBER.test(value)) throw new NotExpandable("xargs");
  return Number(value);
}

function itemsOf(text: string, separator: "\0" | "\n" | undefined): string[] {
  if (separator === "\0") return text.split("\0").filter((item) => item !== "");
  if (QUOTE.test(text)) throw new NotExpandable("quotes in items");
  if (separator === "\n") return linesOf(text).filter((line) => line.trim() !== "");
  return text.split(/[ \t\n]+/).filter((item) => item !== "");
}

function chunked(items: readonly string[], size: number): string[][] {
  const chunks: string[][] = [];
  for (let at = 0; at < items.length; at += size) chunks.push(items.slice(at, at + size));
  return chunks;
}

function limited<Item>(items: readonly Item[]): readonly Item[] {
  if (items.length > MOST_INVOCATIONS) throw new NotExpandable("too many starts");
  return items;
}
