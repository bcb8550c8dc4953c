import { Meter } from "../../components/meter.js";
import { agentsToday, costDays, models, usageToday } from "../../state/host.js";
import { cost, shortTime } from "../../text/format.js";
import { CostPlot } from "./cost-plot.js";
import { text } from "./messages.js";

/** What model calls cost today, against the budget of the day. */
export function CostToday() {
  const usage = usageToday.value;
  const budget = models.value?.budgets.find(
    ({ subject, unit }) => subject === "today" && unit === "cost",
  );
  return (
    <section class="sec" aria-labelledby="now-today">
      <h2 id="now-today">{text.cost}</h2>
      {usage === undefined ? (
        <p class="dim">{text.noCalls}</p>
      ) : (
        <>
          <p class="big num">
            {usage.estimatedCalls > 0 && "~"}
            {cost(usage.costUsd)}
            {budget !== undefined && (
              <span class="sub">
                {" "}
                {budget.resetsAt === undefined
                  ? text.ofBudget(cost(budget.maximum))
                  : text.ofBudgetResets(cost(budget.maximum), shortTime(budget.resetsAt))}
              </span>
            )}
          </p>
          {budget !== undefined && <Meter percent={budget.percent} />}
          <CostPlot days={costDays.value} budget={budget?.maximum} />
          <dl class="kv cost">
            {agentsToday.value.length > 1 &&
              agentsToday.value.map(({ key, costUsd }) => (
                <div class="pair-row" key={key}>
                  <dt>{key}</dt>
                  <dd>{cost(costUsd)}</dd>
                </div>
              ))}
            <dt>{text.modelCalls}</dt>
            <dd>{usage.count.toLocaleString()}</dd>
            <dt>{text.tokensIn}</dt>
            <dd>{usage.inputTokens.toLocaleString()}</dd>
            <dt>{text.tokensOut}</dt>
            <dd>{usage.outputTokens.toLocaleString()}</dd>
          </dl>
        </>
      )}
    </section>
  );
}
