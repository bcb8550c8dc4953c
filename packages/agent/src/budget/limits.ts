import { usdOfNumber } from "@openclaw/foundation";
import type { SpendingCall, SpendingLimit, SpendingScope } from "@openclaw/store";
import { Calendar } from "./calendar.js";

const HOUR_MS = 60 * 60 * 1000;
const USD_PER_CENT = 0.01;

/** Limits of model use; 0 means unlimited. */
export interface ModelBudget {
  /** Maximum number of input and output tokens together. */
  readonly maxTokens?: number | undefined;
  /** Maximum cost in US dollars. */
  readonly maxCostUsd?: number | undefined;
}

/** Limits of all model use of a host; 0 means unlimited (LLM-031). */
export interface HostBudget {
  readonly maxCostPerDayCents?: number | undefined;
  readonly maxCostPerMonthCents?: number | undefined;
  /** Maximum number of model calls in an hour. */
  readonly maxActionsPerHour?: number | undefined;
  /** Time zone whose days and months count; UTC when absent. */
  readonly timeZone?: string | undefined;
}

/** The budgets that are checked before every model call (TURN-029, LLM-032). */
export interface TurnBudgets {
  /** Budget of an agent, over all its sessions. */
  readonly agent?: ModelBudget | undefined;
  /** Budget of a session, from one reset to the next. */
  readonly session?: ModelBudget | undefined;
  /** Budget of a job. */
  readonly job?: ModelBudget | undefined;
  /** Budget of the host. */
  readonly host?: HostBudget | undefined;
}

/** A limit of the cost or the number of model calls, and its setting. */
export interface BudgetLimit {
  /** Subject of the limit, for example `today` or `this session`. */
  readonly subject: string;
  /** Key in the configuration, with its environment variable. */
  readonly setting: string;
  readonly limit: SpendingLimit;
  /** Time at which the limit counts from 0 again; absent when it does not by itself. */
  readonly resetsAt?: number | undefined;
}

/** Agent, session and job of a call. */
export type BudgetedCall = Pick<SpendingCall, "agentId" | "sessionId" | "jobId">;

const calendars = new Map<string, Calendar>();

/**
 * Returns the calendar of budgets.
 * @param budgets - budgets of the host
 * @throws RangeError when its time zone does not exist
 */
export function budgetCalendar({ host }: TurnBudgets): Calendar {
  return calendarOf(host?.timeZone ?? "UTC");
}

/**
 * Returns the calendar of a time zone.
 * @param zone - IANA name of the zone
 * @throws RangeError when the zone does not exist
 */
export function calendarOf(zone: string): Calendar {
  const calendar = calendars.get(zone) ?? new Calendar(zone);
  calendars.set(zone, calendar);
  return calendar;
}

/**
 * Returns true if any limit of cost or number of calls is set. Without one, no reservation is needed.
 * @param budgets - budgets of the host
 */
export function limitsSpending({ agent, session, job, host = {} }: TurnBudgets): boolean {
  const amounts = [agent?.maxCostUsd, session?.maxCostUsd, job?.maxCostUsd];
  const { maxCostPerDayCents, maxCostPerMonthCents, maxActionsPerHour } = host;
  return [...amounts, maxCostPerDayCents, maxCostPerMonthCents, maxActionsPerHour].some(
    (limit) => (limit ?? 0) > 0,
  );
}

/**
 * Returns the limits of cost and number of calls that apply to a call; the tightest of them decides (LLM-032).
 * @param budgets - budgets of the host
 * @param call - agent, session and job
 * @param now - milliseconds since the epoch
 */
export function budgetLimits(
  budgets: TurnBudgets,
  { agentId, sessionId, jobId }: BudgetedCall,
  now: number,
): readonly BudgetLimit[] {
  const { session, agent, job, host = {} } = budgets;
  const calendar = budgetCalendar(budgets);
  const limits: BudgetLimit[] = [];
  const add = (
    scope: SpendingScope,
    usd: number | undefined,
    names: Omit<BudgetLimit, "limit"> & { since?: number },
  ) => {
    if (usd === undefined || usd === 0) return;
    const { since, ...shown } = names;
    limits.push({ ...shown, limit: { unit: "cost", scope, since, maximum: usdOfNumber(usd) } });
  };
  if (sessionId !== undefined) {
    const names = { subject: "this session", setting: "session.budget.maxCostUsd" };
    add({ kind: "session", id: sessionId }, session?.maxCostUsd, names);
  }
  const names = { subject: "this agent", setting: "agents.defaults.budget.maxCostUsd" };
  add({ kind: "agent", id: agentId }, agent?.maxCostUsd, names);
  if (jobId !== undefined) {
    add({ kind: "job", id: jobId }, job?.maxCostUsd, {
      subject: "this job",
      setting: "the budget of the job",
    });
  }
  const { maxCostPerDayCents, maxCostPerMonthCents, maxActionsPerHour = 0 } = host;
  const day = calendar.day(now);
  add({ kind: "host" }, dollars(maxCostPerDayCents), {
    subject: "today",
    setting: "models.budget.maxCostPerDayCents (MAX_COST_PER_DAY_CENTS)",
    since: day.start,
    resetsAt: day.end,
  });
  const month = calendar.month(now);
  add({ kind: "host" }, dollars(maxCostPerMonthCents), {
    subject: "this month",
    setting: "models.budget.maxCostPerMonthCents",
    since: month.start,
    resetsAt: month.end,
  });
  if (maxActionsPerHour > 0) {
    limits.push({
      subject: "an hour",
      setting: "models.budget.maxActionsPerHour (MAX_ACTIONS_PER_HOUR)",
      limit: {
        unit: "calls",
        scope: { kind: "host" },
        since: now - HOUR_MS + 1,
        maximum: maxActionsPerHour,
      },
    });
  }
  return limits;
}

/**
 * Returns the time at which a limit lets calls through again by itself.
 * @param freedBy - time of the call that has to leave the hour
 */
export function resetTime(
  { limit, resetsAt }: BudgetLimit,
  freedBy: number | undefined,
): number | undefined {
  return limit.unit === "calls" && freedBy !== undefined ? freedBy + HOUR_MS : resetsAt;
}

function dollars(cents: number | undefined): number | undefined {
  return cents === undefined ? undefined : cents * USD_PER_CENT;
}
