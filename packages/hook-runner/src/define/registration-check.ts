import { HookOptionError } from "../errors.js";
import type { Fields } from "./fields.js";
import type { Hook } from "./hook.js";
import {
  checkOptions,
  isName,
  isString,
  OPTION_NAMES,
  type Refuse,
  withoutIneffective,
} from "./options.js";
import type { AnyHandler, HookStage, RegistrationFields } from "./registration.js";

const KEYS: ReadonlySet<string> = new Set([
  ...OPTION_NAMES,
  "name",
  "handler",
  "owner",
  "source",
  "stage",
  "alias",
  "order",
]);

export interface CheckedRegistration {
  readonly fields: RegistrationFields;
  /** Ignored options: unknown ones, and those without effect for the hook. */
  readonly ignored: readonly string[];
}

/** @throws HookOptionError for a property of the wrong type or out of range */
export function checkRegistration(
  hook: Hook,
  registration: Fields,
  sequence: number,
): CheckedRegistration {
  const { handler, owner, source, stage = "ordinary", alias, order = 0 } = registration;
  const refuse: Refuse = (option, value, allowed) => {
    throw new HookOptionError({ owner: String(owner), hook: hook.name, option, value, allowed });
  };
  if (!isName(owner)) return refuse("owner", owner, "a non-empty string");
  if (!isName(source)) return refuse("source", source, "a non-empty string");
  if (!isHandler(handler)) return refuse("handler", handler, "a function");
  if (!isStage(stage)) return refuse("stage", stage, '"policy" or "ordinary"');
  if (alias !== undefined && !isString(alias)) return refuse("alias", alias, "a string");
  if (!isOrder(order)) return refuse("order", order, "a number");

  const checked = checkOptions(registration, refuse);
  const { effective, ineffective } = withoutIneffective(checked, hook);
  const unknown = Object.keys(registration).filter((key) => !KEYS.has(key));
  return {
    fields: { hook, handler, owner, source, stage, alias, options: effective, order, sequence },
    ignored: [...unknown, ...ineffective],
  };
}

function isHandler(value: unknown): value is AnyHandler {
  return typeof value === "function";
}

function isOrder(value: unknown): value is number {
  return typeof value === "number" && !Number.isNaN(value);
}

function isStage(value: unknown): value is HookStage {
  return value === "policy" || value === "ordinary";
}
