import { fields, readServer } from "../settings.js";
import type { FoundServer, ImportPlace, UnusableServer, WrittenEntry } from "./found-server.js";
import { translated, type VariableForm } from "./placeholders.js";

/** Keys that every program gives the same meaning. */
const KNOWN = new Set(["type", "command", "args", "env", "cwd", "url", "headers"]);
/** Keys that say whether a server is used, or that only describe it. */
const SILENT = new Set(["enabled", "disabled", "name", "description", "gallery", "version", "dev"]);

/**
 * Reads the map of servers of a program.
 * @param section - servers by name
 * @param place - home, workspace and environment
 */
export function readEntries(
  section: unknown,
  form: VariableForm,
  place: ImportPlace,
): readonly (FoundServer | UnusableServer)[] {
  return Object.entries(fields(section)).map(([name, entry]) =>
    readEntry(name, fields(entry), form, place),
  );
}

function readEntry(
  given: string,
  entry: WrittenEntry,
  form: VariableForm,
  place: ImportPlace,
): FoundServer | UnusableServer {
  const { enabled, disabled } = entry;
  const notes: string[] = [];
  let unknown: string | undefined;
  const text = (value: unknown): string => {
    const read = translated(String(value), form, place);
    if (read === undefined) unknown ??= String(value);
    notes.push(...(read?.notes ?? []));
    return read?.text ?? String(value);
  };
  const texts = (value: unknown) =>
    Object.fromEntries(Object.entries(fields(value)).map(([key, each]) => [key, text(each)]));
  const written: Record<string, unknown> = entry.type === "sse" ? { type: "sse" } : {};
  if (entry.command !== undefined) written.command = text(entry.command);
  if (Array.isArray(entry.args) && entry.args.length > 0) written.args = entry.args.map(text);
  if (Object.keys(fields(entry.env)).length > 0) written.env = texts(entry.env);
  if (entry.cwd !== undefined) written.cwd = text(entry.cwd);
  if (entry.url !== undefined) written.url = text(entry.url);
  if (Object.keys(fields(entry.headers)).length > 0) written.headers = texts(entry.headers);
  if (enabled === false || disabled === true) written.enabled = false;
  notes.push(...settingsLost(entry));
  return usable(given, written, notes, unknown);
}

/**
 * Returns a server if its entry can be used, and the reason if not.
 * @param given - name in the file
 * @param entry - entry for the configuration
 * @param notes - settings that it does not keep
 * @param unknown - value with a variable that means nothing here
 */
export function usable(
  given: string,
  entry: WrittenEntry,
  notes: readonly string[],
  unknown?: string,
): FoundServer | UnusableServer {
  if (unknown !== undefined) {
    return { name: given, problem: `has a variable that is not known here: ${unknown}` };
  }
  const name = [...given.replaceAll(/\p{Cc}/gu, " ").trim()].slice(0, 64).join("");
  const read = readServer(name, { ...entry, enabled: true });
  if (name === "") return { name: given, problem: "has no name" };
  return "problem" in read ? { name, problem: read.problem } : { name, entry, notes };
}

function settingsLost(entry: WrittenEntry): readonly string[] {
  return Object.entries(entry)
    .filter(([key, value]) => !KNOWN.has(key) && !SILENT.has(key) && !isNothing(value))
    .map(([key]) => `its setting ${key} is not taken over`);
}

function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
