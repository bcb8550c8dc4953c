import { Link } from "wouter-preact";
import { Meter } from "../../components/meter.js";
import { models } from "../../state/host.js";
import { cost, shortTime } from "../../text/format.js";
import { text } from "./messages.js";

/** Budgets with their used share. */
export function Budgets() {
  const known = models.value;
  if (known === undefined) return null;
  const { budgets } = known;
  return (
    <section>
      <h2 class="grp">
        {text.budgets} {budgets.length > 0 && <span class="n">{budgets.length}</span>}
      </h2>
      {budgets.length === 0 ? (
        <p class="sec dim">
          {text.noBudgets} <Link href="/settings/models?q=budget">{text.setBudget}</Link>
        </p>
      ) : (
        <div class="rows budgets" role="table" aria-label={text.budgets}>
          <div class="row head" role="row">
            <span role="columnheader">{text.subject}</span>
            <span role="columnheader" class="x">
              {text.share}
            </span>
            <span role="columnheader" class="end">
              {text.used}
            </span>
            <span role="columnheader" class="end x">
              {text.resets}
            </span>
          </div>
          {budgets.map(({ setting, subject, unit, used, maximum, percent, resetsAt }) => {
            const [spent, limit] = unit === "cost" ? [cost(used), cost(maximum)] : [used, maximum];
            return (
              <div class="row" role="row" key={`${setting} ${subject}`} title={setting}>
                <span role="cell" class="strong">
                  {subject}
                </span>
                <span role="cell" class="x free">
                  <Meter percent={percent} />
                </span>
                <span role="cell" class={percent >= 80 ? "end warn" : "end"}>
                  {text.usedOf(spent, limit)}
                </span>
                <span role="cell" class="end x sub">
                  {resetsAt !== undefined && shortTime(resetsAt)}
                </span>
              </div>
            );
          })}
        </div>
      )}
    </section>
  );
}
