import { routeProblems } from "@openclaw/messaging";
import { createSafetyRules, SafetyRulesError } from "@openclaw/safety";
import { layersFromConfig, type PolicyProblem, type PolicyWarning } from "@openclaw/tool-policy";
import type { ConfigurationProblem } from "../errors.js";
import type { ConfigurationDocument } from "./document.js";
import type { OpenClawConfiguration } from "./schema.js";
import { type SchemaProblem, schemaProblems } from "./schema-problems.js";

/** What a check found; `value` is there only when nothing is wrong. */
export interface CheckedConfiguration {
  readonly value: OpenClawConfiguration | undefined;
  readonly errors: readonly ConfigurationProblem[];
  readonly warnings: readonly ConfigurationProblem[];
}

/**
 * Checks a document against the schema of the whole configuration and the rules of tool policy. Unknown
 * keys are errors naming the nearest known key, except below `plugins`, where older versions wrote more
 * keys (GW-005).
 * @param document - the parsed file
 */
export function checkConfiguration(document: ConfigurationDocument): CheckedConfiguration {
  const schema = schemaProblems(document);
  const policy = policyProblems(document);
  const safety = safetyProblems(document);
  const routes = routesProblems(document);
  const warnings = [...schema.filter(isWarning).map(asProblem), ...policy.warnings].sort(byPlace);
  const errors = withoutRepeats(
    schema.filter((problem) => !isWarning(problem)),
    [...policy.errors, ...safety, ...routes],
  ).sort(byPlace);
  const value = errors.length === 0 ? (document.value as OpenClawConfiguration) : undefined;
  return { value, errors, warnings };
}

function isWarning({ kind, path }: SchemaProblem): boolean {
  return kind === "unknown-key" && path[0] === "plugins";
}

/**
 * Schema and policy look at the same values. Of an unknown key the schema says more, because it knows
 * the keys of all packages; of anything else policy.
 */
function withoutRepeats(
  schema: readonly SchemaProblem[],
  policy: readonly ConfigurationProblem[],
): ConfigurationProblem[] {
  const unknownKeys = new Set(schema.filter(({ kind }) => kind === "unknown-key").map(placeOf));
  const toldByPolicy = policy.filter((problem) => !unknownKeys.has(placeOf(problem)));
  const isTold = (problem: SchemaProblem) => {
    switch (problem.kind) {
      case "unknown-key":
        return false;
      case "combination":
        return toldByPolicy.some(({ key }) => key.startsWith(problem.key));
      case "value":
        return toldByPolicy.some((told) => placeOf(told) === placeOf(problem));
    }
  };
  return [...toldByPolicy, ...schema.filter((problem) => !isTold(problem)).map(asProblem)];
}

/** The rules of tool policy that a schema cannot say (POL-037). */
function policyProblems(document: ConfigurationDocument) {
  const { errors, warnings } = layersFromConfig(document.value, {
    locate: (path) => ({ file: document.file, ...document.place(path) }),
  });
  const inFile = (finding: PolicyProblem | PolicyWarning): ConfigurationProblem => {
    const { key, message, suggestion, file = document.file, line = 1, column = 1 } = finding;
    return { key, message, suggestion, file, line, column };
  };
  return { errors: errors.map(inFile), warnings: warnings.map(inFile) };
}

/** What a schema cannot say of agents and the bindings that name them (TURN-008). */
function routesProblems({ value, file, place }: ConfigurationDocument): ConfigurationProblem[] {
  const configuration: Partial<OpenClawConfiguration> =
    typeof value === "object" && value !== null ? value : {};
  return routeProblems(configuration).map(({ path, ...problem }) => ({
    ...problem,
    key: path
      .map((step, index) =>
        typeof step === "number" ? `[${step}]` : `${index === 0 ? "" : "."}${step}`,
      )
      .join(""),
    file,
    ...place(path),
  }));
}

/** The rules of the safety engine that a schema cannot say, for example a pattern that does not compile. */
function safetyProblems({ value, file, place }: ConfigurationDocument): ConfigurationProblem[] {
  const section = (value as Partial<OpenClawConfiguration> | null)?.safety;
  const { rules, added } = section ?? {};
  if (rules === undefined && added === undefined) return [];
  try {
    createSafetyRules({ rules: rules ?? {}, added: added ?? [] });
    return [];
  } catch (error) {
    // What else it throws comes from a shape that the schema refuses with better words.
    if (!SafetyRulesError.isInstance(error)) return [];
    return error.problems.map(({ path, message }) => {
      const key = `safety.${path}`;
      return { key, message, file, ...place(key.split(/[.[\]]+/).filter((step) => step !== "")) };
    });
  }
}

function asProblem({ path: _path, kind: _kind, ...problem }: SchemaProblem): ConfigurationProblem {
  return problem;
}

function placeOf({ line, column }: ConfigurationProblem): string {
  return `${line}:${column}`;
}

function byPlace(a: ConfigurationProblem, b: ConfigurationProblem): number {
  return a.line - b.line || a.column - b.column;
}
