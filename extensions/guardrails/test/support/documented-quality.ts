import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Returns precision and recall that the documentation states for a guard. */
export function documentedQuality(guard: string): readonly string[] {
  const file = fileURLToPath(new URL("../../../../docs/operate/guardrails.md", import.meta.url));
  const row = readFileSync(file, "utf8")
    .split("\n")
    .find((line) => line.startsWith(`| \`${guard}\` | `) && / % \\| .* % \\|/.test(line));
  return (
    row
      ?.split("|")
      .slice(2, 4)
      .map((cell) => cell.trim()) ?? []
  );
}
