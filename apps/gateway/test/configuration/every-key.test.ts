import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ConfigurationError, configurationSchema } from "@openclaw/configuration";
import { temporaryFolder } from "@openclaw/foundation/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { patchCommand, setCommand } from "../../src/configuration/change-commands.js";
import { bundledExtensions } from "../../src/installation.js";
import type { CommandContext } from "../../src/shell/context.js";
import { UsageError } from "../../src/shell/usage-error.js";
import { createScreen } from "../support/screen.js";

/** The part of a JSON Schema that wrong values are made from. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly "x-key"?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
}

/** A change that must be rejected. */
interface WrongChange {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Names below maps, where any name would not do. */
const NAMES: Readonly<Record<string, string>> = {
  agents: "clerk",
  channels: "telegram",
  "plugins.entries": "memory",
};

/** Keys that take any value, with the reason. */
const OPEN_KEYS: Readonly<Record<string, string>> = {};

const SAMPLES: readonly (readonly [type: string, value: unknown])[] = [
  ["boolean", true],
  ["string", "a text"],
  ["number", 3.5],
  ["array", [[]]],
  ["object", { noSuchKey: [[]] }],
];

/** Types that a schema accepts; undefined when it accepts every type. */
function typesOf({ type, enum: words, const: only, anyOf, properties, items }: Schema) {
  const found = new Set<string>();
  const add = (schema: Schema) => {
    const inner = typesOf(schema);
    if (inner === undefined) return false;
    for (const each of inner) found.add(each);
    return true;
  };
  if (anyOf !== undefined) return anyOf.every(add) ? found : undefined;
  for (const word of words ?? (only === undefined ? [] : [only])) {
    found.add(typeof word);
  }
  for (const each of [type ?? []].flat()) found.add(each === "integer" ? "number" : String(each));
  if (properties !== undefined) found.add("object");
  if (items !== undefined) found.add("array");
  return found.size === 0 ? undefined : found;
}

/** Values that a schema does not accept: of another type, and outside its range. */
function wrongValues(schema: Schema): unknown[] {
  const types = typesOf(schema);
  if (types === undefined) return [];
  const wrong = SAMPLES.filter(([type]) => !types.has(type))
    .map(([, value]) => value)
    .slice(-1);
  const { minimum, maximum, minLength, pattern, enum: words, type } = schema;
  if (minimum !== undefined) wrong.push(minimum - 1);
  if (maximum !== undefined) wrong.push(maximum + 1);
  if (type === "integer") wrong.push((minimum ?? 0) + 0.5);
  if (minLength !== undefined && minLength > 0) wrong.push("");
  if (words !== undefined) wrong.push("noSuchWord");
  if (pattern !== undefined) {
    const texts = ["", " ", "\u0000", "no such text!"];
    wrong.push(...texts.filter((text) => !new RegExp(pattern).test(text)));
  }
  return wrong;
}

/** Walks a schema: every key with each of its wrong values, and an unknown key in each closed object. */
function wrongChanges(schema: Schema, path: readonly string[], open: string[]): WrongChange[] {
  const own = path.length === 0 ? [] : wrongValues(schema).map((value) => ({ path, value }));
  const items = schema.items === undefined ? [] : wrongValues(schema.items);
  own.push(...items.map((value) => ({ path, value: [value] })));
  const { properties = {}, patternProperties = {}, additionalProperties, anyOf = [] } = schema;
  if (path.length > 0 && typesOf(schema) === undefined) open.push(path.join("."));
  const children = Object.entries(properties).map(([key, child]) => [key, child] as const);
  const maps = Object.values(patternProperties);
  if (typeof additionalProperties === "object") maps.push(additionalProperties);
  const name = NAMES[path.join(".")] ?? "sample";
  for (const map of maps) children.push([name, map]);
  const below = children.flatMap(([key, child]) => wrongChanges(child, [...path, key], open));
  const unknown =
    additionalProperties === false ? [{ path: [...path, "noSuchKey"], value: true }] : [];
  const alternatives = anyOf.flatMap((each) =>
    wrongChanges({ properties: each.properties ?? {} }, path, open).filter(
      (change) => change.path.length > path.length,
    ),
  );
  return [...own, ...below, ...unknown, ...alternatives];
}

function place() {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const file = join(folder.path, "openclaw.json");
  const { terminal } = createScreen();
  const environment = { OPENCLAW_STATE_DIR: folder.path, HOME: folder.path };
  const context: CommandContext = { terminal, environment };
  return { file, context };
}

/** Returns why a change is rejected; undefined when it is made. */
async function rejection(change: () => Promise<unknown>): Promise<Error | undefined> {
  try {
    await change();
    return undefined;
  } catch (error) {
    if (ConfigurationError.isInstance(error) || error instanceof UsageError) return error;
    throw error;
  }
}

/** Makes each change, and returns those that were made, or rejected for another reason. */
async function accepted(changes: readonly WrongChange[], prefix: readonly string[] = []) {
  const { file, context } = place();
  const wrong: string[] = [];
  for (const { path, value } of changes) {
    const full = [...prefix, ...path];
    const key = full.map((part) => `["${part}"]`).join("");
    const patch = full.reduceRight<unknown>((inner, part) => ({ [part]: inner }), value);
    const isUnknown = path.at(-1) === "noSuchKey";
    const error = await rejection(() =>
      isUnknown
        ? setCommand(key, JSON.stringify(value), {}, context)
        : patchCommand(JSON.stringify(patch), {}, context),
    );
    const named = path.filter((part) => !/^\d+$/.test(part)).at(-1) ?? "";
    if (error === undefined || !error.message.includes(named)) {
      wrong.push(`${full.join(".")} = ${JSON.stringify(value)}: ${error?.message ?? "accepted"}`);
    }
    if (!existsSync(file)) continue;
    wrong.push(`${full.join(".")}: the file was written`);
    rmSync(file);
  }
  return wrong;
}

describe("a bad change", () => {
  it("[GW-781] of any key of the host is rejected with its path, and nothing is written", async () => {
    const open: string[] = [];
    const changes = wrongChanges(configurationSchema as unknown as Schema, [], open);
    expect(changes.length).toBeGreaterThan(800);
    expect(open.sort()).toEqual(Object.keys(OPEN_KEYS).sort());
    expect(await accepted(changes)).toEqual([]);
  }, 120_000);

  it("[GW-781] of any setting of a bundled plugin is rejected with its path, and nothing is written", async () => {
    for (const folder of bundledExtensions()) {
      const { id, configSchema } = manifestAt(folder);
      const changes = wrongChanges(configSchema, [], []);
      expect(await accepted(changes, ["plugins", "entries", id, "config"])).toEqual([]);
    }
  }, 120_000);

  it("[GW-781] of any setting of a bundled channel is rejected with its path, and nothing is written", async () => {
    const names: string[] = [];
    for (const folder of bundledExtensions()) {
      const { channelSettings = {} } = manifestAt(folder);
      for (const [name, schema] of Object.entries(channelSettings)) {
        if (name === "*") continue;
        names.push(name);
        expect(await accepted(wrongChanges(schema, [], []), ["channels", name])).toEqual([]);
      }
    }
    expect(names.sort()).toEqual(["discord", "http", "slack", "teams", "telegram", "whatsapp"]);
  }, 120_000);
});

interface Manifest {
  readonly id: string;
  readonly configSchema: Schema;
  readonly channelSettings?: Readonly<Record<string, Schema>>;
}

function manifestAt(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "openclaw.plugin.json"), "utf8")) as Manifest;
}
