import { describe, expect, it } from "vitest";
import { commandText } from "../../src/bundles/command-text.js";

describe("text of a command of a bundle", () => {
  it.each([
    ["Fix $ARGUMENTS now", "a b", "Fix a b now"],
    ["Fix $1 in $2, not $3.", '"a b" c', "Fix a b in c, not ."],
    ["Fix $ARGUMENTS[0] and $ARGUMENTS[1]", "a b", "Fix a and b"],
    ["First $0, second $1", "a b", "First a, second b"],
    ["Count {{args}}", "files", "Count files"],
    ["Say it", "loud", "Say it\n\nARGUMENTS: loud"],
    ["Say it", "", "Say it"],
    ["Costs $10 and $$", "", "Costs $10 and $$"],
    ["Run $" + "{CLAUDE_PLUGIN_ROOT}/x and $CLAUDE_PLUGIN_ROOT/y", "", "Run /root/x and /root/y"],
    ["Take $ARGUMENTS", "$1 $" + "{PLUGIN_ROOT}", "Take $1 $" + "{PLUGIN_ROOT}"],
  ])("[EXT-532] puts arguments into %j", (text, args, expected) => {
    expect(commandText(text, args, "/root")).toBe(expected);
  });

  it("[EXT-532] tells the model that commands in the text were not run", () => {
    const text = commandText("Status: !`git status`", "", "/root");
    expect(text).toMatch(/^The text below marks shell commands.*not run.*exec/s);
    expect(text.endsWith("\n\nStatus: !`git status`")).toBe(true);
  });
});
