import { parseAnchor } from "../rules/anchor.js";
import { BUILT_IN_RULES } from "../rules/built-in/rules.js";
import { isSecretAction } from "./redaction.js";
import { scanLeaks } from "./scan.js";

/**
 * Beginnings that identify a secret, even when the rest is cut off or unusual. Those of a JSON Web
 * Token are two JSON objects; one alone is also the beginning of words.
 */
const OTHER_BEGINNINGS = ["-----BEGIN [A-Z ]{0,40}PRIVATE KEY", "eyJ[A-Za-z0-9_-]+\\.eyJ"];
const URL_WITH_PASSWORD = /:\/\/[^/\s:@]*:[^/\s@]+@/;

let beginnings: RegExp | undefined;

/**
 * Returns true when a value by itself is a secret, begins like a service's token, or is a URL with
 * a password. The forms come from the leak rules.
 * @param value - for example the value of an environment variable
 */
export function isSecretValue(value: string): boolean {
  beginnings ??= new RegExp(`^(?:${[...tokenBeginnings(), ...OTHER_BEGINNINGS].join("|")})`);
  return (
    beginnings.test(value) ||
    URL_WITH_PASSWORD.test(value) ||
    scanLeaks(value).findings.some(({ action }) => isSecretAction(action))
  );
}

function tokenBeginnings(): string[] {
  return BUILT_IN_RULES.rules.flatMap((rule) =>
    rule.kind === "leak" &&
    rule.label !== "JWT" &&
    rule.detector.by === "anchor" &&
    rule.detector.longWord === true
      ? rule.detector.anchors.map((anchor) => parseAnchor(anchor, false).source)
      : [],
  );
}
