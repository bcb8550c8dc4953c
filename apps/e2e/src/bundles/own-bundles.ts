/** Decides by a word of the event, so that each call of a script shows another answer. */
const DECIDE = `
import { readFileSync } from "node:fs";
const event = JSON.parse(readFileSync(0, "utf8"));
const name = event.hook_event_name;
const text = JSON.stringify(event.tool_input ?? event.prompt ?? "");
const print = (value) => console.log(JSON.stringify(value));
const decide = (fields) => print({ hookSpecificOutput: { hookEventName: name, ...fields } });
const block = (reason) => { console.error(reason); process.exitCode = 2; };
const has = (word) => text.includes(word);
if (name === "PreToolUse") {
  if (has("exit-2")) block("reason-of-exit-2");
  if (has("exit-1")) { console.error("failed"); process.exitCode = 1; }
  if (has("half-json")) process.stdout.write('{"hookSpecificOutput"');
  if (has("plain-text")) console.log("a note");
  if (has("deny-json")) decide({ permissionDecision: "deny", permissionDecisionReason: "reason-of-deny" });
  if (has("old-block")) print({ decision: "block", reason: "reason-of-block" });
  if (has("allow-json")) decide({ permissionDecision: "allow", permissionDecisionReason: "reason-of-allow" });
  if (has("more-context")) decide({ additionalContext: "context-before-a-call" });
  if (has("new-input")) {
    const command = event.tool_input.command.replace("new-input", "changed > changed.txt");
    decide({ permissionDecision: "allow", updatedInput: { ...event.tool_input, command } });
  }
}
if (name === "PostToolUse") {
  if (has("post-block")) print({ decision: "block", reason: "reason-after-a-call" });
  if (has("post-exit-two")) block("stderr-after-a-call");
  if (has("post-context")) decide({ additionalContext: "context-after-a-call" });
}
if (name === "PostToolUseFailure") decide({ additionalContext: "context-after-a-failure" });
if (name === "SessionStart") console.log("context-of-the-session");
if (name === "UserPromptSubmit") {
  if (has("secret")) print({ decision: "block", reason: "reason-of-a-blocked-prompt" });
  else decide({ additionalContext: "context-of-the-prompt" });
}
if (name === "Stop" && !event.stop_hook_active) print({ decision: "block", reason: "reason-to-go-on" });
`;

const EVENTS = [
  ...["PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "SessionStart"],
  ...["SessionEnd", "Stop", "SubagentStart", "SubagentStop"],
];

function hooksOf(command: string): string {
  const hooks = EVENTS.map((event) => [event, [{ hooks: [{ type: "command", command }] }]]);
  return JSON.stringify({ hooks: Object.fromEntries(hooks) });
}

/** Files of a bundle whose hooks only receive their input. */
export const OBSERVER = {
  ".claude-plugin/plugin.json": JSON.stringify({ name: "observer", version: "1.0.0" }),
  "hooks/hooks.json": hooksOf("true"),
};

/** Files of a bundle whose hooks give each kind of answer. */
export const DECIDER = {
  ".claude-plugin/plugin.json": JSON.stringify({ name: "decider", version: "1.0.0" }),
  "hooks/hooks.json": hooksOf(`node "\${CLAUDE_PLUGIN_ROOT}/decide.mjs"`),
  "decide.mjs": DECIDE,
};
