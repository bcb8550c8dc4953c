import { createInterface } from "node:readline/promises";
import { PassThrough } from "node:stream";
import { createColors } from "picocolors";
import { expect, it } from "vitest";
import { reportChange } from "../../src/plugins/change-report.js";

/** Returns what a change of a disabled plugin prints. */
function report(reason: string): string {
  const printed: string[] = [];
  const print = (text: string) => void printed.push(text);
  const terminal = {
    isInteractive: false,
    hasScreen: false,
    colors: createColors(false),
    print,
    write: print,
    note: print,
    openInput: () => createInterface({ input: new PassThrough().end() }),
    divert: () => () => {},
    size: () => ({ rows: 24, columns: 80 }),
  };
  const change = {
    outcome: "unloaded" as const,
    generation: 2,
    durationMs: 4,
    plugin: { id: "notes", name: "notes", origin: "global", status: "disabled" as const, reason },
    diagnostics: [],
  };
  reportChange(change, {}, { terminal, environment: {} });
  return printed.join("\n");
}

it.each(["default-off", "slot-taken", "workspace-default"])(
  "[PLUG-123] an install of a plugin that is off for the reason %s names the command that turns it on",
  (reason) => {
    expect(report(reason)).toBe(
      `Generation 2 after 4 ms: "notes" is disabled (${reason}); \`openclaw plugins enable notes\` turns it on.`,
    );
  },
);

it.each(["entry-disabled", "denied"])(
  "[PLUG-123] does not name it for the reason %s, which the operator set",
  (reason) => {
    expect(report(reason)).toBe(`Generation 2 after 4 ms: "notes" is disabled (${reason}).`);
  },
);
