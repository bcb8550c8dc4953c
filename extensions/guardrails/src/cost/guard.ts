import type { AgentContext } from "@openclaw/plugin-sdk/hooks";
import type { Usage } from "@openclaw/plugin-sdk/tools";
import { type Static, Type } from "typebox";
import { DayCalendar, shownDuration } from "../day.js";
import { GuardConfigInvalidError } from "../errors.js";
import { defineGuard } from "../guard.js";
import { picoUsd, shownUsd } from "./amount.js";
import {
  addSpending,
  markWarned,
  pruneSpending,
  type Spending,
  type SpendingPlace,
  type SpendingScope,
  spendingOf,
} from "./spending.js";

const NAME = "cost_tracker";
/** Time after which sums are deleted, in milliseconds: 400 days, as those of the host. */
const KEEP_MS = 400 * 86_400_000;

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
  description: "Adds up tokens and cost, warns, and blocks turns over a budget.",
  schema,
  install(settings, { api, counters, notices, now, database }) {
    const calendar = calendarOf(settings);
    const unstored: { readonly places: readonly SpendingPlace[]; readonly spent: Spending }[] = [];
    let prunedAt = now();

    /** Stores what was spent; what cannot be stored still counts, and is stored with the next call. */
    const store = async (): Promise<void> => {
      const opened = await database();
      for (let next = unstored[0]; next !== undefined; next = unstored[0]) {
        await addSpending(opened, next.places, next.spent, now());
        unstored.shift();
      }
      if (now() - prunedAt < 86_400_000) return;
      prunedAt = now();
      await pruneSpending(opened, now() - KEEP_MS);
    };
    let storing: Promise<void> = Promise.resolve();
    const storeInOrder = () => {
      storing = storing.then(store, store);
      return storing;
    };
    /** Returns what a place has spent, with what is not stored yet. */
    const spentAt = async (place: SpendingPlace) => {
      const stored = await spendingOf(await database(), place);
      const waiting = unstored.filter(({ places }) => places.some((each) => isSame(each, place)));
      return {
        pico: waiting.reduce((sum, { spent }) => sum + spent.picoUsd, stored.picoUsd),
        tokens: waiting.reduce((sum, { spent }) => sum + spent.tokens, stored.tokens),
      };
    };
    const warn = async (context: AgentContext): Promise<void> => {
      for (const place of placesOf(context, calendar.dayOf(now()))) {
        const budget = budgetOf(settings, place.scope);
        if (budget.usd === 0 && budget.tokens === 0) continue;
        const spent = await spentAt(place);
        const share = shareOf(spent, budget);
        if (share < settings.warnAt || !(await markWarned(await database(), place))) continue;
        const text = `${Math.floor(share * 100)} % of ${describe(place, spent, budget)}`;
        const { sessionKey, senderId } = context;
        api.logger.warn(`${NAME}: ${text}`, { sessionKey, senderId });
        api.gatewayEvents.emit("budget", { scope: place.scope, name: place.name, share, text });
        notices.publish({ event: "budget", severity: "warning", text, sessionKey, senderId });
      }
    };

    api.on(
      "llm_output",
      ({ usage }, context) =>
        counters.run(async () => {
          if (usage === undefined) return;
          const places = placesOf(context, calendar.dayOf(now()));
          unstored.push({ places, spent: spentBy(usage) });
          try {
            await storeInOrder();
            await warn(context);
          } catch (error) {
            counters.failed();
            const problem = error instanceof Error ? error.message : String(error);
            api.logger.error(
              `${NAME}: costs could not be stored and are kept in memory: ${problem}`,
            );
          }
        }),
      // Awaited by the turn, so that the next one is decided with the cost of this one.
      { mode: "fail-closed", id: NAME },
    );
    api.on(
      "before_agent_run",
      (_event, context) =>
        counters.run(async () => {
          for (const place of placesOf(context, calendar.dayOf(now()))) {
            const budget = budgetOf(settings, place.scope);
            if (budget.usd === 0 && budget.tokens === 0) continue;
            const spent = await spentAt(place);
            if (shareOf(spent, budget) < 1) continue;
            counters.blocked();
            const reset = resetOf(place, calendar, now());
            const used = describe(place, spent, budget);
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
        }),
      { mode: "fail-closed", id: NAME },
    );
    api.lifecycle.onDispose(async () => {
      if (unstored.length > 0) await storeInOrder();
    });
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

interface Spent {
  readonly pico: bigint;
  readonly tokens: number;
}

/** Returns the used part of the budget that is used most; 0 without a budget. */
function shareOf({ pico, tokens }: Spent, budget: Budget): number {
  const ofUsd = budget.usd === 0 ? 0 : Number(pico) / (budget.usd * 1e12);
  const ofTokens = budget.tokens === 0 ? 0 : tokens / budget.tokens;
  return Math.max(ofUsd, ofTokens);
}

function describe({ scope }: SpendingPlace, spent: Spent, { usd, tokens }: Budget): string {
  const owner = { day: "of today", sender: "of this sender for today", session: "of this session" }[
    scope
  ];
  const isTokens =
    usd === 0 || (tokens > 0 && spent.tokens / tokens > Number(spent.pico) / (usd * 1e12));
  const numbers = isTokens
    ? `${spent.tokens} of ${tokens} tokens`
    : `${shownUsd(spent.pico)} of $${usd.toFixed(2)}`;
  return `the budget ${owner} (${numbers})`;
}

function resetOf({ scope }: SpendingPlace, calendar: DayCalendar, now: number): string {
  if (scope === "session") return "A new session has a new budget: /new starts one.";
  const reset = calendar.nextDay(now);
  const time = new Date(reset).toISOString().slice(0, 16);
  return `It resets at midnight in ${calendar.timeZone} (${time}Z), in ${shownDuration(reset - now)}.`;
}

function isSame(left: SpendingPlace, right: SpendingPlace): boolean {
  return left.scope === right.scope && left.name === right.name && left.period === right.period;
}
