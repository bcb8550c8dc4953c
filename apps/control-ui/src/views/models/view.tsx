import { useEffect, useRef } from "preact/hooks";
import { ActButton } from "../../components/act-button.js";
import { ReadersOnly } from "../../components/closed-view.js";
import { FaultNote } from "../../components/fault-note.js";
import { FilterBar } from "../../components/filter-bar.js";
import { useFilters } from "../../components/filters.js";
import { Meter } from "../../components/meter.js";
import { PageBar } from "../../components/page-bar.js";
import { StateMark } from "../../components/state-mark.js";
import { useFocusKey } from "../../shell/keyboard.js";
import { cost, duration, shortTime, tokens } from "../../text/format.js";
import { Chains } from "./chains.js";
import { text } from "./messages.js";
import { type ModelsPage, models, tested, testModel } from "./models.js";
import "../../styles/views/plugins.css";
import "../../styles/views/models.css";

type KnownModel = ModelsPage["list"]["models"][number];

/** Models in use with their health and order, and all that are known. */
export function ModelsView() {
  return (
    <ReadersOnly method="models.status" scope="operator.read">
      <Models />
    </ReadersOnly>
  );
}

function Models() {
  const filters = useFilters("models");
  const isCatalogue = filters.chosen("view") === "all";
  useEffect(() => models.show(), []);
  const page = models.value.value;
  return (
    <>
      <PageBar
        title={text.title}
        tabs={[
          { name: text.inUse, path: "/models", isCurrent: !isCatalogue },
          {
            ...{ name: text.catalogue, path: "/models?view=all", isCurrent: isCatalogue },
            count: page?.list.models.length,
          },
        ]}
      />
      {models.fault.value !== undefined && (
        <div class="pad">
          <FaultNote fault={models.fault.value} />
        </div>
      )}
      {page === undefined ? (
        <div class="page" aria-busy="true" />
      ) : isCatalogue ? (
        <Catalogue page={page} />
      ) : (
        <InUse page={page} />
      )}
    </>
  );
}

function InUse({ page }: { page: ModelsPage }) {
  const { agents, budgets, isDemo } = page.status;
  const refs = [...new Set(agents.flatMap(({ model, fallbacks }) => [model, ...fallbacks]))];
  return (
    <div class="page">
      {isDemo && <p class="note t12">{text.demo}</p>}
      <Table page={page} label={text.inUse} rows={refs.map((model) => knownOf(page, model))} />
      <Chains page={page} />
      <section>
        <h2 class="grp">{text.budgets}</h2>
        {budgets.length === 0 && <p class="sec dim">{text.noBudgets}</p>}
        <div class="rows mbudgets" role="table" aria-label={text.budgets}>
          {budgets.map(({ subject, setting, unit, used, maximum, percent, resetsAt }) => (
            <div class="row" role="row" key={setting}>
              <span role="cell">
                {subject} <code class="dim t12">{setting}</code>
              </span>
              <span role="cell" class="free">
                <Meter percent={percent} />
              </span>
              <span role="cell" class="end">
                {unit === "cost" ? text.used(cost(used), cost(maximum)) : text.used(used, maximum)}
              </span>
              <span role="cell" class="end sub x">
                {resetsAt !== undefined && text.resets(shortTime(resetsAt))}
              </span>
            </div>
          ))}
        </div>
      </section>
    </div>
  );
}

function Catalogue({ page }: { page: ModelsPage }) {
  const filters = useFilters("model catalogue");
  const find = useRef<HTMLInputElement>(null);
  useFocusKey(find);
  const wanted = filters.chosen("q").trim().toLowerCase();
  const provider = filters.chosen("provider");
  const rows = page.list.models.filter(
    (model) =>
      (provider === "" || model.provider === provider) &&
      `${model.model} ${model.name ?? ""}`.toLowerCase().includes(wanted),
  );
  return (
    <>
      <FilterBar
        class="sess"
        filters={filters}
        choices={[
          {
            ...{ label: text.provider, name: "provider" },
            options: page.list.providers.map(({ id }) => id),
          },
        ]}
        hint={text.findHint}
        input={find}
      >
        <span class="x">{text.shown(rows.length)}</span>
      </FilterBar>
      {rows.length === 0 ? (
        <div class="empty">
          <h2>{text.none}</h2>
          <p>{text.changeFilter}</p>
        </div>
      ) : (
        <div class="page">
          <Table page={page} label={text.catalogue} rows={rows} />
        </div>
      )}
    </>
  );
}

function Table({
  page,
  label,
  rows,
}: {
  page: ModelsPage;
  label: string;
  rows: readonly KnownModel[];
}) {
  return (
    <div class="rows models" role="table" aria-label={label}>
      <div class="row head" role="row">
        <span role="columnheader">
          <span class="vh">{text.state}</span>
        </span>
        <span role="columnheader">{text.model}</span>
        <span role="columnheader" class="x">
          {text.usedBy}
        </span>
        <span role="columnheader" class="end x">
          {text.context}
        </span>
        <span role="columnheader" class="end x">
          {text.price}
        </span>
        <span role="columnheader">
          <span class="vh">{text.test}</span>
        </span>
      </div>
      {rows.map((model) => (
        <Row key={model.model} page={page} model={model} />
      ))}
    </div>
  );
}

function Row({ page, model: known }: { page: ModelsPage; model: KnownModel }) {
  const { model, price, contextTokens, source, date } = known;
  const health = healthOf(page, known);
  const outcome = tested.value[model];
  const users = page.status.agents.flatMap(({ agentId, model: own, fallbacks }) => {
    const place = fallbacks.indexOf(model);
    if (own === model) return [agentId];
    return place === -1 ? [] : [text.fallbackOf(agentId, place + 1)];
  });
  return (
    <div class="row" role="row">
      <span role="cell">
        <StateMark state={health.state} label={health.note} />
      </span>
      <span role="cell" class="two">
        <strong class="mono">{model}</strong>
        <br />
        <span class={health.state === "failed" ? "bad t12" : "sub t12"}>{health.note}</span>{" "}
        {outcome?.kind === "running" && <span class="t12">{text.testing}</span>}
        {outcome?.kind === "failed" && (
          <span class="bad t12" role="alert">
            {outcome.fault.code} {outcome.fault.message}
          </span>
        )}
        {outcome?.kind === "done" && (
          <span class="good t12" role="status">
            {text.answered(
              duration(outcome.result.firstTokenMs ?? outcome.result.durationMs),
              duration(outcome.result.durationMs),
              outcome.result.usage.cost === undefined
                ? text.noCost
                : cost(outcome.result.usage.cost.usd),
            )}
          </span>
        )}
      </span>
      <span role="cell" class="x mid">
        {users.join("; ")}
      </span>
      <span role="cell" class="end x">
        {contextTokens !== undefined && text.tokens(tokens(contextTokens))}
      </span>
      <span
        role="cell"
        class="end x sub"
        title={[source, date].filter((each) => each !== undefined).join(", ")}
      >
        {price === undefined ? text.unknownPrice : text.priceOf(price.input, price.output)}
      </span>
      <span role="cell" class="free end">
        <ActButton
          scope="operator.write"
          label={text.testOf(model)}
          reason={outcome?.kind === "running" ? text.testing : undefined}
          onAct={() => void testModel(model)}
        >
          {text.test}
        </ActButton>
      </span>
    </div>
  );
}

/**
 * Returns how a model is: its failures, its cooldown, and the breaker and set-up of its provider.
 * @param page - models
 */
export function healthOf(
  { status, list }: ModelsPage,
  { model, provider }: Pick<KnownModel, "model" | "provider">,
): {
  readonly state: "done" | "failed" | "interrupted" | "waiting" | "stuck";
  readonly note: string;
} {
  const failing = status.failing.find((each) => each.model === model);
  const breaker = status.providers.find((each) => each.provider === provider);
  const setup = list.providers.find(({ id }) => id === provider);
  const failed = [
    failing === undefined ? undefined : text.failures(failing.failures),
    failing?.errorCode,
  ].filter((each) => each !== undefined);
  if (setup?.ready === false) return { state: "waiting", note: setup.setup ?? text.notReady };
  if (breaker !== undefined && breaker.breaker !== "closed") {
    const again =
      breaker.opensInMs === undefined ? [] : [text.again(duration(breaker.opensInMs, "s"))];
    const words = [text.breaker(breaker.breaker), ...again, ...failed];
    return { state: breaker.breaker === "open" ? "failed" : "stuck", note: words.join(", ") };
  }
  if (failing?.cooldownUntil !== undefined && failing.cooldownUntil > Date.now()) {
    const words = [text.coolsDown(shortTime(failing.cooldownUntil)), ...failed];
    return { state: "interrupted", note: words.join(", ") };
  }
  if (failing !== undefined) return { state: "stuck", note: failed.join(", ") };
  return breaker === undefined
    ? { state: "waiting", note: text.notCalled }
    : { state: "done", note: text.works };
}

function knownOf({ list }: ModelsPage, model: string): KnownModel {
  const provider = model.slice(0, model.indexOf("/"));
  const found = list.models.find((each) => each.model === model);
  return found ?? { model, provider, isDefault: false };
}
