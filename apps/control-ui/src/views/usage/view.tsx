import { useEffect, useRef } from "preact/hooks";
import { ReadersOnly } from "../../components/closed-view.js";
import { FaultNote } from "../../components/fault-note.js";
import { FilterBar } from "../../components/filter-bar.js";
import { type Filters, useFilters } from "../../components/filters.js";
import { PageBar } from "../../components/page-bar.js";
import { useFocusKey } from "../../shell/keyboard.js";
import { now } from "../../state/clock.js";
import { models, usageToday } from "../../state/host.js";
import { gateway, mayCall } from "../../state/link.js";
import { cost } from "../../text/format.js";
import { Budgets } from "./budgets.js";
import { readFilter } from "./filter-text.js";
import { text } from "./messages.js";
import { daysOf, limitsOf, PERIODS, passedPartOfMonth, periodOf } from "./period.js";
import { UsagePlot, unitName } from "./plot.js";
import { UsageTable } from "./table.js";
import {
  exportUsage,
  fault,
  GROUPS,
  loadUsage,
  report,
  type Unit,
  type UsageQuery,
} from "./usage.js";
import "../../styles/views/usage.css";

const UNITS: readonly Unit[] = ["cost", "tokens", "calls"];

/** Usage for those who may read it. */
export function UsageView() {
  return (
    <ReadersOnly method="usage.query" scope="operator.read">
      <Usage />
    </ReadersOnly>
  );
}

/** What models were called, with tokens and cost, by day and group (UI-030). */
function Usage() {
  const filters = useFilters("usage");
  const find = useRef<HTMLInputElement>(null);
  useFocusKey(find);
  const isOpen = gateway.value !== undefined;
  const { chosen } = filters;
  const groupBy = GROUPS.find((each) => each === chosen("by")) ?? "agent";
  const unit = UNITS.find((each) => each === chosen("unit")) ?? "cost";
  const isUtc = chosen("time") === "utc";
  const choice = { period: chosen("period"), from: chosen("from"), to: chosen("to"), isUtc };
  const period = periodOf(choice, now.value);
  const read = readFilter(chosen("q"));
  const query: UsageQuery = {
    ...limitsOf(period, isUtc),
    ...{ groupBy, splitBy: "day" },
    timeZone: isUtc ? "UTC" : Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...("filter" in read && Object.keys(read.filter).length > 0 ? { filter: read.filter } : {}),
  };
  const asked = JSON.stringify(query);
  const calls = usageToday.value?.count;
  const problem = "problem" in read ? read.problem : undefined;
  useEffect(() => {
    if (isOpen && problem === undefined && mayCall("usage.query"))
      void loadUsage(query, daysOf(period));
  }, [isOpen, asked, problem, calls]);
  const shown = report.value;
  return (
    <>
      <PageBar
        title={text.title}
        tabs={GROUPS.map((each) => ({
          name: text[each],
          path: pathWith(filters, { by: each }),
          isCurrent: each === groupBy,
        }))}
      >
        <button
          class="btn small"
          type="button"
          title={text.csvHelp}
          onClick={() => void exportUsage(shown?.query ?? query)}
        >
          {text.csv}
        </button>
      </PageBar>
      <FilterBar
        class="sess"
        filters={filters}
        choices={[
          {
            ...{ name: "period", label: text.period, options: PERIODS, none: text.days(30) },
            wordOf: periodName,
          },
          {
            ...{ name: "time", label: text.time, options: ["utc"], none: text.local },
            wordOf: () => text.utc,
          },
          {
            ...{ name: "unit", label: text.unit, options: ["tokens", "calls"], none: text.cost },
            wordOf: (option) => unitName(UNITS.find((each) => each === option) ?? "cost"),
          },
        ]}
        hint={text.hint}
        input={find}
      >
        {choice.period === "custom" && <ChosenDays filters={filters} {...period} />}
      </FilterBar>
      {problem !== undefined && (
        <p class="note t12 usage-problem" data-s="failed" role="alert">
          {problem}
        </p>
      )}
      {fault.value !== undefined && (
        <div class="pad">
          <FaultNote fault={fault.value} />
        </div>
      )}
      {shown === undefined ? (
        <div class="page" aria-busy={fault.value === undefined && problem === undefined} />
      ) : (
        <div class="page">
          <Sentence words={period.words} isMonth={choice.period === "month"} isUtc={isUtc} />
          {shown.groups.length === 0 ? (
            <div class="empty">
              <h2>{shown.query.filter === undefined ? text.empty : text.nothingFits}</h2>
              <p>{shown.query.filter === undefined ? text.emptyHelp : text.changeFilter}</p>
            </div>
          ) : (
            <>
              <UsagePlot
                groups={shown.groups}
                days={shown.days}
                unit={unit}
                group={text[shown.query.groupBy]}
              />
              <UsageTable
                groups={shown.groups}
                total={shown.total}
                groupBy={shown.query.groupBy}
                unit={unit}
                linkTo={(changes) => pathWith(filters, changes)}
                written={chosen("q")}
              />
            </>
          )}
          <Budgets />
        </div>
      )}
    </>
  );
}

/** The state in one sentence, before anything else. */
function Sentence({ words, isMonth, isUtc }: { words: string; isMonth: boolean; isUtc: boolean }) {
  const shown = report.value;
  if (shown === undefined) return null;
  const { count, costUsd, estimatedCalls } = shown.total;
  const about = estimatedCalls > 0 ? "~" : "";
  const budget = models.value?.budgets.find(
    ({ setting, unit }) => unit === "cost" && setting.includes("maxCostPerMonthCents"),
  );
  const isWhole = isMonth && shown.query.filter === undefined;
  const part = passedPartOfMonth(now.value, isUtc);
  return (
    <section class="sec top0">
      <p class="headline sm">
        <span title={`$${costUsd}`}>{text.sentence(about + cost(costUsd), count, words)}</span>
        {isWhole && budget !== undefined && (
          <span class={budget.percent >= 80 ? "warn" : undefined}>
            {text.ofBudget(budget.percent)}
          </span>
        )}
        {isWhole && part > 0.1 && text.pace(cost(String(Number(costUsd) / part)))}.
      </p>
    </section>
  );
}

function ChosenDays({ filters, first, last }: { filters: Filters; first: string; last: string }) {
  return (
    <>
      {(
        [
          ["from", text.from, first],
          ["to", text.until, last],
        ] as const
      ).map(([name, label, value]) => (
        <label class="choice" key={name}>
          {label}
          <input
            class="input"
            type="date"
            value={filters.chosen(name) || value}
            onChange={({ currentTarget }) => filters.choose(name, currentTarget.value)}
          />
        </label>
      ))}
    </>
  );
}

function pathWith({ query }: Filters, changes: Readonly<Record<string, string>>): string {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) next.set(name, value);
  return `/usage?${next}`;
}

function periodName(option: string): string {
  const names: Readonly<Record<string, string>> = {
    month: text.month,
    "last-month": text.lastMonth,
    custom: text.custom,
  };
  return names[option] ?? text.days(Number(option));
}
