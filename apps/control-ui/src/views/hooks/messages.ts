import { catalogue } from "../../text/catalogue.js";
import { counted } from "../../text/format.js";

/** Names of the pipelines by the letter of their steps. */
const PIPELINES: Readonly<Record<string, string>> = {
  G: "Gateway",
  I: "Inbound",
  S: "Session",
  T: "Turn",
  R: "Recall",
  X: "Tool call",
  C: "Summary of a conversation",
  U: "Subagent",
  O: "Outbound",
  K: "Routines",
  N: "Installation",
};

const KINDS: Readonly<Record<string, string>> = {
  observe: "observe",
  rewrite: "rewrite",
  decide: "decide",
  claim: "claim",
  sync: "sync",
};

/** Strings of the hooks. */
export const text = catalogue({
  title: "Hooks",
  pipeline: "Pipeline",
  configured: "Written as configuration",
  show: "Show",
  withHandlers: "with handlers",
  everyHook: "every hook",
  unusual: "warnings",
  hook: "Hook",
  kind: "Kind",
  step: "Step",
  handlers: "Handlers in order",
  fired: "Fired",
  failed: "Failed",
  p50: "p50",
  p99: "p99",
  note: "Note",
  none: "none",
  pipelineOf: (letter: string) => PIPELINES[letter] ?? letter,
  kindOf: (kind: string) => KINDS[kind] ?? kind,
  times: (plugin: string, count: number) => (count === 1 ? plugin : `${plugin} ×${count}`),
  neverFired: "never fired",
  neverRan: (plugins: string) => `never ran: ${plugins}`,
  bothRewrite: (plugins: string, field: string) => `${plugins} rewrite ${field}`,
  and: " and ",
  timeouts: (count: number) => counted(count, "timeout"),
  noHandlers: "No plugin handles a hook",
  noHandlersHelp: "Choose every hook to see the catalog.",
  nothingUnusual: "Nothing is unusual",
  nothingUnusualHelp:
    "No handler failed, every handler ran at least once, and no field is rewritten by two plugins.",
  ms: (number: string) => `${number} ms`,
  // One hook
  order: "Handlers in the order in which they run",
  agent: "Agent",
  channel: "Channel",
  tool: "Tool",
  any: "any",
  place: "#",
  handler: "Handler",
  priority: "Priority",
  mode: "Mode",
  deadline: "Deadline",
  deadlineFrom: (from: string) => `from ${from}`,
  wouldNotRun: (reason: string) => `would not run: ${reason}`,
  notForEveryCall: (reason: string) => `not for every call: ${reason}`,
  rewrote: (fields: string) => `rewrote ${fields}`,
  policyStage: "policy stage",
  about: "About",
  trace: "A run shows what each handler did in it.",
  // Configured
  name: "Name",
  points: "Points",
  action: "Action",
  counts: "Counts",
  state: "State",
  stateOf: (state: string) => STATES[state] ?? state,
  matched: (matched: number, modified: number, blocked: number, failed: number) =>
    `${matched} matched, ${modified} modified, ${blocked} blocked, ${failed} failed`,
  noConfigured: "No hooks are written as configuration",
  noConfiguredHelp: "Hooks are written in the configuration or as files in .openclaw/hooks.",
  problems: "Problems",
  enabled: "Enabled",
  switchNamed: (name: string) => `${name} on`,
});

const STATES: Readonly<Record<string, string>> = {
  active: "active",
  disabled: "disabled",
  invalid: "invalid",
  unapproved: "waits for approval",
};
