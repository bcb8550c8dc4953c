import { createHash } from "node:crypto";
import { startOfText } from "@openclaw/plugin-sdk/kit";

/** Longest name of a tool that every provider of models accepts. */
const MAXIMUM_NAME = 64;
const MAXIMUM_PREFIX = 30;
const HASH_LENGTH = 8;

/**
 * Returns the part of tool names that stands for each server: at most 30 characters of `A-Z a-z 0-9 _ -`, without `__`, which
 * separates it from the tool. Names that would become equal get a part of their hash, whatever their order.
 * @param servers - names of all servers
 */
export function serverPrefixes(servers: readonly string[]): ReadonlyMap<string, string> {
  return distinct(servers, MAXIMUM_PREFIX, (name) => name.replace(/_{2,}/g, "_"));
}

/**
 * Returns the names by which models call the tools of a server, `<prefix>__<tool>` with at most 64 characters (EXT-011). A
 * name that had to be changed and is then equal to another, and a name that is too long, ends with a part of its hash, so
 * that each tool keeps its name whatever the order of the list.
 * @param prefix - prefix of the server
 * @param tools - names as the server gives them
 */
export function toolNames(prefix: string, tools: readonly string[]): ReadonlyMap<string, string> {
  const room = MAXIMUM_NAME - prefix.length - 2;
  const names = distinct(tools, room, (name) => name);
  return new Map([...names].map(([tool, name]) => [tool, `${prefix}__${name}`]));
}

function distinct(
  names: readonly string[],
  maximum: number,
  tidy: (name: string) => string,
): ReadonlyMap<string, string> {
  const plain = (name: string) => tidy(name.replace(/[^A-Za-z0-9_-]/g, "_"));
  const counts = new Map<string, number>();
  for (const name of new Set(names)) {
    const key = plain(name).toLowerCase();
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return new Map(
    names.map((name) => {
      const short = plain(name);
      const isShared = (counts.get(short.toLowerCase()) ?? 0) > 1 && short !== name;
      if (short !== "" && short.length <= maximum && !isShared) return [name, short];
      const hash = createHash("sha256").update(name).digest("hex").slice(0, HASH_LENGTH);
      return [name, `${startOfText(short, maximum - HASH_LENGTH - 1)}_${hash}`];
    }),
  );
}
