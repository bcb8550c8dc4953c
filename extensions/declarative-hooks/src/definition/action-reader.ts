import { isRecord } from "@openclaw/plugin-sdk/kit";
import type { DefinitionProblem } from "../errors.js";
import type { PointName } from "../points/point.js";
import type { HookAction, HttpAction, InlineAction, Replacement } from "./definition.js";
import { Fields, kindOf, nearest, type Place, type Problems } from "./fields.js";
import { checkHost, resolveSecrets } from "./network-fields.js";
import { type ReadContext, readPattern } from "./read-context.js";
import { readWebhook } from "./webhook-reader.js";

/** Kind of a definition by its section. */
export type Section = "rules" | "outbound_webhooks" | "hooks";

/** Fields of an action by its type. */
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  inline: [
    "when",
    "whenRegex",
    "reject",
    "rejectReason",
    "replacements",
    "prepend",
    "append",
    "template",
  ],
  shell: ["command", "argv"],
  http: ["url", "method", "headers", "idempotent"],
  webhook: ["url", "headers", "secret", "maxInFlight", "includeContent", "durable", "timeoutMs"],
};

/**
 * Reads the action of a definition.
 * @param section - section that the definition is in
 * @param fields - fields of the definition
 * @param place - place for messages
 * @param context - compiler of patterns, network check, secrets
 * @param problems - receives the mistakes
 * @param points - points of the hook
 */
export function readAction(
  section: Section,
  fields: Fields,
  place: Place,
  context: ReadContext,
  problems: Problems,
  points: readonly PointName[],
): HookAction | undefined {
  if (section === "rules") return readInline(fields, place, context, problems, points);
  if (section === "outbound_webhooks") return readWebhook(fields, place, context);
  const value = fields.get("action");
  if (!isRecord(value)) {
    fields.report("InvalidField", "action", `expected an object with a type, got ${kindOf(value)}`);
    return undefined;
  }
  const { type } = value;
  const names = Object.keys(ACTIONS);
  if (typeof type !== "string" || !names.includes(type)) {
    const hint = typeof type === "string" ? nearest(type, names) : "";
    fields.report("InvalidField", "action.type", `expected ${names.join(", ")}${hint}`);
    return undefined;
  }
  const inner = { path: `${place.path}.action`, hook: place.hook };
  const action = new Fields(value, ["type", ...(ACTIONS[type] ?? [])], inner, problems);
  if (type === "inline") return readInline(action, inner, context, problems, points);
  if (type === "shell") return readShell(action, context);
  if (type === "webhook") return readWebhook(action, inner, context);
  return readHttp(action, context);
}

function readInline(
  fields: Fields,
  place: Place,
  context: ReadContext,
  problems: Problems,
  points: readonly PointName[],
): InlineAction {
  const whenField = fields.has("when") ? "when" : "whenRegex";
  const when = fields.text(whenField);
  const prepend = fields.text("prepend");
  const append = fields.text("append");
  const template = fields.text("template");
  const replacements = readReplacements(fields, place, context, problems);
  if (points.includes("beforeToolCall") && (prepend ?? append ?? template) !== undefined) {
    const message = "prepend, append and template change text, and a tool call has parameters";
    fields.report("InvalidField", "points", message);
  }
  if (template !== undefined && (replacements.length > 0 || (prepend ?? append) !== undefined)) {
    const message = "a template replaces the whole text; remove replacements, prepend and append";
    fields.report("InvalidField", "template", message);
  }
  return {
    type: "inline",
    when: when === undefined ? undefined : readPattern(when, whenField, fields, context),
    rejectReason: fields.text("rejectReason") ?? fields.text("reject"),
    replacements,
    ...{ prepend, append, template },
  };
}

function readReplacements(
  fields: Fields,
  { path, hook }: Place,
  context: ReadContext,
  problems: Problems,
): readonly Replacement[] {
  const list = fields.get("replacements") ?? [];
  if (!Array.isArray(list)) {
    fields.report("InvalidField", "replacements", `expected a list, got ${kindOf(list)}`);
    return [];
  }
  return list.flatMap((value: unknown, index): readonly Replacement[] => {
    const place = { path: `${path}.replacements[${index}]`, hook };
    if (!isRecord(value)) {
      problems.add(
        "InvalidField",
        place.path,
        hook,
        "expected an object with pattern and replacement",
      );
      return [];
    }
    const each = new Fields(value, ["pattern", "replacement"], place, problems);
    const source = each.text("pattern");
    if (source === undefined || source === "") {
      each.report("InvalidField", "pattern", "expected a pattern of at least one character");
      return [];
    }
    const pattern = readPattern(source, "pattern", each, context);
    return pattern === undefined ? [] : [{ pattern, replacement: each.text("replacement") ?? "" }];
  });
}

function readShell(fields: Fields, { permissions }: ReadContext): HookAction | undefined {
  const command = fields.text("command");
  const argv = fields.get("argv") === undefined ? undefined : fields.texts("argv");
  if ((command === undefined) === (argv === undefined)) {
    fields.report("InvalidField", "", "a shell action needs either command or argv");
    return undefined;
  }
  if (command?.trim() === "" || argv?.[0] === "") {
    fields.report("InvalidField", command === undefined ? "argv" : "command", "it is empty");
    return undefined;
  }
  const list = argv ?? shellOf(command ?? "");
  const [program = ""] = list;
  const programs = permissions?.programs ?? ["*"];
  const isAllowed = programs.includes(program) || programs.includes("*");
  if (!isAllowed && !(argv === undefined && programs.includes("sh"))) {
    const name = argv === undefined ? "sh" : program;
    const message = `the plugin's manifest does not allow this program; add "${name}" to permissions.exec`;
    fields.report("MissingPermission", command === undefined ? "argv" : "command", message);
  }
  return { type: "shell", argv: list, shown: command ?? list.join(" ") };
}

function shellOf(command: string): readonly string[] {
  return process.platform === "win32"
    ? ["cmd.exe", "/d", "/s", "/c", command]
    : ["/bin/sh", "-c", command];
}

const METHODS = ["POST", "PUT", "GET"] as const;

function readHttp(fields: Fields, context: ReadContext): HttpAction | undefined {
  const written = (fields.text("method") ?? "POST").toUpperCase();
  const method = METHODS.find((each) => each === written);
  if (method === undefined) {
    fields.report("InvalidField", "method", `expected ${METHODS.join(", ")}, got "${written}"`);
  }
  const url = readUrl(fields, context);
  const headers = resolveSecrets(fields.record("headers") ?? {}, "headers", fields, context);
  for (const [name, value] of Object.entries(headers)) {
    if (isHeader(name, value)) continue;
    // The value may be a secret.
    const message = `the name or value of the header "${name}" is not valid; a header has no line breaks, and no letters outside Latin-1`;
    fields.report("InvalidWebhookHeader", "headers", message);
  }
  const idempotent = fields.flag("idempotent", method !== "POST");
  if (url === undefined || method === undefined) return undefined;
  return { type: "http", url, method, headers, idempotent };
}

function isHeader(name: string, value: string): boolean {
  try {
    new Headers([[name, value]]);
    return true;
  } catch {
    return false;
  }
}

const URL_PROBLEMS: Readonly<Record<string, DefinitionProblem>> = {
  "invalid-url": "InvalidWebhookUrl",
  "credentials-in-url": "InvalidWebhookUrl",
  "insecure-scheme": "InvalidWebhookScheme",
  "forbidden-host": "ForbiddenWebhookHost",
  "forbidden-address": "ForbiddenWebhookHost",
};

function readUrl(fields: Fields, { checkUrl, permissions }: ReadContext): URL | undefined {
  const written = fields.text("url");
  if (written === undefined) {
    fields.report("InvalidWebhookUrl", "url", "expected an https URL");
    return undefined;
  }
  try {
    const url = checkUrl(written);
    checkHost(url, fields, permissions?.hosts);
    return url;
  } catch (error) {
    const reason: unknown = error instanceof Error && "reason" in error ? error.reason : undefined;
    const problem = typeof reason === "string" ? URL_PROBLEMS[reason] : undefined;
    if (problem === undefined || !(error instanceof Error)) throw error;
    fields.report(problem, "url", error.message);
    return undefined;
  }
}
