import { stderr, stdout } from "node:process";
import type { Inspection } from "../library/library.js";
import type { ComponentList } from "../methods.js";

/**
 * Prints a result: as JSON with `--json`, otherwise as lines.
 * @param json - true for JSON
 * @param value - result of the command
 * @param lines - lines for a person
 */
export function print(json: boolean, value: unknown, lines: () => readonly string[]): void {
  stdout.write(`${json ? JSON.stringify(value, null, 2) : lines().join("\n")}\n`);
}

/** Prints a line that is not the result. */
export function note(text: string): void {
  stderr.write(`${text}\n`);
}

/** Returns the lines of a list of components. */
export function listLines({ components, problems }: ComponentList): readonly string[] {
  const lines = components.flatMap(({ name, kind, version, trust, description, permissions }) => [
    `${name}  ${kind} ${version ?? "unversioned"}, ${trust}  ${firstLine(description)}`.trimEnd(),
    ...permissions.map((line) => `  ${line}`),
  ]);
  const failed = problems.map(({ name, message }) => `${name}  not loaded: ${message}`);
  if (lines.length + failed.length > 0) return [...lines, ...failed];
  return ["No components. Install one: openclaw wasm install FILE"];
}

/** Returns the lines that describe a component before it is installed. */
export function inspectionLines(inspection: Inspection): readonly string[] {
  const { name, kind, version, hash, description = "", permissions, warnings } = inspection;
  return [
    `${name}: ${kind} for near:agent ${version ?? "without a version"}`,
    ...(description === "" ? [] : [`  ${firstLine(description)}`]),
    `  sha256 ${hash}`,
    ...permissionLines(permissions),
    ...warnings.map((line) => `  warning: ${line}`),
  ];
}

/** Returns the permissions, or that there are none. */
export function permissionLines(lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return ["  It asks for no permissions."];
  return ["  It asks for these permissions:", ...lines.map((line) => `    ${line}`)];
}

function firstLine(text: string): string {
  const [line = ""] = text.split("\n");
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
