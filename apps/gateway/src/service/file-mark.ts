import { readFileSync } from "node:fs";
import { SERVICE_FORMAT } from "./definition.js";

/** Origin of the file of a service. */
export type ServiceFile =
  | { readonly origin: "absent" }
  /** Without the mark of `openclaw service install`. */
  | { readonly origin: "foreign"; readonly text: string }
  | {
      readonly origin: "older" | "current" | "newer";
      readonly text: string;
      /** Version of OpenClaw that wrote it. */
      readonly version: string;
    };

/**
 * Returns the mark of a file: its format, and the version that writes it.
 * @param version - version of OpenClaw
 */
export function markOf(version: string): string {
  return `Written by \`openclaw service install\`, format ${SERVICE_FORMAT}, version ${version}`;
}

const MARK = /Written by `openclaw service install`, format (\d+), version (\S+)/;

/**
 * Reads the file of a service and tells which version wrote it.
 * @param path - path of the unit or agent
 */
export function readServiceFile(path: string): ServiceFile {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { origin: "absent" };
    throw error;
  }
  const [, format, version] = MARK.exec(text) ?? [];
  if (format === undefined || version === undefined) return { origin: "foreign", text };
  const difference = Number(format) - SERVICE_FORMAT;
  const origin = difference === 0 ? "current" : difference < 0 ? "older" : "newer";
  return { origin, text, version };
}
