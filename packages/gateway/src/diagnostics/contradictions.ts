import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { type EntryProblem, type LoadedConfiguration, schemaAt } from "@openclaw/configuration";
import { dotted, isTouched } from "./unknown-names.js";

type Value = LoadedConfiguration["value"];

/** Values that cannot work together, with the keys of which one has to change. */
interface Contradiction {
  /** Key that the message is about. */
  readonly path: readonly (string | number)[];
  /** Keys of which a change is compared; `path` when absent. */
  readonly of?: readonly (readonly (string | number)[])[];
  readonly message: string;
  readonly suggestion: string;
  readonly severity?: "warning";
}

type Rule = (value: Value) => readonly Contradiction[];

const RULES: readonly Rule[] = [
  absentAddress,
  orderedTimes,
  limitsOfCalls,
  fallbacksToThemselves,
  sizesOfModels,
  emptyLists,
  deliveriesWithoutTargets,
  heartbeats,
  accountNames,
  variablesOfPlugins,
];

/**
 * Returns the values that a change writes and that cannot work, alone or with others, although each has the form of its key
 * (GW-508). A file that has them is loaded.
 * @param configuration - configuration with the change
 * @param changed - paths of the change
 */
export function contradictions(
  { value, file = "", locate }: LoadedConfiguration,
  changed: readonly (readonly string[])[],
): readonly EntryProblem[] {
  return RULES.flatMap((rule) => rule(value))
    .filter(({ path, of = [path] }) => of.some((each) => isTouched(dotted(each), changed)))
    .map(({ path, message, suggestion, severity }) => ({
      ...{ key: dotted(path), message, suggestion, severity: severity ?? "error" },
      ...(locate(path) ?? locate(path.slice(0, -1)) ?? { file, line: 1, column: 1 }),
    }));
}

/** An address can come later, for example that of a VPN. */
function absentAddress({ gateway = {} }: Value): readonly Contradiction[] {
  const { bind } = gateway;
  if (bind === undefined || isIP(bind) === 0 || ["0.0.0.0", "::"].includes(bind)) return [];
  const own = Object.values(networkInterfaces()).flatMap((each = []) =>
    each.map(({ address }) => address),
  );
  if (own.includes(bind) || bind.startsWith("127.")) return [];
  const message = `this machine does not have the address ${bind}, so that the gateway cannot listen there`;
  const suggestion = `use loopback, lan or one of: ${own.join(", ")}`;
  return [{ path: ["gateway", "bind"], message, suggestion, severity: "warning" }];
}

/** Pairs of keys of which the first may not be above the second. */
const ORDERED: readonly (readonly [section: string, smaller: string, larger: string])[] = [
  ["models.retry", "baseMs", "maxWaitMs"],
  ["models.failover", "cooldownMs", "maxCooldownMs"],
  ["jobs", "stuckSeconds", "timeoutSeconds"],
  ["jobs", "maxParallel", "maxActive"],
];

/** Compares values with each other, and a smaller one with the default of the larger. */
function orderedTimes(value: Value): readonly Contradiction[] {
  return ORDERED.flatMap(([section, smaller, larger]): Contradiction[] => {
    const keys = section.split(".");
    const found = keys.reduce<unknown>((above, key) => Reflect.get(Object(above), key), value);
    const low: unknown = Reflect.get(Object(found), smaller);
    const high = Reflect.get(Object(found), larger) ?? schemaAt([...keys, larger])?.default;
    if (typeof low !== "number" || typeof high !== "number" || low <= high) return [];
    const path = [...keys, smaller];
    return [
      {
        ...{ path, of: [path, [...keys, larger]] },
        message: `${low} is above ${section}.${larger}, which is ${high}`,
        suggestion: `make ${smaller} smaller, or ${larger} larger`,
      },
    ];
  });
}

function limitsOfCalls({ models = {} }: Value): readonly Contradiction[] {
  const { failover, timeoutMs = schemaAt(["models", "timeoutMs"])?.default } = models;
  const firstResponseMs = failover?.firstResponseMs;
  if (typeof timeoutMs !== "number" || firstResponseMs === undefined) return [];
  if (firstResponseMs <= timeoutMs) return [];
  const path = ["models", "failover", "firstResponseMs"];
  const message = `${firstResponseMs} is above models.timeoutMs, which is ${timeoutMs} and ends the call before`;
  const of = [path, ["models", "timeoutMs"]];
  return [{ path, of, message, suggestion: "make it smaller, or models.timeoutMs larger" }];
}

function fallbacksToThemselves({ models = {}, agents = {} }: Value): readonly Contradiction[] {
  const nameOf = (fallback: unknown): unknown =>
    typeof fallback === "string" ? fallback : Reflect.get(Object(fallback), "model");
  const loops = (above: readonly string[], model: unknown, fallbacks: unknown): Contradiction[] =>
    (Array.isArray(fallbacks) ? fallbacks : []).flatMap((fallback: unknown, index) => {
      if (model === undefined || nameOf(fallback) !== model) return [];
      const message = `"${String(model)}" is the model that it is the fallback of`;
      return [{ path: [...above, index], message, suggestion: "name another model" }];
    });
  const ofModels = Object.entries(models.fallbacks ?? {}).flatMap(([model, list]) =>
    loops(["models", "fallbacks", model], model, list),
  );
  const ofAgents = Object.entries(agents).flatMap(([id, agent]) =>
    loops(
      ["agents", id, "fallbacks"],
      Reflect.get(Object(agent), "model"),
      Reflect.get(Object(agent), "fallbacks"),
    ),
  );
  return [...ofModels, ...ofAgents];
}

function sizesOfModels({ models = {} }: Value): readonly Contradiction[] {
  const ofProviders = Object.entries(models.providers ?? {}).flatMap(([id, provider]) =>
    Object.entries(provider.models ?? {}).map(
      ([name, model]) => [["models", "providers", id, "models", name], model] as const,
    ),
  );
  const known = Object.entries(models.known ?? {}).map(
    ([name, model]) => [["models", "known", name], model] as const,
  );
  return [...ofProviders, ...known].flatMap(([path, { contextTokens, maxOutputTokens }]) => {
    if (contextTokens === undefined || maxOutputTokens === undefined) return [];
    if (maxOutputTokens <= contextTokens) return [];
    const message = `${maxOutputTokens} is above contextTokens, which is ${contextTokens} and has the reply too`;
    const own = [...path, "maxOutputTokens"];
    const of = [own, [...path, "contextTokens"]];
    return [{ path: own, of, message, suggestion: "make it smaller, or contextTokens larger" }];
  });
}

/** Lists of senders that accept no message. */
function emptyLists({ channels = {} }: Value): readonly Contradiction[] {
  return Object.entries(channels).flatMap(([channel, section]): Contradiction[] => {
    const { senders, dmPolicy, allowFrom }: Readonly<Record<string, unknown>> = Object(section);
    const { mode, allow }: Readonly<Record<string, unknown>> = Object(senders);
    const isEmpty = (list: unknown) => !Array.isArray(list) || list.length === 0;
    const path = ["channels", channel];
    const found: Contradiction[] = [];
    if (mode === "allowlist" && isEmpty(allow)) {
      found.push({
        path: [...path, "senders", "mode"],
        message: "the allowlist is empty, so that no message is accepted",
        suggestion: `add senders to channels.${channel}.senders.allow`,
        severity: "warning",
      });
    }
    if (dmPolicy === "allowlist" && isEmpty(allowFrom)) {
      found.push({
        path: [...path, "dmPolicy"],
        message: "allowFrom has no senders, so that no direct message is accepted",
        suggestion: `add their IDs to channels.${channel}.allowFrom`,
        severity: "warning",
      });
    }
    return found;
  });
}

function deliveriesWithoutTargets({ approvals = {} }: Value): readonly Contradiction[] {
  return Object.entries(approvals.delivery ?? {}).flatMap(([kind, delivery]) => {
    const { mode, targets = [] } = delivery ?? {};
    if (mode !== "targets" || targets.length > 0) return [];
    const above = ["approvals", "delivery", kind];
    const message = "there are no targets, so that no conversation gets a request";
    const suggestion = `add approvals.delivery.${kind}.targets, or leave mode out`;
    return [{ path: [...above, "mode"], of: [above], message, suggestion }];
  });
}

function heartbeats({ heartbeat = {} }: Value): readonly Contradiction[] {
  const { to, channel, quietHours } = heartbeat;
  const found: Contradiction[] = [];
  if (to !== undefined && channel === undefined) {
    const message = "a conversation belongs to a channel, which is not named";
    const of = [
      ["heartbeat", "to"],
      ["heartbeat", "channel"],
    ];
    found.push({ path: ["heartbeat", "to"], of, message, suggestion: "set heartbeat.channel too" });
  }
  if (quietHours !== undefined && quietHours.from === quietHours.to) {
    const message = `they begin and end at ${quietHours.from}`;
    const suggestion = "write another end, or switch heartbeat.enabled off";
    found.push({ path: ["heartbeat", "quietHours"], message, suggestion });
  }
  return found;
}

/** Names of accounts are parts of URLs and of the names of secrets. */
function accountNames({ channels = {} }: Value): readonly Contradiction[] {
  return Object.entries(channels).flatMap(([channel, section]) =>
    Object.keys(Object(Reflect.get(Object(section), "accounts"))).flatMap((account) => {
      if (/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/.test(account)) return [];
      const path = ["channels", channel, "accounts", account];
      const message = `"${account}" cannot be the name of an account; expected 1 to 64 letters, digits, -, _ and .`;
      return [{ path, message, suggestion: "for example main" }];
    }),
  );
}

function variablesOfPlugins({ plugins = {} }: Value): readonly Contradiction[] {
  return Object.entries(plugins.entries ?? {}).flatMap(([id, { env = {} }]) =>
    Object.entries(env).flatMap(([name, content]) => {
      const path = ["plugins", "entries", id, "env", name];
      return variableProblems(name, content).map((problem) => ({ path, ...problem }));
    }),
  );
}

/**
 * Returns why a variable cannot be passed to a program or a plugin.
 * @param name - name of the variable
 */
export function variableProblems(
  name: string,
  content: string,
): readonly { readonly message: string; readonly suggestion: string }[] {
  if (!/^[^\s=\0]+$/.test(name)) {
    const message = `"${name}" cannot be the name of a variable`;
    return [{ message, suggestion: "use letters, digits and _" }];
  }
  return content.includes("\0")
    ? [{ message: "a variable cannot have a NUL character", suggestion: "check how it was copied" }]
    : [];
}
