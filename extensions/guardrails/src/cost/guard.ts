import type { AgentContext } from "@openclaw/plugin-sdk/hooks";
import { errorMessage } from "@openclaw/plugin-sdk/kit";
import type { Usage } from "@openclaw/plugin-sdk/tools";
import { type Static, Type } from "typebox";
import { DayCalendar, shownDuration } from "../day.js";
import { GuardConfigInvalidError } from "../errors.js";
import { defineGuard } from "../guard.js";
import { picoUsd, shownUsd } from "./amount.js";
import type { Spending, SpendingPlace, SpendingScope, StoredSpending } from "./spending.js";
import { SpendingSums } from "./sums.js";

const NAME = "cost_tracker";

const usd = (description: string, limit = 0) =>
  Type.Number({ minimum: 0, maximum: 1_000_000, default: limit, description });
const tokens = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 1_000_000_000_000, default: 0, description });

const schema = Type.Object(
  {
    dayUsd: usd("Budget of a day in US dollars; 0 means unlimited.", 10),
    senderDayUsd: usd("Budget of each sender on a day; 0 means unlimited."),
    sessionUsd: usd("Budget of each session; 0 means unlimited."),
    dayTokens: tokens("Tokens of a day; 0 means unlimited."),
    senderDayTokens: tokens("Tokens of each sender on a day; 0 means unlimited."),
    sessionTokens: tokens("Tokens of each session; 0 means unlimited."),
    warnAt: Type.Number({
      exclusiveMinimum: 0,
      maximum: 1,
      default: 0.8,
      description: "Part of a budget at which a warning is given, once.",
    }),
    timeZone: Type.Optional(
      Type.String({
        minLength: 1,
        description: "Time zone of days; that of the host when absent.",
      }),
    ),
  },
  { additionalProperties: false },
);

type Settings = Static<typeof schema>;

/** Adds up tokens and cost, warns, and blocks turns over a budget (DHOOK-042). */
export const costTracker = defineGuard({
  name: NAME,
  schema,
  install(settings, { api, counters, notices, now, database, writeBehind }) {
    const calendar = calendarOf(settings);
    const sums = new SpendingSums({
      database,
      writeBehind,
      now,
      onFailure(error) {
        counters.failed();
        api.logger.error(
          `${NAME}: costs could not be stored and are kept in memory: ${errorMessage(error)}`,
        );
      },
    });
    const warn = async (spent: StoredSpending, context: AgentContext): Promise<void> => {
      if (!(await sums.warn(spent))) return;
      const budget = budgetOf(settings, spent.scope);
      const share = shareOf(spent, budget);
      const text = `${Math.floor(share * 100)} % of ${describe(spent, budget)}`;
      const { sessionKey, senderId } = context;
      api.logger.warn(`${NAME}: ${text}`, { sessionKey, senderId });
      api.gatewayEvents.emit("budget", { scope: spent.scope, name: spent.name, share, text });
      notices.publish({ event: "budget", severity: "warning", text, sessionKey, senderId });
    };
    /** Warns of the budgets of which enough is used; at once without any, so that most turns do not wait. */
    const warnOf = (found: readonly StoredSpending[], context: AgentContext) => {
      const near = found.filter(
        (spent) =>
          !spent.hasWarned && shareOf(spent, budgetOf(settings, spent.scope)) >= settings.warnAt,
      );
      if (near.length === 0) return undefined;
      return Promise.all(near.map((spent) => warn(spent, context)));
    };
    const verdictOf = (found: readonly StoredSpending[], context: AgentContext) => {
      for (const spent of found) {
        const budget = budgetOf(settings, spent.scope);
        if (shareOf(spent, budget) < 1) continue;
        counters.blocked();
        const reset = resetOf(spent, calendar, now());
        const used = describe(spent, budget);
        const message = `${used.charAt(0).toUpperCase()}${used.slice(1)} is used up. ${reset}`;
        const { sessionKey, senderId } = context;
        notices.publish({
          event: "budget",
          severity: "critical",
          text: message,
          sessionKey,
          senderId,
        });
        return { outcome: "block" as const, reason: message, message, category: "budget" };
      }
      return undefined;
    };
    const hasBudget = ({ scope }: SpendingPlace) => {
      const { usd, tokens } = budgetOf(settings, scope);
      return usd > 0 || tokens > 0;
    };

    api.on(
      "llm_output",
      ({ usage }, context) =>
        counters.run(() => {
          if (usage === undefined) return undefined;
          const places = placesOf(context, calendar.dayOf(now()));
          sums.add(places, spentBy(usage));
          const found = sums.read(places.filter(hasBudget));
          const warned =
            found instanceof Promise
              ? found.then((read) => warnOf(read, context))
              : warnOf(found, context);
          return warned?.then(
            () => undefined,
            (error: unknown) => {
              counters.failed();
              api.logger.error(`${NAME}: budgets could not be checked: ${errorMessage(error)}`);
            },
          );
        }),
      // Awaited by the turn, so that the next one is decided with the cost of this one.
      { mode: "fail-closed", id: NAME },
    );
    api.on(
      "before_agent_run",
      (_event, context) =>
        counters.run(() => {
          const found = sums.read(placesOf(context, calendar.dayOf(now())).filter(hasBudget));
          return found instanceof Promise
            ? found.then((read) => verdictOf(read, context))
            : verdictOf(found, context);
        }),
      { mode: "fail-closed", id: NAME },
    );
    api.lifecycle.onDispose(() => writeBehind.flush());
  },
});

function calendarOf({ timeZone }: Settings): DayCalendar {
  try {
    return new DayCalendar(timeZone);
  } catch {
    const problem = `timeZone is ${JSON.stringify(timeZone)}, which is not a time zone; for example Europe/Lisbon`;
    throw new GuardConfigInvalidError(NAME, [problem]);
  }
}

/** Returns the sums that a turn counts towards. */
function placesOf(
  { sessionKey, sessionId, messageProvider, senderId }: AgentContext,
  day: string,
): SpendingPlace[] {
  const session = sessionId ?? sessionKey;
  return [
    { scope: "day", name: "", period: day },
    ...(senderId === undefined
      ? []
      : [{ scope: "sender" as const, name: `${messageProvider ?? ""}:${senderId}`, period: day }]),
    ...(session === undefined ? [] : [{ scope: "session" as const, name: session, period: "" }]),
  ];
}

function spentBy({ input = 0, output = 0, total, cost }: Usage): Spending {
  return {
    picoUsd: cost === undefined ? 0n : picoUsd(cost.usd),
    tokens: total ?? input + output,
    estimated: cost === undefined || cost.estimated ? 1 : 0,
  };
}

interface Budget {
  readonly usd: number;
  readonly tokens: number;
}

function budgetOf(settings: Settings, scope: SpendingScope): Budget {
  switch (scope) {
    case "day":
      return { usd: settings.dayUsd, tokens: settings.dayTokens };
    case "sender":
      return { usd: settings.senderDayUsd, tokens: settings.senderDayTokens };
    case "session":
      return { usd: settings.sessionUsd, tokens: settings.sessionTokens };
  }
}

/** Returns the used part of the budget that is used most; 0 without a budget. */
function shareOf({ picoUsd: pico, tokens }: Spending, budget: Budget): number {
  const ofUsd = budget.usd === 0 ? 0 : Number(pico) / (budget.usd * 1e12);
  const ofTokens = budget.tokens === 0 ? 0 : tokens / budget.tokens;
  return Math.max(ofUsd, ofTokens);
}

function describe(spent: StoredSpending, { usd, tokens }: Budget): string {
  const owner = { day: "of today", sender: "of this sender for today", session: "of this session" }[
    spent.scope
  ];
  const isTokens =
    usd === 0 || (tokens > 0 && spent.tokens / tokens > Number(spent.picoUsd) / (usd * 1e12));
  const numbers = isTokens
    ? `${spent.tokens} of ${tokens} tokens`
    : `${shownUsd(spent.picoUsd)} of $${usd.toFixed(2)}`;
  return `the budget ${owner} (${numbers})`;
}

function resetOf({ scope }: SpendingPlace, calendar: DayCalendar, now: number): string {
  if (scope === "session") return "A new session has a new budget: /new starts one.";
  const reset = calendar.nextDay(now);
  const time = new Date(reset).toISOString().slice(0, 16);
  return `It resets at midnight in ${calendar.timeZone} (${time}Z), in ${shownDuration(reset - now)}.`;
}
