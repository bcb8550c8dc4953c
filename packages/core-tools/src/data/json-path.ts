import { nearestNames } from "@openclaw/foundation";
import type { JsonValue } from "@openclaw/plugin-sdk/tools";
import { ToolRefusalError } from "../errors.js";

const ARRAY_INDEX = /^(?:0|[1-9]\d*)$/;
const DOTTED_STEP = /\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|\.?([^.[\]]+)/y;

/**
 * Returns the value at a path inside a JSON document. Only own properties count, so `constructor` is a name
 * like any other.
 * @param document - parsed JSON
 * @param path - a JSON Pointer (`/items/0/name`, RFC 6901), or a dotted path (`items[0].name`); empty for
 * the whole document
 * @throws ToolRefusalError with `invalid-value` for a path that cannot be read, with `not-found` when
 * nothing is there, naming what is
 */
export function valueAtPlace(document: JsonValue, path: string): JsonValue {
  const steps = path === "" || path.startsWith("/") ? pointerSteps(path) : dottedSteps(path);
  let value = document;
  steps.forEach((step, index) => {
    value = member(value, step, () => placeName(steps.slice(0, index)));
  });
  return value;
}

function pointerSteps(pointer: string): string[] {
  if (/~(?![01])/.test(pointer)) {
    throw unreadable(pointer, "in a JSON Pointer ~ is written ~0 and / inside a name ~1");
  }
  const steps = pointer.split("/").slice(1);
  return steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function dottedSteps(path: string): string[] {
  // Several query languages write `$` for the document itself.
  const start = /^\$(?=$|[.[])/.test(path) ? 1 : 0;
  const steps: string[] = [];
  const step = new RegExp(DOTTED_STEP);
  step.lastIndex = start;
  while (step.lastIndex < path.length) {
    const at = step.lastIndex;
    const found = step.exec(path);
    if (found === null) throw unreadable(path, `it cannot be read from character ${at + 1} on`);
    const [, index, quoted, name] = found;
    steps.push(index ?? name ?? unquoted(quoted ?? "", path));
  }
  return steps;
}

function unquoted(quoted: string, path: string): string {
  try {
    return String(JSON.parse(`"${quoted}"`));
  } catch (error) {
    throw unreadable(path, `"${quoted}" is not a JSON string`, error);
  }
}

function member(value: JsonValue, step: string, place: () => string): JsonValue {
  if (Array.isArray(value)) {
    const found = ARRAY_INDEX.test(step) ? value[Number(step)] : undefined;
    if (found !== undefined) return found;
    const last = value.length === 0 ? "it is empty" : `indexes go from 0 to ${value.length - 1}`;
    throw missing(`${place()} is an array without an element "${step}"; ${last}.`);
  }
  if (typeof value !== "object" || value === null) {
    const kind = value === null ? "null" : `a ${typeof value}`;
    throw missing(`${place()} is ${kind}, so there is no "${step}" in it.`);
  }
  const found = Object.hasOwn(value, step) ? value[step] : undefined;
  if (found !== undefined) return found;
  const near = nearestNames(step, Object.keys(value));
  const names = near.length > 0 ? near : Object.keys(value).slice(0, 10);
  const hint = names.length === 0 ? "It is empty." : `It has: ${names.join(", ")}.`;
  throw missing(`${place()} has no member "${step}". ${hint}`);
}

function placeName(steps: readonly string[]): string {
  if (steps.length === 0) return "The document";
  const pointer = steps.map((step) => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`);
  return `The value at ${pointer.join("")}`;
}

function missing(message: string): ToolRefusalError {
  return new ToolRefusalError("not-found", message);
}

function unreadable(path: string, problem: string, cause?: unknown): ToolRefusalError {
  return new ToolRefusalError(
    "invalid-value",
    `The path "${path}" is neither a JSON Pointer nor a dotted path: ${problem}. Write it like /items/0/name or items[0].name.`,
    { cause },
  );
}
