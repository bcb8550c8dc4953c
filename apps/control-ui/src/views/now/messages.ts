import { catalogue } from "../../text/catalogue.js";
import { counted } from "../../text/format.js";

/** Strings of the first view. */
export const text = catalogue({
  title: "Now",
  side: "Today and the gateway",
  // The sentence
  nothingWaits: "Nothing waits for you.",
  waits: (count: number) =>
    count === 1 ? "{decisions} waits for you." : "{decisions} wait for you.",
  decisions: (count: number) => counted(count, "decision"),
  noTurn: (queued: number) => `No turn runs${queuedWords(queued)}.`,
  turnsRun: (count: number, queued: number) =>
    `{turns} ${count === 1 ? "runs" : "run"}${queuedWords(queued)}.`,
  turns: (count: number) => counted(count, "turn"),
  failedAndBlocked: (blocked: number) =>
    `In the last day {failed} and ${blocked} ${blocked === 1 ? "was" : "were"} blocked.`,
  onlyFailed: "In the last day {failed}.",
  onlyBlocked: (blocked: number) =>
    `In the last day ${blocked} ${blocked === 1 ? "was" : "were"} blocked.`,
  failed: (count: number) => `${count} failed`,
  // Waiting
  waiting: "Waiting for you",
  inbox: "Inbox",
  severityWaits: (severity: string) => `${severity}, waits for you`,
  critical: "critical",
  warning: "warning",
  info: "info",
  left: "{time} left",
  review: "Review",
  changedLines: (added: number, removed: number) => `+${added} −${removed} lines`,
  ruleAsks: "rule {rule}",
  // Running
  running: "Running",
  queued: "queued",
  allRuns: "All runs",
  recentSteps: (count: number) => `Newest ${counted(count, "step")}`,
  calls: (model: number, tool: number) => `${model} model, ${counted(tool, "tool call")}`,
  begins: "begins",
  works: "works",
  waitsForModel: "waits for model",
  modelAnswered: "model answered",
  modelFailed: "model failed, is tried again",
  runsTool: "runs tool",
  toolAnswered: "tool answered",
  asksAbout: "asks about tool",
  sendsReply: "sends the reply",
  // Failures
  failures: "Failed or blocked in the last day",
  failuresTable: "Failed or blocked",
  runs: (count: number) => counted(count, "run"),
  failedState: "failed",
  blockedState: "blocked",
  openRun: "Open run",
  seen: "Seen",
  seenNamed: (title: string) => `Seen: ${title}`,
  allSeen: "Mark all as seen",
  markSeenKey: "Mark failures as seen",
  markedSeen: (count: number) => `${counted(count, "failure")} marked as seen`,
  // Routines
  nextRoutines: "Next routines",
  due: "due",
  nextIn: (time: string) => `in ${time}`,
  // Cost
  cost: "Cost today",
  noCalls: "No model was called.",
  ofBudget: (maximum: string) => `of ${maximum}`,
  ofBudgetResets: (maximum: string, time: string) => `of ${maximum}, resets ${time}`,
  modelCalls: "Model calls",
  tokensIn: "Tokens in",
  tokensOut: "Tokens out",
  costPlot: (days: string) => `Cost per day: ${days}`,
  present: "today",
  dayCost: (day: string, amount: string) => `${day} ${amount}`,
  // System
  system: "System",
  ok: "ok",
  checks: (count: number) => `${counted(count, "check")}, none fails`,
  version: (version: string, uptime: string, plugins: number) =>
    `Version ${version}, up ${uptime}, ${counted(plugins, "plugin")}`,
  notice: "notice",
  notDelivered: "not delivered",
  lost: (name: string, count: number, why: string) =>
    `${name} could not deliver ${counted(count, "message")}${why === "" ? "" : `: ${why}`}`,
  reconnects: (name: string, left: string, why: string) =>
    `${name} reconnects${left === "" ? "" : `, again in ${left}`}${why === "" ? "" : `: ${why}`}`,
  degraded: "degraded",
  stopped: "stopped",
  settingsMissing: "settings are missing",
  failing: "failing",
  coolsDown: (model: string, left: string) => `${model} cools down, ${left}`,
  failsOften: (model: string, count: number) =>
    `${model} failed ${counted(count, "time")} in a row`,
  breaker: (provider: string, state: string) =>
    `${provider} is not called: its circuit breaker is ${state}`,
  waitsForYou: "waits for you",
  sendersAsk: (count: number) =>
    `${counted(count, "sender")} ${count === 1 ? "asks" : "ask"} to pair: {command}`,
  devicesAsk: (count: number) =>
    `${counted(count, "device")} ${count === 1 ? "asks" : "ask"} to pair: {command}`,
  // First run
  done: "done",
  start: "Start the gateway",
  runsOn: (host: string) => `It runs on ${host} with {model}.`,
  say: "Say something",
  sayHelp: "In a terminal on that machine. The first command that changes files asks you here.",
});

function queuedWords(count: number): string {
  return count === 0 ? "" : `, ${count} ${count === 1 ? "is" : "are"} queued`;
}
