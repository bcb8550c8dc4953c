import { modelCostProblems } from "@openclaw/agent";
import { routeProblems } from "@openclaw/messaging";
import { headerProblems } from "@openclaw/models";
import { isKnownZone } from "@openclaw/routines";
import {
  AllowedHostError,
  createSafetyRules,
  NetworkPolicy,
  SafetyRulesError,
} from "@openclaw/safety";
import { webhookProblems } from "@openclaw/server";
import type { PolicyProblem, PolicyWarning } from "@openclaw/tool-policy";
import type { ConfigurationDocument } from "./document.js";
import type { ConfigurationProblem } from "./errors.js";
import { fittingParts } from "./fitting-parts.js";
import { gatewayProblems } from "./gateway-problems.js";
import { locatedAt } from "./located-value.js";
import { candidateLayers, policyLayers } from "./policy-layers.js";
import type { OpenClawConfiguration } from "./schema.js";
import { schemaAt } from "./schema-path.js";
import { type SchemaProblem, schemaProblems } from "./schema-problems.js";

/** Result of a check; `value` is set only when there are no errors. */
export interface CheckedConfiguration {
  readonly value: OpenClawConfiguration | undefined;
  readonly errors: readonly ConfigurationProblem[];
  readonly warnings: readonly ConfigurationProblem[];
}

/**
 * Checks a document against the schema of the whole configuration, and the parts that match the schema
 * against the rules of tool policy, safety and routes. Unknown keys are errors that name the nearest known
 * key, except below `plugins`, where older versions wrote more keys (GW-005).
 * @param document - parsed file
 */
export function checkConfiguration(document: ConfigurationDocument): CheckedConfiguration {
  const schema = schemaProblems(document).filter((problem) => !isUnresolved(problem, document));
  const configuration = fittingParts(document.value, schema);
  const policy = policyProblems(configuration, document);
  const warnings = [...schema.filter(isWarning).map(asProblem), ...policy.warnings].sort(
    byPlaceIn(document),
  );
  const errors = [
    ...document.problems,
    ...schema.filter((problem) => !isWarning(problem)).map(asProblem),
    ...policy.errors,
    ...safetyProblems(configuration, document),
    ...routesProblems(configuration, document),
    ...listenerProblems(configuration, document),
    ...modelsProblems(configuration, document),
    ...networkProblems(configuration, document),
    ...zoneProblems(configuration, document),
  ].sort(byPlaceIn(document));
  const value = errors.length === 0 ? (document.value as OpenClawConfiguration) : undefined;
  return { value, errors, warnings };
}

/**
 * Returns true for a problem with the form of a string whose references are not resolved: its final value is
 * checked when it is known.
 */
function isUnresolved({ path, kind }: SchemaProblem, document: ConfigurationDocument): boolean {
  const content = locatedAt(document.root, path)?.content;
  if (kind === "unknown-key" || content?.kind !== "scalar") return false;
  const { secrets = [] } = content.written ?? {};
  const key = path.join(".");
  return (
    (secrets.length > 0 && schemaAt(path)?.type === "string") ||
    document.problems.some((problem) => problem.key === key)
  );
}

function isWarning({ kind, path }: SchemaProblem): boolean {
  return kind === "unknown-key" && path[0] === "plugins";
}

/** Returns violations of the tool policy rules that a schema cannot express (POL-037). */
function policyProblems(configuration: OpenClawConfiguration, document: ConfigurationDocument) {
  const locate = { locate: (path: readonly (string | number)[]) => document.place(path) };
  const policy = policyLayers(configuration, locate);
  const candidate = candidateLayers(configuration, locate);
  const errors = [...policy.errors, ...(candidate?.errors ?? [])];
  const warnings = [...policy.warnings, ...(candidate?.warnings ?? [])];
  const inFile = (finding: PolicyProblem | PolicyWarning): ConfigurationProblem => {
    const { key, message, suggestion, file = document.file, line = 1, column = 1 } = finding;
    return { key, message, suggestion, file, line, column };
  };
  return { errors: errors.map(inFile), warnings: warnings.map(inFile) };
}

/** Returns problems of agents, bindings and webhooks that a schema cannot express (TURN-008, GW-041). */
function routesProblems(
  configuration: OpenClawConfiguration,
  document: ConfigurationDocument,
): ConfigurationProblem[] {
  const problems = [...routeProblems(configuration), ...webhookProblems(configuration.webhooks)];
  return placed(problems, document);
}

/** Returns problems of the listener that a schema cannot express (GW-013, GW-014). */
function listenerProblems(
  { gateway = {} }: OpenClawConfiguration,
  document: ConfigurationDocument,
): ConfigurationProblem[] {
  return placed(gatewayProblems(gateway), document);
}

/** Returns problems of models that a schema cannot express (LLM-029, LLM-031). */
function modelsProblems(
  { models = {} }: OpenClawConfiguration,
  document: ConfigurationDocument,
): ConfigurationProblem[] {
  return placed(modelCostProblems(models), document);
}

/** Returns entries of `tools.http.allowHosts` that are not `host:port` (SAFE-050), and headers that HTTP cannot carry. */
function networkProblems(
  { tools }: OpenClawConfiguration,
  document: ConfigurationDocument,
): ConfigurationProblem[] {
  const problems = (tools?.http?.allowHosts ?? []).flatMap((entry, index) => {
    try {
      new NetworkPolicy({ allowHosts: [entry] });
      return [];
    } catch (error) {
      if (!AllowedHostError.isInstance(error)) throw error;
      return [{ path: ["tools", "http", "allowHosts", index], message: error.problem }];
    }
  });
  const ofCredentials = (tools?.http?.credentials ?? []).flatMap(({ headers }, index) =>
    headerProblems(headers, ["tools", "http", "credentials", index, "headers"]),
  );
  return placed([...problems, ...ofCredentials], document);
}

/** Returns the time zones of routines and heartbeats that this machine does not know. */
function zoneProblems(
  { routines = {}, heartbeat = {} }: OpenClawConfiguration,
  document: ConfigurationDocument,
): ConfigurationProblem[] {
  const problems = Object.entries({ routines, heartbeat }).flatMap(([section, { timezone }]) => {
    if (timezone === undefined || isKnownZone(timezone)) return [];
    const message = `"${timezone}" is not a time zone; expected an IANA name, for example Europe/Berlin`;
    return [{ path: [section, "timezone"], message }];
  });
  return placed(problems, document);
}

/** Adds the place in the file and the dotted key to problems with a path. */
function placed(
  problems: readonly { path: readonly (string | number)[]; message: string; suggestion?: string }[],
  { place }: ConfigurationDocument,
): ConfigurationProblem[] {
  return problems.map(({ path, ...problem }) => ({
    ...problem,
    key: path
      .map((step, index) =>
        typeof step === "number" ? `[${step}]` : `${index === 0 ? "" : "."}${step}`,
      )
      .join(""),
    ...place(path),
  }));
}

/**
 * Returns violations of the safety rules that a schema cannot express, for example a pattern that does not
 * compile.
 */
function safetyProblems(
  { safety }: OpenClawConfiguration,
  { place }: ConfigurationDocument,
): ConfigurationProblem[] {
  const { rules, added } = safety ?? {};
  if (rules === undefined && added === undefined) return [];
  try {
    createSafetyRules({ rules: rules ?? {}, added: added ?? [] });
    return [];
  } catch (error) {
    if (!SafetyRulesError.isInstance(error)) throw error;
    return error.problems.map(({ path, message }) => {
      const key = `safety.${path}`;
      return { key, message, ...place(key.split(/[.[\]]+/).filter((step) => step !== "")) };
    });
  }
}

function asProblem({ path: _path, kind: _kind, ...problem }: SchemaProblem): ConfigurationProblem {
  return problem;
}

function byPlaceIn({ sources }: ConfigurationDocument) {
  const order = new Map(sources.map(({ file }, index) => [file, index]));
  const indexOf = ({ file }: ConfigurationProblem) => order.get(file) ?? order.size;
  return (a: ConfigurationProblem, b: ConfigurationProblem): number =>
    indexOf(a) - indexOf(b) || a.line - b.line || a.column - b.column;
}
